import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Day, type Period, dayOf, daysOf, plusDays } from '../../base/time/calendar.ts';
import { HOUR_MS } from '../../base/time/durations.ts';
import type { Logger } from '../../base/log.ts';
import { hasRowLocks, leaseHolds, leaseIsOver, storeNow } from '../../store/lease.ts';
import type { Database } from '../../store/tables.ts';
import { type ReadingEnding, type Resource, isRowsResource } from './analytics-day-table.ts';
import { LRUCache } from 'lru-cache';
import {
  type FoundDay,
  type LoadedDay,
  type NewDay,
  type ReadDay,
  dayStateOf,
  loadTotals,
  readStoredDays,
  storeDays,
  versionOfPeople,
  withPseudonyms,
} from './day-store.ts';
import { eachWhileFree } from '../../base/time/turns.ts';
import pLimit from 'p-limit';
import type { Clock } from '../../base/time/clock.ts';
import type { ByteBudget } from '../../base/work-queue.ts';
import { type DaySource } from './resources.ts';
import type { ColumnsInUse } from '../columns/columns-cache.ts';
import type { PeopleDictionary } from '../columns/people-dictionary.ts';
import { loadPeople } from './load-people.ts';
import type { StoredPeople } from './stored-people.ts';

/** If a process ends in the middle of a reading, the others wait for it this long. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** The pauses between two looks at a reading: long ones for a long reading. */
const LOOK_MS = { first: 100, growth: 1.5, most: 1_000 };
/** Longer than a process waits for a reading. */
const KEPT_MS = HOUR_MS;

/** How the reading of each day ended. */
export type Endings = ReadonlyMap<Day, ReadingEnding>;

export interface SharedReadings {
  /**
   * Reads the days that no other process is reading, and waits for those that one is.
   * @param read reads days and returns how each ended; if it throws, all of them failed
   * @returns days that another process read; those that failed there are read here, too
   */
  read(days: readonly Day[], read: (days: readonly Day[]) => Promise<Endings>): Promise<ReadonlySet<Day>>;
}

/** With SQLite there is one process, which shares the readings that are in progress in its memory. */
function createSharedReadings(db: Database, log: Logger, resource: Resource): SharedReadings {
  if (!hasRowLocks(db)) {
    return {
      read: async (days, read) => {
        await read(days);
        return new Set();
      },
    };
  }
  return {
    read: async (days, read) => {
      const claim = await claimDays(db, resource, days);
      const others = days.filter((day) => !claim.days.has(day));
      const [endings] = await Promise.all([
        waitForOthers(db, resource, others),
        readClaimed(db, log, resource, claim, read),
      ]);
      const failed = others.filter((day) => endings.get(day) === 'failed');
      if (failed.length > 0) await read(failed);
      return new Set(others.filter((day) => endings.get(day) === 'stored'));
    },
  };
}

interface Claim {
  leasedBy: string;
  days: ReadonlySet<Day>;
}

/** Returns those days that no other process is reading. */
async function claimDays(db: Database, resource: Resource, days: readonly Day[]): Promise<Claim> {
  const leasedBy = randomUUID();
  const lease = { leasedBy, leasedUntil: storeNow(db, LEASE_MS), ending: null };
  const claimed = await db
    .insertInto('analyticsReadings')
    .values(days.map((day) => ({ resource, day, ...lease })))
    .onConflict((conflict) =>
      conflict
        .columns(['resource', 'day'])
        .doUpdateSet(lease)
        .where((where) =>
          where.or([
            where('analyticsReadings.ending', 'is not', null),
            leaseIsOver(db, LEASE_MS, 'analyticsReadings.leasedUntil'),
          ]),
        ),
    )
    .returning('day')
    .execute();
  return { leasedBy, days: new Set(claimed.map(({ day }) => day)) };
}

