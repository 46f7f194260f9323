import type { Clock } from './time/clock.ts';

export interface Cache<Value> {
  get(key: string): Promise<Value>;
  /** Loads again, whatever is remembered, and remembers that. */
  reload(key: string): Promise<Value>;
  /** Loads again where `outdated` is still what is remembered; of those who notice that together one does. */
  replace(key: string, outdated: Value): Promise<Value>;
}

const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  value: Promise<Value>;
  /** What `value` came to. */
  answer?: { value: Value };
  untilMs: number;
}

export interface CacheOptions<Value> {
  /** Past this many entries the oldest go. */
  maxEntries?: number;
  /** Which answers are remembered; all of them, if it is missing. */
  isKept?: (value: Value) => boolean;
}

/**
 * Remembers what `load` answered for a while. Those who ask for the same thing at the same time share one load; a failed
 * load is not remembered.
 *
 * @param lifeMs how long an answer holds
 * @example const users = createCache(clock, 60_000, (id) => readUser(id));
 */
export function createCache<Value>(
  clock: Clock,
  lifeMs: number,
  load: (key: string) => Promise<Value>,
  { maxEntries = MAX_ENTRIES, isKept = () => true }: CacheOptions<Value> = {},
): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const settle = async (key: string, entry: Entry<Value>) => {
    try {
      const answer = await entry.value;
      entry.answer = { value: answer };
      if (isKept(answer)) return;
    } catch {
      // Those who asked for it get the error.
    }
    if (entries.get(key) === entry) entries.delete(key);
  };
  const reload = (key: string) => {
    const value = load(key);
    const entry: Entry<Value> = { value, untilMs: clock.now().getTime() + lifeMs };
    entries.delete(key);
    entries.set(key, entry);
    void settle(key, entry);
    const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return value;
  };
  return {
    get: (key) => {
      const known = entries.get(key);
      return known && known.untilMs > clock.now().getTime() ? known.value : reload(key);
    },
    reload,
    replace: (key, outdated) => {
      const known = entries.get(key);
      return known && known.answer?.value !== outdated ? known.value : reload(key);
    },
  };
}
