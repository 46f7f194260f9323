import { eachWhileFree } from '../../base/time/turns.ts';
import pLimit from 'p-limit';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { dayOf, daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import type { ByteBudget } from '../../base/byte-budget.ts';
import type { Database } from '../../store/tables.ts';
import { dayStateOf } from '../day-state.ts';
import type { ReadingEnding } from './analytics-day-table.ts';
import { sizeOf, type DayCache } from './day-cache.ts';
import {
  eachPart,
  loadParts,
  readStoredDays,
  storeDays,
  type NewDay,
  type ReadDay,
  type StoredDay,
} from './day-store.ts';
import type { DaySource } from './resources.ts';
import { createSharedReadings } from './shared-readings.ts';
import { withPseudonyms } from './with-pseudonyms.ts';

export interface ReadOptions {
  maxAgeMs: number;
  isForced?: boolean | undefined;
  /** `first`: only the first part of each day, which holds the totals. */
  which: 'first' | 'all';
  onProgress?: ((done: number, days: number) => void) | undefined;
}

/** Reads days of one resource: settled ones from the store, others from the platform, once for concurrent requests. */
export interface DayReader {
  /** Passes published days in no order, one at a time to bound memory; throws `PlatformError` if one is unreadable. */
  read(period: Period, options: ReadOptions, take: (entry: ReadDay) => void | Promise<void>): Promise<void>;
}

/**
 * More than the platform is asked at once, so that the last pages of some days do not leave it idle. If all days began at
 * once, all would be in memory half-read and end together.
 */
const FETCHES_AT_ONCE = 16;

/** The number of days loaded together; fewer for resources with large days. */
const MAX_DAYS_AT_ONCE = 31;

export interface DayReaderDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  source: DaySource;
  peopleSince: () => Day;
  /** Runs one piece of heavy work at a time: twelve days that arrive together would block the process. */
  oneByOne: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Bounds the rows of people that are on their way to the store. */
  budget: ByteBudget;
  cache: DayCache;
}

