import type { z } from 'zod';
import { countOf } from '../base/text/numbers.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { Skip } from './attempts/delivery-outcomes.ts';
import { enqueueAll, type NewDelivery } from './deliveries.ts';
import { COVERED, type NoticeContent, type StoredMessage, type WriteDecision } from './message-duties.ts';
import { type MessageHandler, declareNamedMessage, declareSpreadMessage } from './message-kind.ts';
import type { Reader } from './reader.ts';

interface Notice<Payload> {
  key: string;
  payload: Payload;
}

/** All admins get the notice if there is no owner, or if the owner cannot be reached. */
export interface OwnerNotice<Payload> {
  about(payload: Payload): NoticeContent;
  /** Runs in the transaction of its cause. @param owner Slack id; null: all admins */
  notify(trx: DatabaseTransaction, owner: string | null, notice: Notice<Payload>, now: Date): Promise<void>;
  handledBy(
    deps: NoticeDeps,
    write: (message: StoredMessage<Payload>, reader: Reader) => Promise<WriteDecision>,
  ): MessageHandler[];
}

export interface NoticeDeps {
  db: Database;
  clock: Clock;
  people: { admins(): Promise<string[]> };
}

const ADMINS = 'admins';

const NO_LONGER_ADMIN: Skip = { kind: 'skip', reason: 'Its recipient is no longer an admin.' };

/** An admin may have lost the role since. The other admins have their own copies. */
function whyLateForAdmin({ slot }: StoredMessage<unknown>, reader: Reader): WriteDecision | undefined {
  if (slot !== ADMINS || (reader.kind === 'person' && reader.role === 'admin')) return undefined;
  const isUnsure = reader.kind === 'person' && reader.isRoleUnsure === true;
  return isUnsure ? { kind: 'unconfirmed', skip: NO_LONGER_ADMIN } : NO_LONGER_ADMIN;
}

const personalKind = (name: string) => `${name}-notice`;
const spreadKind = (name: string) => `${name}-admin-notice`;

/** Runs in the transaction of its cause. @param owner Slack id; null: all admins */
export async function notifyOwner(
  trx: DatabaseTransaction,
  owner: string | null,
  { key, name, payload }: NoticeContent & { key: string },
  now: Date,
): Promise<void> {
  const delivery: NewDelivery =
    owner === null
      ? // Slack is asked for the admins outside of transactions, so one delivery makes one for each of them.
        { key: `${key}:${ADMINS}`, kind: spreadKind(name), channel: ADMINS, payload, dueAt: now }
      : { key, kind: personalKind(name), channel: owner, payload, dueAt: now };
  await enqueueAll(trx, [delivery], now);
}

/** @example const digestNotice = declareOwnerNotice('digest', noticeSchema) */
export function declareOwnerNotice<Payload>(name: string, payload: z.ZodType<Payload>): OwnerNotice<Payload> {
  const personal = declareNamedMessage({ name: personalKind(name), payload }, ['owner', 'admins']);
  const spread = declareSpreadMessage({ name: spreadKind(name), payload });
  const notify: OwnerNotice<Payload>['notify'] = (trx, owner, notice, now) =>
    notifyOwner(trx, owner, { ...notice, name }, now);
  /** Does not repeat the copies for admins. */
  const notifyAdminsInstead = async (trx: DatabaseTransaction, message: StoredMessage<Payload>, now: Date) => {
    if (message.slot !== ADMINS) await notify(trx, null, message, now);
  };
  return {
    about: (content) => ({ name, payload: content }),
    notify,
    handledBy: ({ db, clock, people }, write) => [
      personal.handledBy({
        write: async (message, reader) => whyLateForAdmin(message, reader) ?? write(message, reader),
        whenRefused: notifyAdminsInstead,
        report: async (trx, message, _failure, now) => {
          await notifyAdminsInstead(trx, message, now);
          return COVERED;
        },
      }),
      spread.handledBy({
        spread: async (message) => {
          const admins = await people.admins();
          if (admins.length === 0) return undefined;
          const now = clock.now();
          const { key, payload: content } = message;
          const copies = admins.map((to) => ({ key: `${key}:${to}`, to, payload: content, slot: ADMINS }));
          await db.transaction().execute((trx) => personal.enqueueAll(trx, copies, now));
          return `Sent to ${countOf(admins.length, 'admin')}, each by direct message.`;
        },
        report: () => Promise.resolve(COVERED),
      }),
    ],
  };
}
