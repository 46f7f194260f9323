import type { Clock } from './clock.ts';

export interface Cache<Value> {
  get(key: string): Promise<Value>;
  /** Loads again, whatever is remembered, and remembers that. */
  reload(key: string): Promise<Value>;
}

/** Past this many entries the oldest go. */
const MAX_ENTRIES = 10_000;

/**
 * Remembers what `load` answered for a while. Those who ask for the same thing at the same time share one load; a failed
 * load is not remembered.
 *
 * @param lifeMs how long an answer holds
 * @example const users = createCache(clock, 60_000, (id) => readUser(id));
 */
export function createCache<Value>(clock: Clock, lifeMs: number, load: (key: string) => Promise<Value>): Cache<Value> {
  const entries = new Map<string, { value: Promise<Value>; untilMs: number }>();
  const reload = (key: string) => {
    const value = load(key);
    const entry = { value, untilMs: clock.now().getTime() + lifeMs };
    entries.delete(key);
    entries.set(key, entry);
    value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    const oldest = entries.size > MAX_ENTRIES ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return value;
  };
  return {
    get: (key) => {
      const known = entries.get(key);
      return known && known.untilMs > clock.now().getTime() ? known.value : reload(key);
    },
    reload,
  };
}
