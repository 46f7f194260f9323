import { nextTurn } from '../../base/time/turns.ts';
import pLimit from 'p-limit';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { dayOf, daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import type { Database } from '../../store/tables.ts';
import { dayStateOf } from '../day-state.ts';
import { keepDays, keptDays, loadParts, type ReadDay } from './day-store.ts';
import type { DaySource } from './resources.ts';
import { withoutErased } from './without-erased.ts';

export interface ReadOptions {
  /** What may still change is read again when it was read longer ago than this. */
  maxAgeMs: number;
  /** Only the first part of each day is wanted: the totals. */
  which: 'first' | 'all';
  onProgress?: ((done: number, days: number) => void) | undefined;
}

/** Reads days of one resource: settled ones from the store, others from the platform, each once however many ask. */
export interface DayReader {
  /**
   * Gives each published day of the period to `take`, one at a time and in no order, so that the whole is never in memory.
   *
   * @throws PlatformError if a day could not be read
   */
  read(period: Period, options: ReadOptions, take: (entry: ReadDay) => void | Promise<void>): Promise<void>;
}

/**
 * As many as there are connections to the platform. Were all days of a period begun at once, all would be half-read in memory
 * together and be done together, with everything that follows left to the end.
 */
const FETCHES_AT_ONCE = 12;

/** Days that are loaded together; of a resource whose days are large, no more than are asked for together. */
const MAX_DAYS_AT_ONCE = 31;

export interface DayReaderDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  source: DaySource;
  /** The first day of which figures of people are kept. */
  peopleSince: () => Day;
  /** Lets one piece of heavy work begin when the one before is done: twelve days that arrive together would hold the process up. */
  oneByOne: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export function createDayReader(deps: DayReaderDeps): DayReader {
  const { db, source, oneByOne } = deps;
  const underWay = new Map<Day, Promise<ReadDay | undefined>>();
  /** What was under way for each of those who ask the store now, since they began. */
  const looking = new Set<typeof underWay>();
  /** When the platform last said that it has not published a day. */
  const unpublishedAt = new Map<Day, Date>();

  const inTurn = pLimit(FETCHES_AT_ONCE);
  const fetchDays = (days: readonly Day[]): Promise<Map<Day, ReadDay>> =>
    inTurn(() => fetchAndKeep(deps, { first: days[0] ?? '', last: days.at(-1) ?? '' }));
  const startReading = (days: readonly Day[]) => {
    const startedAt = deps.clock.now();
    const fetched = fetchDays(days);
    for (const day of days) {
      const entry = fetched.then((found) => {
        if (found.has(day)) unpublishedAt.delete(day);
        else unpublishedAt.set(day, startedAt);
        return found.get(day);
      });
      for (const readings of [underWay, ...looking]) readings.set(day, entry);
      const forget = () => {
        if (underWay.get(day) === entry) underWay.delete(day);
      };
      entry.then(forget, forget);
    }
  };

  return {
    read: async (period, { maxAgeMs, which, onProgress }, take) => {
      const now = deps.clock.now();
      const days = daysOf(period).filter((day) => day < dayOf(now));
      // What arrives while the store is asked may be missing from its answer, and is no longer under way by then.
      const readings = new Map(underWay);
      const readingOf = (day: Day) => readings.get(day) ?? underWay.get(day);
      looking.add(readings);
      const kept = await keptDays(db, source.resource, period).finally(() => looking.delete(readings));
      const isRecent = (at: Date | undefined) => at !== undefined && now.getTime() - at.getTime() < maxAgeMs;
      const isKept = (day: Day) => {
        const known = kept.get(day);
        // Its people are asked for after all: `RETENTION_DAYS` was raised.
        if (known?.state === 'rolled_up') return which === 'first';
        return known?.state === 'settled' || isRecent(known?.readAt);
      };
      const wanted = days.filter((day) => isKept(day) || !isRecent(unpublishedAt.get(day)));
      const missing = wanted.filter((day) => !isKept(day));
      const toFetch = missing.filter((day) => readingOf(day) === undefined);
      for (const run of runsOf(toFetch, source.mostDaysPerCall)) startReading(run);
      let done = days.length - wanted.length;
      const finish = () => onProgress?.((done += 1), days.length);
      const takeFrom = async (reading: Promise<ReadDay | undefined> | undefined) => {
        const entry = await reading;
        if (entry) await oneByOne(async () => take(entry));
        finish();
      };
      // All are taken hold of before anything is waited for: a reading forgets itself as soon as it is done.
      const fromPlatform = Promise.all(missing.map((day) => takeFrom(readingOf(day))));
      const fromStore = async () => {
        const daysAtOnce = which === 'first' ? MAX_DAYS_AT_ONCE : Math.min(source.mostDaysPerCall, MAX_DAYS_AT_ONCE);
        for (const run of runsOf(wanted.filter(isKept), daysAtOnce)) {
          const parts = await oneByOne(() => loadParts(db, source.resource, run, which));
          for (const day of run) {
            const known = kept.get(day);
            await oneByOne(async () => {
              if (known) await take({ ...known, parts: parts.get(day) ?? [] });
              await nextTurn();
            });
            finish();
          }
        }
      };
      await Promise.all([fromPlatform, fromStore()]);
    },
  };
}

async function fetchAndKeep(deps: DayReaderDeps, period: Period): Promise<Map<Day, ReadDay>> {
  const { clock, source, oneByOne } = deps;
  // The earlier of both: what was asked for before midnight is not the settled answer of the day after.
  const readAt = clock.now();
  const since = deps.peopleSince();
  const found = await source.fetch(period);
  const entries = new Map<Day, ReadDay>();
  for (const [day, encoded] of found) {
    if (day < period.first || day > period.last) continue;
    const isSettled = dayStateOf(day, true, dayOf(readAt)) === 'settled';
    const state = encoded.length > 1 && day < since ? 'rolled_up' : isSettled ? 'settled' : 'fresh';
    entries.set(day, { day, state, readAt, parts: encoded });
  }
  const read = await withoutErased(deps.db, [...entries.values()]);
  await oneByOne(() => keepDays(deps, source.resource, read));
  return new Map(read.map((entry) => [entry.day, entry]));
}

/** Days that follow each other, at most so many together, oldest first. */
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
