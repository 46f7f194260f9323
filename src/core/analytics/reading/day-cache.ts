import { LRUCache } from 'lru-cache';
import type { Day } from '../../base/time/calendar.ts';
import type { Resource } from './analytics-day-table.ts';
import type { FoundDay, ReadDay } from './day-store.ts';

/** In characters, of all days: two months of 250 people. In large organizations, loading is little of the work. */
const MAX_SIZE = 1_000_000;
/** Answers read two months in turn. Larger days would push each other out before they are used again. */
const MAX_DAY_SIZE = Math.floor(MAX_SIZE / 60);

/**
 * Caches the texts of stored days that were loaded last: a burst of answers needs the same weeks. The store remains the
 * authority: a text is only used for the version of its day that was just found there.
 */
export interface DayCache {
  get(resource: Resource, day: FoundDay, which: Which): readonly string[] | undefined;
  /** Returns the parts as they are, or passes them on one by one; either way it caches them unless they are large. */
  keep(resource: Resource, day: FoundDay, which: Which, parts: ReadDay['parts']): ReadDay['parts'];
}

type Which = 'first' | 'all';

export function createDayCache(): DayCache {
  const days = new LRUCache<string, { version: string; parts: readonly string[] }>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_DAY_SIZE,
    sizeCalculation: ({ parts }) => Math.max(1, sizeOf(parts)),
  });
  const find = (resource: Resource, day: FoundDay, which: Which) => {
    const found = days.get(keyOf(resource, day.day, which));
    return found?.version === versionOf(day) ? found.parts : undefined;
  };
  const set = (resource: Resource, day: FoundDay, which: Which, parts: readonly string[]) => {
    days.set(keyOf(resource, day.day, which), { version: versionOf(day), parts });
  };
  async function* keepAtEnd(resource: Resource, day: FoundDay, parts: AsyncIterable<string>) {
    const kept: string[] = [];
    let size = 0;
    for await (const part of parts) {
      size += part.length;
      if (size <= MAX_DAY_SIZE) kept.push(part);
      yield part;
    }
    if (size <= MAX_DAY_SIZE) set(resource, day, 'all', kept);
  }
  return {
    get: (resource, day, which) =>
      which === 'first'
        ? (find(resource, day, 'first') ?? find(resource, day, 'all')?.slice(0, 1))
        : find(resource, day, 'all'),
    keep: (resource, day, which, parts) => {
      if (Symbol.asyncIterator in parts) return keepAtEnd(resource, day, parts);
      set(resource, day, which, [...parts]);
      return parts;
    },
  };
}

const keyOf = (resource: Resource, day: Day, which: Which) => `${resource} ${which} ${day}`;

const versionOf = ({ fingerprint, state, erasures }: FoundDay) => `${fingerprint} ${state} ${erasures}`;

export const sizeOf = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + part.length, 0);
