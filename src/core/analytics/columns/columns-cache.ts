import { LRUCache } from 'lru-cache';
import type { Day } from '../../base/time/calendar.ts';
import { type PeopleColumns, sizeOf } from './people-columns.ts';
import { type PeopleDictionary, createPeopleDictionary } from './people-dictionary.ts';

/** Two months of 100,000 people, of whom each takes eight bytes a day. */
const MAX_BYTES = 64_000_000;
/** Answers read two months in turn: larger days would push each other out before they are used again. */
const MAX_BYTES_A_DAY = Math.floor(MAX_BYTES / 60);

/** What one answer uses. The columns of a version of a day are the same in all of its uses. */
export interface ColumnsInUse {
  people: PeopleDictionary;
  get: (version: string) => PeopleColumns | undefined;
  keep: (version: string, columns: PeopleColumns) => void;
}

/**
 * @param onRenewal called when what was kept is forgotten
 * @param maxBytes of all columns together
 */
export function createColumnsCache(onRenewal: () => void, maxBytes = MAX_BYTES) {
  const days = new LRUCache<string, PeopleColumns>({
    maxSize: maxBytes,
    maxEntrySize: Math.min(maxBytes, MAX_BYTES_A_DAY),
    sizeCalculation: (columns) => Math.max(1, sizeOf(columns)),
  });
  let people = createPeopleDictionary();
  let latest = { erasures: 0, today: '' };
  return {
    /**
     * After an erasure, and on each new day, everything is forgotten: nobody stays in memory who was erased, or whose days
     * were deleted. An answer that began before may still read the name, so it neither gets nor keeps anything afterwards.
     *
     * @param erasures the number of erasures that were finished when the answer began
     */
    use: (erasures: number, today: Day): ColumnsInUse => {
      if (erasures > latest.erasures || (erasures === latest.erasures && today > latest.today)) {
        latest = { erasures, today };
        people = createPeopleDictionary();
        days.clear();
        onRenewal();
      }
      const isLatest = () => erasures === latest.erasures && today === latest.today;
      return {
        people: isLatest() ? people : createPeopleDictionary(),
        get: (version) => (isLatest() ? days.get(version) : undefined),
        keep: (version, columns) => {
          if (isLatest() && columns.people === people) days.set(version, columns);
        },
      };
    },
  };
}
