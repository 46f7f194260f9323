import type { SlackEvent, SlackEventKind, SlackEventOf } from '../people/control-types.ts';

// Enough for a morning of 200 digests with their traffic.
const MAX_KEPT = 20_000;
const SHOWN_ON_TIMEOUT = 25;

type WithoutStamp<Event> = Event extends SlackEvent ? Omit<Event, 'seq' | 'at'> : never;
/** An event before it has its number and time. */
export type NewSlackEvent = WithoutStamp<SlackEvent>;

export interface WaitOptions {
  /** Only events after this mark; default: after the last one that `next` gave of this kind. */
  since?: number;
  /** Real milliseconds; default 5,000. */
  timeoutMs?: number;
}

/** Everything that happened, in order, and a way to wait for what will. */
export class EventLog {
  readonly #events: SlackEvent[] = [];
  readonly #listeners = new Set<(event: SlackEvent) => void>();
  readonly #taken = new Map<SlackEventKind, number>();
  readonly #now: () => Date;
  #seq = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  add(event: NewSlackEvent): void {
    this.#seq += 1;
    const stamped: SlackEvent = { ...event, seq: this.#seq, at: this.#now().toISOString() };
    this.#events.push(stamped);
    if (this.#events.length > MAX_KEPT) this.#events.splice(0, MAX_KEPT / 4);
    for (const listener of this.#listeners) listener(stamped);
  }

  /** Where the log is now; give it to `next` or `since` to see only what comes later. */
  mark(): number {
    return this.#seq;
  }

  since(mark: number): SlackEvent[] {
    return this.#events.filter((event) => event.seq > mark);
  }

  /** Calls `listener` for each event from now on; returns how to stop. */
  listen(listener: (event: SlackEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * The next event of a kind, whether it has happened already or is still to come. Without `since` each call goes on
   * after the event that the last call for this kind gave, so nothing is missed and nothing is given twice.
   *
   * @param kind `message`, `ephemeral`, `view_opened` …
   * @param predicate which one, if not any
   * @throws an Error after `timeoutMs` that lists what did happen
   * @example
   * const mark = slack.mark();
   * await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
   * const answer = await slack.next('ephemeral', (event) => event.to === 'U0MIA', { since: mark });
   */
  next<Kind extends SlackEventKind>(
    kind: Kind,
    predicate: (event: SlackEventOf<Kind>) => boolean = () => true,
    { since, timeoutMs = 5000 }: WaitOptions = {},
  ): Promise<SlackEventOf<Kind>> {
    const from = since ?? this.#taken.get(kind) ?? 0;
    const matches = (event: SlackEvent): event is SlackEventOf<Kind> =>
      isOfKind(event, kind) && event.seq > from && predicate(event);
    const take = (event: SlackEventOf<Kind>) => {
      this.#taken.set(kind, Math.max(this.#taken.get(kind) ?? 0, event.seq));
      return event;
    };
    const past = this.#events.find(matches);
    if (past) return Promise.resolve(take(past));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stop();
        reject(new Error(this.#describeTimeout(kind, timeoutMs, from)));
      }, timeoutMs);
      // Of two that are raced the other one must not keep a program from ending; what still runs keeps it going.
      timer.unref();
      const stop = this.listen((event) => {
        if (!matches(event)) return;
        clearTimeout(timer);
        stop();
        resolve(take(event));
      });
    });
  }

  #describeTimeout(kind: SlackEventKind, timeoutMs: number, from: number): string {
    const seen = this.#events.filter((event) => event.kind !== 'traffic').slice(-SHOWN_ON_TIMEOUT);
    const lines = seen.map((event) => `  ${event.seq > from ? '·' : ' '} ${describeEvent(event)}`);
    const history = lines.length === 0 ? '  (nothing at all)' : lines.join('\n');
    return `No "${kind}" that fits came within ${timeoutMs} ms. What did happen (· after the mark):\n${history}`;
  }
}

function isOfKind<Kind extends SlackEventKind>(event: SlackEvent, kind: Kind): event is SlackEventOf<Kind> {
  return event.kind === kind;
}

/** One event in one line, for failures and logs. */
function describeEvent(event: SlackEvent): string {
  const start = `#${event.seq} ${event.kind}`;
  if ('message' in event) {
    const text = event.message.text || JSON.stringify(event.message.blocks);
    const to = event.kind === 'ephemeral' ? ` to ${event.to}` : '';
    return `${start}${to} in #${event.channelName} by ${event.message.author}: ${text.slice(0, 160)}`;
  }
  if ('view' in event) return `${start} for ${event.person}: ${JSON.stringify(event.view.view).slice(0, 160)}`;
  if ('delivery' in event)
    return `${start} ${event.delivery.summary} ${event.delivery.error ?? `${Math.round(event.delivery.ackMs ?? 0)} ms`}`;
  if (event.kind === 'traffic') return `${start} ${event.traffic.method} ${event.traffic.status}`;
  if (event.kind === 'file_shared') return `${start} ${event.file.name} in ${event.channel}`;
  return `${start} ${event.what}`;
}
