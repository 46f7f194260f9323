import type { z } from 'zod';
import type { RetentionKind } from '../base/settings/retention-settings.ts';
import type { Role } from '../base/roles.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import { enqueueAll, enqueueSkipped, type NewDelivery } from './deliveries.ts';
import type { Delivery, EndedDelivery } from './delivery-table.ts';
import type {
  Addressee,
  EndedMessage,
  MessageDuties,
  SpreadDuties,
  StoredMessage,
  SubscriptionDuties,
} from './message-duties.ts';
import { findDeliveries, listAbout } from './past-deliveries.ts';
import { jsonColumn } from '../store/json-column.ts';

interface Declaration<Payload> {
  /** A released name never changes. */
  name: string;
  payload: z.ZodType<Payload>;
}

export interface NewMessage<Payload> {
  /** Names an event that is posted only once. A message with a used key is not sent. */
  key: string;
  /** A channel or a person, as in a row, a role or a setting. */
  to: string;
  payload: Payload;
  /** Missing: now. */
  dueAt?: Date;
  /** The id of the subject, for finding its messages later. */
  about?: string;
  slot?: string;
}

/** The only way into the outbox. */
export interface MessageKind<Payload> {
  readonly name: string;
  readonly addressee: Addressee;
  /** The kind of `RETENTION_DAYS` by which its messages are deleted. */
  readonly retention: RetentionKind;
  parse(delivery: Delivery): StoredMessage<Payload>;
  parseEnded(ended: EndedDelivery): EndedMessage<Payload>;
  /** Runs in the transaction of its cause. @returns `false` if the key was used before */
  enqueue(trx: DatabaseTransaction, message: NewMessage<Payload>, now: Date): Promise<boolean>;
  /** Runs as many statements as for one. @returns the keys that were new */
  enqueueAll(
    trx: DatabaseTransaction,
    messages: readonly NewMessage<Payload>[],
    now: Date,
  ): Promise<ReadonlySet<string>>;
  /** People can see why it is not sent. */
  enqueueSkipped(trx: DatabaseTransaction, message: NewMessage<Payload>, now: Date, reason: string): Promise<void>;
  /** Undefined also if another kind has that key. */
  find(db: Database | DatabaseTransaction, key: string): Promise<StoredMessage<Payload> | undefined>;
  /** Oldest first. */
  listAbout(db: Database | DatabaseTransaction, about: string): Promise<StoredMessage<Payload>[]>;
}

/** What `handledBy` of a declared kind returns: the kind, and the duties of its messages. */
export interface Handling<Payload> {
  kind: MessageKind<Payload>;
  duties: Partial<SubscriptionDuties<Payload>> &
    Partial<SpreadDuties<Payload>> &
    Pick<MessageDuties<Payload>, 'report'>;
}

/** The handling of one kind of message, whatever its payload is. */
export interface MessageHandler {
  readonly name: string;
  open<Result>(use: <Payload>(handling: Handling<Payload>) => Result): Result;
}

export interface SubscriptionMessageKind<Payload> extends MessageKind<Payload> {
  readonly addressee: Extract<Addressee, { kind: 'subscription' }>;
  handledBy(duties: SubscriptionDuties<Payload>): MessageHandler;
}

export interface NamedMessageKind<Payload> extends MessageKind<Payload> {
  readonly addressee: Extract<Addressee, { kind: 'named' }>;
  handledBy(duties: MessageDuties<Payload>): MessageHandler;
}

/** Slack is asked for the people outside of transactions. */
export interface SpreadMessageKind<Payload> extends MessageKind<Payload> {
  readonly addressee: Extract<Addressee, { kind: 'spread' }>;
  handledBy(duties: SpreadDuties<Payload>): MessageHandler;
}

/**
 * @param role the role that a person needs to get it
 * @example const budgetWarning = declareSubscriptionMessage({ name: 'budget', payload: messageSchema }, 'manager')
 */
export function declareSubscriptionMessage<Payload>(
  declaration: Declaration<Payload>,
  role: Role,
): SubscriptionMessageKind<Payload> {
  const kind = baseOf(declaration, { kind: 'subscription' as const, role });
  return { ...kind, handledBy: (duties) => handlerOf({ kind, duties }) };
}

/** @param by who or what names its recipients, such as `limits channel` */
export function declareNamedMessage<Payload>(
  declaration: Declaration<Payload>,
  by: readonly string[],
): NamedMessageKind<Payload> {
  const kind = baseOf(declaration, { kind: 'named' as const, by });
  return { ...kind, handledBy: (duties) => handlerOf({ kind, duties }) };
}

/** Slack is asked for the people who have the role. */
export function declareSpreadMessage<Payload>(declaration: Declaration<Payload>): SpreadMessageKind<Payload> {
  const kind = baseOf(declaration, { kind: 'spread' as const });
  return { ...kind, handledBy: (duties) => handlerOf({ kind, duties }) };
}

function handlerOf<Payload>(handling: Handling<Payload>): MessageHandler {
  return { name: handling.kind.name, open: (use) => use(handling) };
}

type Base<Payload, To extends Addressee> = MessageKind<Payload> & { readonly addressee: To };

function baseOf<Payload, To extends Addressee>(
  { name, payload: schema }: Declaration<Payload>,
  addressee: To,
): Base<Payload, To> {
  const toDelivery = ({ to, dueAt, ...message }: NewMessage<Payload>, now: Date): NewDelivery => ({
    ...message,
    kind: name,
    channel: to,
    dueAt: dueAt ?? now,
  });
  const column = jsonColumn(schema);
  const parse = (delivery: Delivery) => ({ ...delivery, payload: column.read(delivery.payload) });
  return {
    name,
    addressee,
    retention: 'deliveries',
    parse,
    parseEnded: ({ payload, ...ended }) => ({ ...ended, payload: column.read(payload) }),
    enqueue: async (trx, message, now) => (await enqueueAll(trx, [toDelivery(message, now)], now)).has(message.key),
    enqueueAll: (trx, messages, now) => {
      const deliveries = messages.map((message) => toDelivery(message, now));
      return enqueueAll(trx, deliveries, now);
    },
    enqueueSkipped: (trx, message, now, reason) => enqueueSkipped(trx, toDelivery(message, now), now, reason),
    find: async (db, key) => {
      const [delivery] = await findDeliveries(db, [key]);
      return delivery?.kind === name ? parse(delivery) : undefined;
    },
    listAbout: async (db, about) => (await listAbout(db, name, about)).map((one) => parse(one)),
  };
}