async function readClaimed(
  db: Database,
  log: Logger,
  resource: Resource,
  { leasedBy, days }: Claim,
  read: (days: readonly Day[]) => Promise<Endings>,
): Promise<void> {
  if (days.size === 0) return;
  const own = db.updateTable('analyticsReadings').where((where) => where.and({ resource, leasedBy }));
  const renewal = setInterval(() => {
    // If the lease is lost, another process reads the days, too: a waste, but nothing is wrong.
    own
      .set({ leasedUntil: storeNow(db, LEASE_MS) })
      .execute()
      .catch((error: unknown) => log.warn({ err: error, resource }, 'Renewing the lease of a reading failed'));
  }, RENEW_EVERY_MS);
  let endings: Endings = new Map();
  try {
    endings = await read([...days]);
  } finally {
    clearInterval(renewal);
    for (const [ending, ended] of Map.groupBy(days, (day) => endings.get(day) ?? 'failed'))
      await own.set({ ending }).where('day', 'in', ended).execute();
    const past = storeNow(db, -KEPT_MS);
    await db.deleteFrom('analyticsReadings').where('leasedUntil', '<', past).execute();
  }
}

async function waitForOthers(db: Database, resource: Resource, days: readonly Day[]): Promise<Endings> {
  const endings = new Map<Day, ReadingEnding>();
  let delayMs = LOOK_MS.first;
  for (let open = days; open.length > 0; open = days.filter((day) => !endings.has(day))) {
    await delay(delayMs);
    delayMs = Math.min(LOOK_MS.most, delayMs * LOOK_MS.growth);
    const rows = await db
      .selectFrom('analyticsReadings')
      .select(['day', 'ending', leaseHolds(db).as('isHeld')])
      .where('resource', '=', resource)
      .where('day', 'in', open)
      .execute();
    for (const day of open) {
      const row = rows.find((each) => each.day === day);
      const ending = row?.ending ?? (row?.isHeld ? undefined : 'failed');
      if (ending) endings.set(day, ending);
    }
  }
  return endings;
}

/** In characters: half a year of each resource. */
const MAX_SIZE = 1_000_000;

/**
 * Caches the totals of stored days that were loaded last: a burst of answers needs the same weeks. The store remains the
 * authority: a text is only used for the version of its day that was just found there.
 */
export type TotalsCache = LRUCache<string, string>;

export const createTotalsCache = (): TotalsCache =>
  new LRUCache({ maxSize: MAX_SIZE, sizeCalculation: (totals) => Math.max(1, totals.length) });

const keyOf = (resource: Resource, { day, fingerprint, state, erasures }: FoundDay) =>
  `${resource} ${day} ${fingerprint} ${state} ${erasures}`;

export interface ReadOptions {
  maxAgeMs: number;
  readSince?: Date | undefined;
  isForced?: boolean | undefined;
  /** The columns in use, if the people of each day are needed; otherwise its totals are passed. */
  people?: ColumnsInUse | undefined;
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
  cache: TotalsCache;
  storedPeople: StoredPeople;
  /** Returns the dictionary in which answers of the platform are kept. */
  dictionary: () => Promise<PeopleDictionary>;
}

