import { createByteBudget } from '../base/work-queue.ts';
import { eachBatch, eachWhileFree } from '../base/time/turns.ts';
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
import type { Resource, RowsResource } from './reading/analytics-day-table.ts';
import {
  type DailyCreditsOptions,
  createDailyCredits,
  createEvidenceReader,
  evidenceForModels,
  watchModels,
  withLeftOutDays,
} from './reading/doubtful-days.ts';
import { type DayReader, type ReadOptions, createDayReader, createTotalsCache } from './reading/day-reader.ts';
import {
  type ReadDay,
  type StoredDay,
  countErasures,
  hasChangedSince,
  peopleOf,
  readStoredDays,
  totalsOf,
  versionOfPeople,
} from './reading/day-store.ts';
import type { DailyCreditsRow, DaysOptions, Part } from './day-facts.ts';
import { createLastEmails } from './person-credits.ts';
import { MAX_BYTES_HELD, createSources, readTotals } from './reading/resources.ts';
import { createToldCredits, withLikelyTotals } from './reading/told-credits.ts';
import { createStoredPeople } from './reading/stored-people.ts';
import { createColumnsCache } from './columns/columns-cache.ts';
import { type PeopleColumns, toColumns, usersOf } from './columns/people-columns.ts';

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
  peopleCredits(period: Period, take: (day: PeopleColumns) => void, options?: DaysOptions): Promise<FoldedDays>;
  /** Passes each person’s row of each day to `take`, in no order; the returned rows are the days that had any. */
  users(period: Period, take: (row: UserRow) => void, options?: DaysOptions): Promise<FoldedDays>;
  changedAfter(period: Period, since: Date): Promise<boolean>;
  /** Returns how the days of a resource were stored, without their facts. */
  stored(resource: Resource, period: Period): Promise<ReadonlyMap<Day, StoredDay>>;
}

/** Rows that are passed in one turn. */
const ROWS_AT_ONCE = 250;

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
  const cache = createTotalsCache();
  const storedPeople = createStoredPeople(deps.db);
  const columns = createColumnsCache(() => sources.tokens.forget?.());
  const columnsInUse = async () => columns.use(await countErasures(deps.db), dayOf(deps.clock.now()));
  const dictionary = async () => (await columnsInUse()).people;
  const beginning = () => beginningOfPeople(dayOf(deps.clock.now()), deps.peopleDays);
  const peopleSince = () => beginning().first;
  const readerOf = (resource: Resource) =>
    createDayReader({
      ...deps,
      source: sources[resource],
      oneByOne,
      budget,
      cache,
      peopleSince,
      storedPeople,
      dictionary,
    });
  const activity = readerOf('activity');
  const tokens = readerOf('tokens');
  const byModel = readerOf('tokens-by-model');
  // Activity shows which days other resources left out, and credits show it for activity: both answers are small.
  const active = createEvidenceReader(activity, deps.log, hasActivity);
  const spent = createEvidenceReader(byModel, deps.log, hasCredits);
  const activeOrSpent = evidenceForModels(active, createEvidenceReader(tokens, deps.log, hasCredits), models);
  const complete = (resource: Resource, readEvidence = active, reader = readerOf(resource)) =>
    withLeftOutDays({ ...deps, storedPeople, reader, source: sources[resource], readEvidence });
  const readers: Record<Resource, DayReader> = {
    tokens: complete('tokens', active, tokens),
    'tokens-by-model': complete('tokens-by-model', activeOrSpent, byModel),
    tools: complete('tools'),
    activity: complete('activity', spent, activity),
    productivity: complete('productivity'),
    users: complete('users'),
  };
  const now = () => deps.clock.now();
  const lastEmails = createLastEmails({ ...deps, storedPeople, columnsInUse });

  const totals =
    <Row extends { date: string }>(resource: Resource, readRow: (totals: string) => Row) =>
    async (period: Period, options?: DaysOptions): Promise<Part<Row>> => {
      const readWith = (read: ReadOptions) =>
        collect(readers[resource], period, read, now, (day) => readRow(totalsOf(day)));
      const age = withAge(options, 0);
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

  /** Passes the people of each day to `take`. */
  const readPeople = async (
    resource: RowsResource,
    period: Period,
    age: Omit<ReadOptions, 'people'>,
    take: (day: PeopleColumns) => Promise<void> | void,
  ) => {
    const people = await columnsInUse();
    return collect(readers[resource], keptPart(period), { ...age, people }, now, async (day) => {
      const version = versionOfPeople(resource, day);
      const known = people.get(version);
      const read = known ?? peopleOf(day) ?? toColumns(day.day, people.people, [], []);
      if (!known) people.keep(version, read);
      await take(await lastEmails.complete(read));
      return day.day;
    });
  };
  const credits = totals('tokens', readTotals.tokens);
  const sumsOverModels = totals('tokens-by-model', readTotals['tokens-by-model']);
  const toldCredits = createToldCredits(deps.db);
  const dailyCredits = createDailyCredits({ sumsOverModels, inFull: credits, models });
  /** What could not be learned is missing from forecasts alone. */
  const withLikely = async (part: Part<DailyCreditsRow>): Promise<Part<DailyCreditsRow>> => {
    if (part.kind !== 'read') return part;
    const today = dayOf(now());
    try {
      return { ...part, rows: withLikelyTotals(part.rows, await toldCredits.learn(part.rows, today), today) };
    } catch (error) {
      deps.log.error({ err: error }, 'What the platform told of fresh days could not be kept');
      return part;
    }
  };
  return {
    credits,
    dailyCredits: async (period, options) => withLikely(await dailyCredits(period, options)),
    tools: totals('tools', readTotals.tools),
    activity: totals('activity', readTotals.activity),
    productivity: totals('productivity', readTotals.productivity),
    beginningOfPeople: beginning,
    peopleCredits: (period, take, options) => readPeople('tokens', period, withAge(options, 0), take),
    users: (period, take, options) =>
      readPeople('users', period, withAge(options, USERS_MAX_AGE_MS), async (day) => {
        for await (const rows of eachWhileFree(eachBatch(usersOf(day), { maxItems: ROWS_AT_ONCE }))) rows.forEach(take);
      }),
    changedAfter: (period, since) => hasChangedSince(deps.db, period, since),
    stored: (resource, period) => readStoredDays(deps.db, resource, period),
  };
}

const hasActivity = (totals: string) => readTotals.activity(totals).daily_active_users !== 0;

const hasCredits = (totals: string) => readTotals['tokens-by-model'](totals).billable_tokens !== 0;

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
