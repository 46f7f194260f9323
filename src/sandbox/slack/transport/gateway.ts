/** Sends requests to the app over its transport, and checks whether it acknowledges them in time. */
import type { Json } from '../../json.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, Delivery } from '../people/control-types.ts';
import { ControlError } from '../people/control-error.ts';
import type { EventLog } from '../model/event-log.ts';
import type { Identifiers } from '../model/identifiers.ts';
import type { TrafficLog } from '../model/traffic.ts';

/** Slack's limit for an acknowledgement. */
export const ACKNOWLEDGE_WITHIN_MS = 3000;
const MAX_KEPT = 500;

export interface Outgoing {
  kind: Delivery['kind'];
  summary: string;
  body: Json;
}

export interface Envelope {
  id: string;
  type: 'slash_commands' | 'interactive' | 'events_api';
  body: Json;
  /** 0 the first time. */
  attempt: number;
  acceptsResponse: boolean;
}

export type Answer = { response: unknown } | { error: string };

export type Outcome = Answer & {
  /** How long the app took, in milliseconds; 0 if nothing was sent. */
  durationMs: number;
};

export interface Transport {
  readonly name: 'socket' | 'http';
  /** Resolves when the app has acknowledged or can no longer do so; never later than the limit. */
  send(envelope: Envelope): Promise<Outcome>;
  /** Functions that send it to one replica after another, as often as there are arrivals. */
  sendersOf(envelope: Envelope, arrivals: readonly Arrival[]): (() => Promise<Outcome>)[];
  connections(): number;
}

export class Gateway {
  readonly #transport: Transport;
  readonly #identifiers: Identifiers;
  readonly #log: EventLog;
  readonly #traffic: TrafficLog;
  readonly #sent = new Map<string, { outgoing: Outgoing; attempt: number }>();
  readonly #repeated = new Map<string, readonly Arrival[]>();

  constructor(parts: { transport: Transport; identifiers: Identifiers; log: EventLog; traffic: TrafficLog }) {
    this.#transport = parts.transport;
    this.#identifiers = parts.identifiers;
    this.#log = parts.log;
    this.#traffic = parts.traffic;
  }

  get transport(): 'socket' | 'http' {
    return this.#transport.name;
  }

  connections(): number {
    return this.#transport.connections();
  }

  /** The next request of this person arrives as often as there are arrivals. */
  repeatNext(personId: string, arrivals: readonly Arrival[]): void {
    this.#repeated.set(personId, arrivals);
  }

  /** Delivers and returns the outcome; a failure is part of the delivery, not thrown. */
  async deliver(outgoing: Outgoing, attempt = 0): Promise<Delivery> {
    const id = this.#identifiers.next('dlv');
    this.#remember(id, outgoing, attempt);
    const outcome = await this.#send({
      id,
      type: envelopeType(outgoing.kind),
      body: outgoing.body,
      attempt,
      acceptsResponse: outgoing.kind !== 'event',
    });
    const delivery = describeDelivery(id, outgoing, attempt, outcome, this.transport);
    this.#record(outgoing, delivery, outcome.durationMs);
    return delivery;
  }

  async #send(envelope: Envelope): Promise<Outcome> {
    const person = personOf(envelope.body);
    const arrivals = this.#repeated.get(person);
    if (!arrivals) return this.#transport.send(envelope);
    this.#repeated.delete(person);
    const senders = this.#transport.sendersOf(envelope, arrivals);
    const sending = arrivals.map(async ({ afterMs }, index) => {
      await delay(afterMs);
      return senders[index]?.() ?? { error: 'dispatch_failed', durationMs: 0 };
    });
    return firstAcknowledged(sending);
  }

  /** Delivers an earlier request again, unchanged; the last interaction if no id is given. */
  redeliver(deliveryId?: string): Promise<Delivery> {
    const interactions = [...this.#sent.entries()].filter(([, { outgoing }]) => outgoing.kind !== 'event');
    const id = deliveryId ?? interactions.at(-1)?.[0] ?? '';
    const earlier = this.#sent.get(id);
    if (!earlier) throw new ControlError('no_such_delivery', `Nothing was delivered as "${id}"`);
    return this.deliver(earlier.outgoing, earlier.attempt + 1);
  }

  #remember(id: string, outgoing: Outgoing, attempt: number): void {
    this.#sent.set(id, { outgoing, attempt });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MAX_KEPT && oldest !== undefined) this.#sent.delete(oldest);
  }

  #record(outgoing: Outgoing, delivery: Delivery, durationMs: number): void {
    this.#traffic.record({
      direction: 'out',
      via: this.transport,
      method: outgoing.kind,
      summary: outgoing.summary,
      status: delivery.error ?? 'acked',
      durationMs,
      request: outgoing.body,
      response: delivery.response,
    });
    this.#log.add({ kind: delivery.error === null ? 'acked' : 'timed_out', delivery });
  }
}

/** Slack takes the first acknowledgement, and ignores the others. */
async function firstAcknowledged(sending: readonly Promise<Outcome>[]): Promise<Outcome> {
  const acknowledged = sending.map(async (outcome) =>
    'response' in (await outcome) ? outcome : Promise.reject(new Error('It was not acknowledged')),
  );
  return Promise.any(acknowledged).catch(async () => {
    const [failed] = await Promise.all(sending);
    return failed ?? { error: 'dispatch_failed', durationMs: 0 };
  });
}

function personOf({ user, user_id: id }: Json): string {
  if (typeof id === 'string') return id;
  return typeof user === 'object' && user !== null && 'id' in user ? String(user.id) : '';
}

function envelopeType(kind: Delivery['kind']): Envelope['type'] {
  if (kind === 'slash_commands') return 'slash_commands';
  return kind === 'event' ? 'events_api' : 'interactive';
}

function describeDelivery(
  id: string,
  outgoing: Outgoing,
  attempt: number,
  outcome: Outcome,
  transport: 'socket' | 'http',
): Delivery {
  const isAcked = 'response' in outcome;
  return {
    id,
    kind: outgoing.kind,
    summary: outgoing.summary,
    transport,
    ackMs: isAcked ? outcome.durationMs : null,
    inTime: isAcked,
    response: isAcked ? outcome.response : null,
    error: isAcked ? null : outcome.error,
    attempt,
  };
}

/** Rounds to tenths of a millisecond. */
export const millisecondsSince = (startMs: number): number => Math.round(10 * (performance.now() - startMs)) / 10;