export function createDayReader(deps: DayReaderDeps): DayReader {
  const { db, source, oneByOne, cache } = deps;
  const { resource } = source;
  const inProgress = new Map<Day, Promise<Reading>>();
  /** For each current query of the store, the readings that were in progress at any time during it. */
  const activeQueries = new Set<typeof inProgress>();
  /** When the platform last reported that it has not published a day. */
  const unpublishedAt = new Map<Day, Date>();

  const inTurn = pLimit(FETCHES_AT_ONCE);
  const shared = createSharedReadings(db, deps.log, resource);
  const fetchDays = (days: readonly Day[]): Promise<Map<Day, NewDay | FoundDay>> =>
    inTurn(async () => {
      const fetched = new Map<Day, NewDay | FoundDay>();
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
      const storedDays = await readStoredDays(db, resource, periodOf(days));
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
    read: async (period, { maxAgeMs, readSince, isForced, people, onProgress }, take) => {
      const now = deps.clock.now();
      const today = dayOf(now);
      const days = daysOf(period).filter((day) => day < today);
      // A day that arrives during the query may be missing from its answer and no longer be in progress.
      const readings = new Map(inProgress);
      const readingOf = (day: Day) => readings.get(day) ?? inProgress.get(day);
      activeQueries.add(readings);
      const storedDays = await readStoredDays(db, resource, period).finally(() => activeQueries.delete(readings));
      const isRecent = (at: Date | undefined) =>
        at !== undefined && (now.getTime() - at.getTime() < maxAgeMs || (readSince !== undefined && at >= readSince));
      const isCurrentInStore = (day: Day) => {
        if (isForced) return false;
        const storedDay = storedDays.get(day);
        // `RETENTION_DAYS` was raised, so the people of the day are needed after all.
        if (storedDay?.state === 'rolled_up') return people === undefined;
        return storedDay?.state === 'settled' || isRecent(storedDay?.readAt);
      };
      const daysToTake = days.filter((day) => isCurrentInStore(day) || !isRecent(unpublishedAt.get(day)));
      const missing = daysToTake.filter((day) => !isCurrentInStore(day));
      const toFetch = missing.filter((day) => readingOf(day) === undefined);
      for (const run of runsOf(toFetch, source.mostDaysAtOnce())) startReading(run);
      let done = days.length - daysToTake.length;
      const finish = () => onProgress?.((done += 1), days.length);
      const daysAtOnce = () => (people ? Math.min(source.mostDaysAtOnce(), MAX_DAYS_AT_ONCE) : MAX_DAYS_AT_ONCE);
      const loadDays = async (run: readonly FoundDay[]): Promise<LoadedDay[]> => {
        if (people && isRowsResource(resource)) {
          const loaded = await loadPeople(deps, resource, run, people.people);
          for (const { places } of loaded.values()) source.notePeople?.(places.length);
          return run.map((each) => ({ ...each, people: loaded.get(each.day) }));
        }
        const loaded = await loadTotals(
          db,
          resource,
          run.map(({ day }) => day),
        );
        return run.map((each) => ({ ...each, totals: loaded.get(each.day) }));
      };
      const takeFrom = async (reading: Promise<Reading> | undefined) => {
        const entry = await reading;
        if (entry)
          await oneByOne(async () => {
            for (const day of 'facts' in entry ? [entry] : await loadDays([entry])) await take(day);
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
        const cached = found.flatMap((each): LoadedDay[] => {
          const columns = isRowsResource(resource) ? people?.get(versionOfPeople(resource, each)) : undefined;
          if (columns) return [{ ...each, people: columns }];
          const totals = people ? undefined : cache.get(keyOf(resource, each));
          return totals === undefined ? [] : [{ ...each, totals }];
        });
        await takeAll(cached);
        const isCached = new Set(cached.map(({ day }) => day));
        const toLoad = found.filter(({ day }) => !isCached.has(day));
        while (toLoad.length > 0) {
          const run = toLoad.splice(0, daysAtOnce());
          const loaded = await oneByOne(() => loadDays(run));
          for (const each of loaded) if (each.totals !== undefined) cache.set(keyOf(resource, each), each.totals);
          await takeAll(loaded);
        }
      };
      await Promise.all([fromPlatform, fromStore()]);
    },
  };
}

/** A day that another process read has no facts: it is in the store. `undefined`: the day is not published. */
type Reading = NewDay | FoundDay | undefined;

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
    const dictionary = await deps.dictionary();
    const fetched = await source.fetch(period, dictionary, hold);
    const entries = new Map<Day, NewDay>();
    for (const [day, facts] of fetched) {
      if (day < period.first || day > period.last) continue;
      const isSettled = dayStateOf(day, true, dayOf(readAt)) === 'settled';
      const state = facts.people && day < since ? 'rolled_up' : isSettled ? 'settled' : 'fresh';
      entries.set(day, { day, state, readAt, facts });
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
