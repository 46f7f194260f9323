import pLimit from 'p-limit';
import { createCache } from '../base/cache.ts';
import { ROUNDING } from '../base/text/numbers.ts';
import type { Clock } from '../base/time/clock.ts';
import { daysOf, type Day, type Period } from '../base/time/calendar.ts';
import type { DailyCreditsRow, Part } from './day-facts.ts';
import type { AnalyticsDays } from './days.ts';
import type { Resource } from './reading/analytics-day-table.ts';

/** One check of a period in this time, shared by everyone who asks. */
export const CHECK_EVERY_MS = 10 * 60_000;
export const MAX_CHECKED_DAYS = 31;

export interface DayCheck {
  period: Period;
  resources: readonly Resource[];
  /** Whether rows of people are read too; otherwise sums are, and whole days only where a sum differs. */
  withPeople: boolean;
}

export interface DayChecks {
  /**
   * Reads days from the platform again, settled ones too, and stores them: a difference corrects what was posted.
   * @returns when they were read
   * @throws PlatformError if a day cannot be read
   */
  readAgain(check: DayCheck): Promise<Date>;
  /** The number of readings so far: answers that were shared before the latest one are outdated. */
  count: () => number;
}

/** What the replicas know of each other’s checks. */
export interface SharedChecks {
  /** Returns when a check of this key was made by any replica; undefined if none is known. */
  lastAt(key: string): Promise<Date | undefined>;
  /** @returns whether this replica may make the check: no other one is making it */
  claim(key: string, now: Date, leaseMs: number): Promise<boolean>;
  /** Ends a claim. @param at undefined if the check failed */
  finish(key: string, at: Date | undefined): Promise<void>;
}

/** A replica that stopped during a check holds it for so long. */
const LEASE_MS = 3 * 60_000;
/** Callers within this time share one promise. */
const SAME_TIME_MS = 5_000;
/** Between two questions whether another replica has made the check. */
const PAUSE_MS = 500;

type CheckedDays = Pick<AnalyticsDays, 'credits' | 'dailyCredits' | 'tools' | 'activity' | 'productivity' | 'users'>;
interface CheckKey {
  reading: Reading;
  period: Period;
}

const idOf = ({ reading, period: { first, last } }: CheckKey) => `${reading} ${first}..${last}`;

type Reading = Exclude<Resource, 'tokens-by-model'> | 'sums';

export function createDayChecks({
  days,
  clock,
  shared,
}: {
  days: CheckedDays;
  clock: Clock;
  shared: SharedChecks;
}): DayChecks {
  // Different periods are read one after another, since each may take a month of people.
  const inTurn = pLimit(1);
  let readings = 0;
  const read = async ({ reading, period }: CheckKey) => {
    const at = clock.now();
    await READINGS[reading](days, period).finally(() => (readings += 1));
    return at;
  };
  /** Makes the check, or returns the time of the one that another replica made. */
  const readOnce = async (key: CheckKey): Promise<Date> => {
    const id = idOf(key);
    const lastAt = async () => {
      const at = await shared.lastAt(id);
      return at && clock.now().getTime() - at.getTime() < CHECK_EVERY_MS ? at : undefined;
    };
    for (;;) {
      const earlier = await lastAt();
      if (earlier) return earlier;
      if (await shared.claim(id, clock.now(), LEASE_MS)) break;
      await clock.sleep(PAUSE_MS);
    }
    let at: Date | undefined;
    try {
      // Another replica may have finished between the question and the claim.
      at = (await lastAt()) ?? (await inTurn(() => read(key)));
      return at;
    } finally {
      await shared.finish(id, at);
    }
  };
  // The store decides how long a check counts.
  const checks = createCache(clock, SAME_TIME_MS, readOnce, { idOf, maxEntries: 1_000 });
  return {
    readAgain: async ({ period, resources, withPeople }) => {
      const needed = new Set(resources.map((resource) => readingOf(resource, withPeople)));
      const times = await Promise.all([...needed].map((reading) => checks.get({ reading, period })));
      return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? clock.now();
    },
    count: () => readings,
  };
}

function readingOf(resource: Resource, withPeople: boolean): Reading {
  if (resource === 'tokens-by-model') return 'sums';
  return resource === 'tokens' && !withPeople ? 'sums' : resource;
}

const AGAIN = { isForced: true } as const;

const READINGS: Record<Reading, (days: CheckedDays, period: Period) => Promise<void>> = {
  sums: readSums,
  tokens: async (days, period) => {
    rowsOf(await days.credits(period, AGAIN));
    // The usual ranges and the forecast are computed from these stored sums.
    rowsOf(await days.dailyCredits(period, AGAIN));
  },
  tools: async (days, period) => void rowsOf(await days.tools(period, AGAIN)),
  activity: async (days, period) => void rowsOf(await days.activity(period, AGAIN)),
  productivity: async (days, period) => void rowsOf(await days.productivity(period, AGAIN)),
  users: async (days, period) => void rowsOf(await days.users(period, () => {}, AGAIN)),
};

async function readSums(days: CheckedDays, period: Period): Promise<void> {
  const stored = rowsOf(await days.credits(period, { maxAgeMs: Number.POSITIVE_INFINITY }));
  const sums = rowsOf(await days.dailyCredits(period, AGAIN));
  for (const day of differingDays(stored, sums, period)) rowsOf(await days.credits({ first: day, last: day }, AGAIN));
}

/** The days whose credits differ by more than the rounding of sums over models, oldest first. Pure. */
export function differingDays(
  one: readonly DailyCreditsRow[],
  other: readonly DailyCreditsRow[],
  period: Period,
): Day[] {
  const [before, after] = [one, other].map((rows) => new Map(rows.map((row) => [row.date, row.billable_tokens])));
  return daysOf(period).filter((day) => {
    const [was, is] = [before?.get(day), after?.get(day)];
    if (was === undefined || is === undefined) return was !== is;
    return Math.abs(was - is) > Math.max(Math.abs(was), Math.abs(is)) * ROUNDING;
  });
}

function rowsOf<Row>(part: Part<Row>): readonly Row[] {
  if (part.kind === 'unreadable') throw part.fault;
  return part.rows;
}
