import type { Traffic } from '../people/control-types.ts';
import type { EventLog } from './event-log.ts';

const MAX_KEPT = 1000;

/** Every request in and out, newest last. */
export class TrafficLog {
  readonly #entries: Traffic[] = [];
  readonly #log: EventLog;
  readonly #now: () => Date;
  #id = 0;

  constructor(log: EventLog, now: () => Date) {
    this.#log = log;
    this.#now = now;
  }

  record(entry: Omit<Traffic, 'id' | 'at'>): void {
    const traffic = { ...entry, id: ++this.#id, at: this.#now().toISOString() };
    this.#entries.push(traffic);
    if (this.#entries.length > MAX_KEPT) this.#entries.shift();
    this.#log.add({ kind: 'traffic', traffic });
  }

  /** The last `limit` entries, oldest first. */
  latest(limit = MAX_KEPT): Traffic[] {
    return this.#entries.slice(-limit);
  }

  /**
   * The calls of one Web API method, oldest first.
   *
   * @example
   * expect(slack.traffic.calls('chat.postMessage')).toHaveLength(1);
   */
  calls(method: string): Traffic[] {
    return this.#entries.filter((entry) => entry.via === 'api' && entry.method === method);
  }
}
