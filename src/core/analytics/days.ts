import { createByteBudget } from '../base/work-queue.ts';
import { eachWhileFree } from '../base/time/turns.ts';
import pLimit from 'p-limit';
import type { Logger } from '../base/log.ts';
import type {
  ActivityRow,
  CreditsRow,
  ProductivityRow,
  ToolsRow,
  UserRow,
} from '../platform/endpoints/analytics-rows.ts';
import type { PlatformClient } from '../platform/client.ts';
import { isPlatformError } from '../platform/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import { type Day, type Period, dayOf } from '../base/time/calendar.ts';
import type { Database } from '../store/tables.ts';
import { type Beginning, beginningOfPeople } from './period.ts';
import type { Resource } from './reading/analytics-day-table.ts';
import {
  type DailyCreditsOptions,
  createDailyCredits,
  createEvidenceReader,
  evidenceForModels,
  watchModels,
  withLeftOutDays,
} from './reading/doubtful-days.ts';
import { type DayReader, type ReadOptions, createDayCache, createDayReader } from './reading/day-reader.ts';
import {
  type ReadDay,
  type StoredDay,
  countErasures,
  firstPart,
  hasChangedSince,
  readStoredDays,
  versionOfPeople,
} from './reading/day-store.ts';
import type { DailyCreditsRow, DaysOptions, Part } from './day-facts.ts';
import { createLastEmails } from './person-credits.ts';
import { MAX_BYTES_HELD, addCredits, createSources, readUsers, readTotals } from './reading/resources.ts';
import { createColumnsCache } from './columns/columns-cache.ts';
import { type CreditsColumns, createCreditsBuilder } from './columns/credits-columns.ts';
import type { PeopleDictionary } from './columns/people-dictionary.ts';

/** The days of rows that were passed to a callback one by one instead of being returned. */
export type FoldedDays = Part<Day>;

/** Caches the platform’s facts: a settled day is read once per installation. A fault becomes an unreadable part. */
export interface AnalyticsDays {
  credits(period: Period, options?: DaysOptions): Promise<Part<CreditsRow>>;
  /** Returns the sums alone, a quarter in one call: for answers that need a long history. */
  dailyCredits(period: Period, options?: DailyCreditsOptions): Promise<Part<DailyCreditsRow>>;
  tools(period: Period, options?: DaysOptions): Promise<Part<ToolsRow>>;
  activity(period: Period, options?: DaysOptions): Promise<Part<ActivityRow>>;
  productivity(period: Period, options?: DaysOptions): Promise<Part<ProductivityRow>>;
  beginningOfPeople(): Beginning;
  /** Passes the credits of people to `take`, one day at a time, in no order. */
  peopleCredits(period: Period, take: (day: CreditsColumns) => void, options?: DaysOptions): Promise<FoldedDays>;
  /** Passes each person’s row of each day to `take`, in no order; the returned rows are the days that had any. */
  users(period: Period, take: (row: UserRow) => void, options?: DaysOptions): Promise<FoldedDays>;
  changedAfter(period: Period, since: Date): Promise<boolean>;
  /** Returns how the days of a resource were stored, without their facts. */
  stored(resource: Resource, period: Period): Promise<ReadonlyMap<Day, StoredDay>>;
}

/** Rows of people on days that may still change are read again after this time. */
const USERS_MAX_AGE_MS = 60_000;