export function createDayReader(deps: DayReaderDeps): DayReader {
  const { db, source, oneByOne, cache } = deps;
  const inProgress = new Map<Day, Promise<Reading>>();
  /** For each current query of the store, the readings that were in progress at any time during it. */
  const activeQueries = new Set<typeof inProgress>();
  /** When the platform last reported that it has not published a day. */
  const unpublishedAt = new Map<Day, Date>();

  const inTurn = pLimit(FETCHES_AT_ONCE);
  const shared = createSharedReadings(db, deps.log, source.resource);
  const fetchDays = (days: readonly Day[]): Promise<Map<Day, NewDay | StoredDay>> =>
    inTurn(async () => {
      const fetched = new Map<Day, NewDay | StoredDay>();
      const readByOthers = await shared.read(days, async (some) => {
        const endings = new Map<Day, ReadingEnding>();
        // Other processes may read days between these.
        for (const run of runsOf(some, days.length)) {
          const { entries, stored } = await fetchAndStore(deps, periodOf(run));
          for (const [day, entry] of entries) fetched.set(day, entry);
          for (const day of run)
            endings.set(day, !entries.has(day) ? 'unpublished' : stored.has(day) ? 'stored' : 'failed');
        }
        return endings;
      });
      if (readByOthers.size === 0) return fetched;
      const storedDays = await readStoredDays(db, source.resource, periodOf(days));
      for (const [day, storedDay] of storedDays) if (readByOthers.has(day)) fetched.set(day, storedDay);
      return fetched;
    });
  const startReading = (days: readonly Day[]) => {
    const startedAt = deps.clock.now();
    const fetched = fetchDays(days);
    for (const day of days) {
      const entry = fetched.then((fetchedDays) => {
        if (fetchedDays.has(day)) unpublishedAt.delete(day);
        else unpublishedAt.set(day, startedAt);
        return fetchedDays.get(day);
      });
      for (const readings of [inProgress, ...activeQueries]) readings.set(day, entry);
      const forget = () => {
        if (inProgress.get(day) === entry) inProgress.delete(day);
      };
      entry.then(forget, forget);
    }
  };

  return {
    read: async (period, { maxAgeMs, isForced, which, onProgress }, take) => {
      const now = deps.clock.now();
      const today = dayOf(now);
      const days = daysOf(period).filter((day) => day < today);
      // A day that arrives during the query may be missing from its answer and no longer be in progress.
      const readings = new Map(inProgress);
      const readingOf = (day: Day) => readings.get(day) ?? inProgress.get(day);
      activeQueries.add(readings);
      const storedDays = await readStoredDays(db, source.resource, period).finally(() =>
        activeQueries.delete(readings),
      );
      const isRecent = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() < maxAgeMs;
      const isCurrentInStore = (day: Day) => {
        if (isForced) return false;
        const storedDay = storedDays.get(day);
        // `RETENTION_DAYS` was raised, so the people of the day are needed after all.
        if (storedDay?.state === 'rolled_up') return which === 'first';
        return storedDay?.state === 'settled' || isRecent(storedDay?.readAt);
      };
      const daysToTake = days.filter((day) => isCurrentInStore(day) || !isRecent(unpublishedAt.get(day)));
      const missing = daysToTake.filter((day) => !isCurrentInStore(day));
      const toFetch = missing.filter((day) => readingOf(day) === undefined);
      for (const run of runsOf(toFetch, source.mostDaysAtOnce())) startReading(run);
      let done = days.length - daysToTake.length;
      const finish = () => onProgress?.((done += 1), days.length);
      const daysAtOnce = () =>
        which === 'first' ? MAX_DAYS_AT_ONCE : Math.min(source.mostDaysAtOnce(), MAX_DAYS_AT_ONCE);
      // A settled day is hardly ever replaced. The whole text of a large day would outlive several collections of garbage.
      const isLoadedInPieces = ({ state }: StoredDay) => which === 'all' && daysAtOnce() === 1 && state === 'settled';
      const loadDays = async <Each extends StoredDay>(run: readonly Each[]): Promise<(Each & ReadDay)[]> => {
        if (run.every(isLoadedInPieces))
          return run.map((each) => ({ ...each, parts: eachPart(db, source.resource, each.day) }));
        const loaded = await loadParts(
          db,
          source.resource,
          run.map(({ day }) => day),
          which,
        );
        return run.map((each) => {
          const parts = loaded.get(each.day) ?? [];
          if (which === 'all') source.noteSize?.(sizeOf(parts));
          return { ...each, parts };
        });
      };
      const takeFrom = async (reading: Promise<Reading> | undefined) => {
        const entry = await reading;
        if (entry)
          await oneByOne(async () => {
            for (const day of 'parts' in entry ? [entry] : await loadDays([entry])) await take(day);
          });
        finish();
      };
      // All readings are collected before the first await, because a reading is forgotten as soon as it is done.
      const fromPlatform = Promise.all(missing.map((day) => takeFrom(readingOf(day))));
      // A reading holds the rows of its day: kept here, all days would be in memory until the last one is taken.
      readings.clear();
      const takeAll = (entries: readonly ReadDay[]) =>
        oneByOne(async () => {
          for await (const entry of eachWhileFree(entries)) {
            await take(entry);
            finish();
          }
        });
      const fromStore = async () => {
        const found = daysToTake.filter(isCurrentInStore).flatMap((day) => storedDays.get(day) ?? []);
        const cached = found.flatMap((each) => {
          const parts = cache.get(source.resource, each, which);
          return parts ? [{ ...each, parts }] : [];
        });
        await takeAll(cached);
        const isCached = new Set(cached.map(({ day }) => day));
        const toLoad = found.filter(({ day }) => !isCached.has(day));
        while (toLoad.length > 0) {
          const run = toLoad.splice(0, daysAtOnce());
          const loaded = await oneByOne(() => loadDays(run));
          await takeAll(
            loaded.map((each) => ({ ...each, parts: cache.keep(source.resource, each, which, each.parts) })),
          );
        }
      };
      await Promise.all([fromPlatform, fromStore()]);
    },
  };
}

/** A day that another process read has no parts: it is in the store. `undefined`: the day is not published. */
type Reading = NewDay | StoredDay | undefined;

const periodOf = (days: readonly Day[]): Period => ({ first: days[0] ?? '', last: days.at(-1) ?? '' });

async function fetchAndStore(
  deps: DayReaderDeps,
  period: Period,
): Promise<{ entries: ReadonlyMap<Day, NewDay>; stored: ReadonlySet<Day> }> {
  const { clock, source, oneByOne } = deps;
  // The time before the request: an answer requested before midnight is not the settled one of the next day.
  const readAt = clock.now();
  const since = deps.peopleSince();
  const hold = deps.budget.open();
  try {
    const encodedDays = await source.fetch(period, hold);
    const entries = new Map<Day, NewDay>();
    for (const [day, encoded] of encodedDays) {
      if (day < period.first || day > period.last) continue;
      const isSettled = dayStateOf(day, true, dayOf(readAt)) === 'settled';
      const state = encoded.length > 1 && day < since ? 'rolled_up' : isSettled ? 'settled' : 'fresh';
      entries.set(day, { day, state, readAt, parts: encoded });
    }
    const read = await withPseudonyms(deps.db, [...entries.values()]);
    const stored = await oneByOne(() => storeDays(deps, source.resource, read));
    return { entries: new Map(read.map((entry) => [entry.day, entry])), stored };
  } finally {
    hold.close();
  }
}

function runsOf(days: readonly Day[], most: number): Day[][] {
  const runs: Day[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last !== undefined && run.length < most && plusDays(last, 1) === day) run.push(day);
    else runs.push([day]);
  }
  return runs;
}
