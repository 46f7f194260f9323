/** Sends requests to the app over its transport, and checks whether it acknowledges them in time. */
import type { Delivery } from '../people/control-types.ts';
import { ControlError } from '../people/control-error.ts';
import type { EventLog } from '../model/event-log.ts';
import type { Identifiers } from '../model/identifiers.ts';
import type { TrafficLog } from '../model/traffic.ts';
import type { Json } from '../model/workspace.ts';

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
  connections(): number;
}

export class Gateway {
  readonly #transport: Transport;
  readonly #identifiers: Identifiers;
  readonly #log: EventLog;
  readonly #traffic: TrafficLog;
  readonly #sent = new Map<string, { outgoing: Outgoing; attempt: number }>();

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

  /** Delivers once and returns the outcome; a failure is part of the delivery, not thrown. */
  async deliver(outgoing: Outgoing, attempt = 0): Promise<Delivery> {
    const id = this.#identifiers.next('dlv');
    this.#remember(id, outgoing, attempt);
    const outcome = await this.#transport.send({
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
