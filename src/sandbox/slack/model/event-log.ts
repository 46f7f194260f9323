import type { SlackEvent, SlackEventKind, SlackEventOf } from '../people/control-types.ts';

// Enough for a morning of 200 digests with their traffic.
const MAX_KEPT = 20_000;
const SHOWN_ON_TIMEOUT = 25;

type WithoutStamp<Event> = Event extends SlackEvent ? Omit<Event, 'seq' | 'at'> : never;
export type NewSlackEvent = WithoutStamp<SlackEvent>;

export interface WaitOptions {
  /** Only events after this mark; default: after the last one that `next` returned for this kind. */
  since?: number;
  /** Real milliseconds; default 20,000, since a busy machine is slow and only a failing test waits so long. */
  timeoutMs?: number;
}

/** All past events in order, and a way to wait for future ones. */
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

  /** Returns the current position, for `next` or `since`, to read only later events. */
  mark(): number {
    return this.#seq;
  }

  since(mark: number): SlackEvent[] {
    return this.#events.filter((event) => event.seq > mark);
  }

  /** Calls `listener` for each event from now on; returns a function that stops it. */
  listen(listener: (event: SlackEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Returns the next event of a kind, or of one of several, whether it is past or future. Without `since` each call continues
   * after the last returned event of this kind, so none is missed or returned twice.
   *
   * @param kinds `message`, `ephemeral`, `view_opened` …
   * @param predicate selects an event; default: any
   * @throws an Error after `timeoutMs` that lists the events that did happen
   * @example
   * const mark = slack.mark();
   * await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
   * const answer = await slack.next('ephemeral', (event) => event.to === 'U0MIA', { since: mark });
   */
  next<Kind extends SlackEventKind>(
    kinds: Kind | readonly Kind[],
    predicate: (event: SlackEventOf<Kind>) => boolean = () => true,
    { since, timeoutMs = 40_000 }: WaitOptions = {},
  ): Promise<SlackEventOf<Kind>> {
    const wanted = new Set<SlackEventKind>([kinds].flat());
    const isWanted = (event: SlackEvent): event is SlackEventOf<Kind> => wanted.has(event.kind);
    const isNew = ({ kind, seq }: SlackEvent) => seq > (since ?? this.#taken.get(kind) ?? 0);
    const matches = (event: SlackEvent): event is SlackEventOf<Kind> =>
      isWanted(event) && isNew(event) && predicate(event);
    const take = (event: SlackEventOf<Kind>) => {
      this.#taken.set(event.kind, Math.max(this.#taken.get(event.kind) ?? 0, event.seq));
      return event;
    };
    const past = this.#events.find(matches);
    if (past) return Promise.resolve(take(past));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stop();
        const names = [...wanted].map((kind) => `"${kind}"`).join(' or ');
        reject(new Error(`No ${names} that fits came within ${timeoutMs} ms. ${this.#recent(isNew)}`));
      }, timeoutMs);
      // If two waits race, the losing timer must not keep the process alive; other work keeps it alive if necessary.
      timer.unref();
      const stop = this.listen((event) => {
        if (!matches(event)) return;
        clearTimeout(timer);
        stop();
        resolve(take(event));
      });
    });
  }

  #recent(isNew: (event: SlackEvent) => boolean): string {
    const seen = this.#events.filter((event) => event.kind !== 'traffic').slice(-SHOWN_ON_TIMEOUT);
    const lines = seen.map((event) => `  ${isNew(event) ? '·' : ' '} ${describeEvent(event)}`);
    return `Actual events (· after the mark):\n${lines.length === 0 ? '  (nothing at all)' : lines.join('\n')}`;
  }
}

/** Describes an event in one line, for failures and logs. */
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
  return `${start} ${'what' in event ? event.what : event.person}`;
}
