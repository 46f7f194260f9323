import type { Clock } from './time/clock.ts';

export interface Cache<Key, Value> {
  get(key: Key): Promise<Value>;
  /** Loads the value even if it is cached, and caches the result. */
  reload(key: Key): Promise<Value>;
  /** Loads the value again if `outdated` is still cached. Of several callers at once, only one loads. */
  replace(key: Key, outdated: Value): Promise<Value>;
}

const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  value: Promise<Value>;
  answer?: { value: Value };
  untilMs: number;
}

export interface CacheOptions<Key, Value> {
  /** Two keys with the same id share an entry; by default all that a key holds. */
  idOf?: (key: Key) => string;
  /** Beyond this number the oldest entries are removed. */
  maxEntries?: number;
  /** Decides which answers are cached; by default all. */
  isKept?: (value: Value) => boolean;
}

/**
 * Caches the answers of `load` for `lifeMs`. Callers that ask for the same key at the same time share one load. A
 * failed load is not cached.
 *
 * @example const users = createCache(clock, 60_000, (id) => readUser(id));
 */
export function createCache<Key, Value>(
  clock: Clock,
  lifeMs: number,
  load: (key: Key) => Promise<Value>,
  { maxEntries = MAX_ENTRIES, isKept = () => true, idOf = (key) => JSON.stringify(key) }: CacheOptions<Key, Value> = {},
): Cache<Key, Value> {
  const entries = new Map<string, Entry<Value>>();
  const settle = async (id: string, entry: Entry<Value>) => {
    try {
      const answer = await entry.value;
      entry.answer = { value: answer };
      if (isKept(answer)) return;
    } catch {
      // The callers of `get` receive this error.
    }
    if (entries.get(id) === entry) entries.delete(id);
  };
  /** All live equally long, so those that expired first come first. */
  const dropExpired = (nowMs: number) => {
    for (const [id, { untilMs }] of entries) {
      if (untilMs > nowMs) return;
      entries.delete(id);
    }
  };
  const reload = (key: Key) => {
    const id = idOf(key);
    const nowMs = clock.now().getTime();
    dropExpired(nowMs);
    const value = load(key);
    const entry: Entry<Value> = { value, untilMs: nowMs + lifeMs };
    entries.delete(id);
    entries.set(id, entry);
    void settle(id, entry);
    const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return value;
  };
  return {
    get: (key) => {
      const entry = entries.get(idOf(key));
      return entry && entry.untilMs > clock.now().getTime() ? entry.value : reload(key);
    },
    reload,
    replace: (key, outdated) => {
      const entry = entries.get(idOf(key));
      return entry && entry.answer?.value !== outdated ? entry.value : reload(key);
    },
  };
}