export function createAnalyticsDays(deps: {
  platform: PlatformClient;
  db: Database;
  clock: Clock;
  log: Logger;
  peopleDays: number;
}): AnalyticsDays {
  const models = watchModels(deps.db);
  const sources = createSources(deps.platform.analytics, (row) => models.checkRow(row));
  const oneByOne = pLimit(1);
  const budget = createByteBudget(MAX_BYTES_HELD, { oldestContinues: true });
  const cache = createDayCache();
  const beginning = () => beginningOfPeople(dayOf(deps.clock.now()), deps.peopleDays);
  const peopleSince = () => beginning().first;
  const readerOf = (resource: Resource) =>
    createDayReader({ ...deps, source: sources[resource], oneByOne, budget, cache, peopleSince });
  const activity = readerOf('activity');
  const tokens = readerOf('tokens');
  const byModel = readerOf('tokens-by-model');
  // Activity shows which days other resources left out, and credits show it for activity: both answers are small.
  const active = createEvidenceReader(activity, deps.log, hasActivity);
  const spent = createEvidenceReader(byModel, deps.log, hasCredits);
  const activeOrSpent = evidenceForModels(active, createEvidenceReader(tokens, deps.log, hasCredits), models);
  const complete = (resource: Resource, readEvidence = active, reader = readerOf(resource)) =>
    withLeftOutDays({ ...deps, reader, source: sources[resource], readEvidence });
  const readers: Record<Resource, DayReader> = {
    tokens: complete('tokens', active, tokens),
    'tokens-by-model': complete('tokens-by-model', activeOrSpent, byModel),
    tools: complete('tools'),
    activity: complete('activity', spent, activity),
    productivity: complete('productivity'),
    users: complete('users'),
  };
  const now = () => deps.clock.now();
  const lastEmails = createLastEmails(deps);
  const columns = createColumnsCache(() => sources.tokens.forget?.());

  const totals =
    <Row extends { date: string }>(resource: Resource, readRow: (firstPart: string) => Row) =>
    async (period: Period, options?: DaysOptions): Promise<Part<Row>> => {
      const readWith = (read: ReadOptions) =>
        collect(readers[resource], period, read, now, async (day) => readRow(await firstPart(day)));
      const age = { which: 'first', ...withAge(options, 0) } as const;
      const part = await readWith(age);
      if (part.kind === 'read' || options?.acceptsOlder !== true) return part;
      const older = await readWith({ ...age, maxAgeMs: Number.POSITIVE_INFINITY });
      return older.kind === 'read' ? { ...older, fault: part.fault } : part;
    };

  /** The part of a period whose rows of people are kept; it may be empty. */
  const keptPart = ({ first, last }: Period): Period => {
    const since = peopleSince();
    return { first: first < since ? since : first, last };
  };

  const credits = totals('tokens', readTotals.tokens);
  const sumsOverModels = totals('tokens-by-model', readTotals['tokens-by-model']);
  return {
    credits,
    dailyCredits: createDailyCredits({ sumsOverModels, inFull: credits, models }),
    tools: totals('tools', readTotals.tools),
    activity: totals('activity', readTotals.activity),
    productivity: totals('productivity', readTotals.productivity),
    beginningOfPeople: beginning,
    peopleCredits: async (period, take, options) => {
      const { get, keep, people: dictionary } = columns.use(await countErasures(deps.db), dayOf(deps.clock.now()));
      const read: ReadOptions = { which: 'all', find: (day) => get(versionOfPeople(day)), ...withAge(options, 0) };
      return collect(readers.tokens, keptPart(period), read, now, async (day) => {
        const version = versionOfPeople(day);
        const known = ('columns' in day ? day.columns : undefined) ?? get(version);
        const ofDay = known ?? (await creditsOf(day, dictionary));
        if (!known) keep(version, ofDay);
        take(await lastEmails.completeDay(ofDay));
        return day.day;
      });
    },
    users: (period, take, options) => {
      const read = { which: 'all', ...withAge(options, USERS_MAX_AGE_MS) } as const;
      return collect(readers.users, keptPart(period), read, now, async ({ day, parts }) => {
        for await (const [place, part] of partsOfPeople(parts))
          for (const row of await lastEmails.complete(readUsers(part, place))) take(row);
        return day;
      });
    },
    changedAfter: (period, since) => hasChangedSince(deps.db, period, since),
    stored: (resource, period) => readStoredDays(deps.db, resource, period),
  };
}

/** The parts of a day after the first, with their places. */
async function* partsOfPeople(parts: ReadDay['parts']): AsyncGenerator<[place: number, part: string]> {
  let place = 0;
  for await (const part of eachWhileFree(parts)) {
    if (place > 0) yield [place, part];
    place += 1;
  }
}

async function creditsOf({ day, parts }: ReadDay, people: PeopleDictionary): Promise<CreditsColumns> {
  const builder = createCreditsBuilder(people);
  for await (const [, part] of partsOfPeople(parts)) addCredits(part, builder);
  return builder.finish(day);
}

const hasActivity = (part: string) => readTotals.activity(part).daily_active_users !== 0;

const hasCredits = (part: string) => readTotals['tokens-by-model'](part).billable_tokens !== 0;

function withAge({ maxAgeMs, readSince, isForced, onProgress }: DaysOptions = {}, defaultMs: number) {
  return { maxAgeMs: maxAgeMs ?? defaultMs, readSince, isForced, onProgress };
}

async function collect<Row>(
  reader: DayReader,
  period: Period,
  options: ReadOptions,
  now: () => Date,
  rowOf: (entry: ReadDay) => Row | Promise<Row>,
): Promise<Part<Row>> {
  const rows: { day: Day; row: Row }[] = [];
  let readAt = now();
  if (period.first > period.last) return { kind: 'read', rows: [], readAt };
  try {
    await reader.read(period, options, async (entry) => {
      rows.push({ day: entry.day, row: await rowOf(entry) });
      if (entry.state === 'fresh' && entry.readAt < readAt) readAt = entry.readAt;
    });
  } catch (error) {
    if (isPlatformError(error)) return { kind: 'unreadable', fault: error };
    throw error;
  }
  rows.sort((a, b) => (a.day < b.day ? -1 : 1));
  return { kind: 'read', rows: rows.map(({ row }) => row), readAt };
}
