import { batchesOf, eachInTurns, eachWhileFree } from '../../base/time/turns.ts';
import { memoizeByText } from '../../base/memoize-by-text.ts';
import pLimit from 'p-limit';
import type { z } from 'zod';
import { LRUCache } from 'lru-cache';
import type { Analytics, SeenBody } from '../../platform/endpoints/analytics.ts';
import {
  type ActivityRow,
  type CreditsRow,
  type Envelope,
  type TokensRow,
  type ToolsRow,
  activityRow,
  creditsRow,
  productivityRow,
  toolsRow,
} from '../../platform/endpoints/analytics-rows.ts';
import type { ByteHold } from '../../base/work-queue.ts';
import { type Day, type Period, daysOf, lengthOf } from '../../base/time/calendar.ts';
import { isPlatformError } from '../../platform/errors.ts';
import type { DailyCreditsRow } from '../day-facts.ts';
import type { Resource } from './analytics-day-table.ts';
import { createCreditsBuilder, createUsersBuilder, sizeOf } from '../columns/people-columns.ts';
import type { PeopleDictionary } from '../columns/people-dictionary.ts';
import { type DayFacts, createFingerprint, totalsAlone } from './day-store.ts';
import { encodeUser } from './user-codec.ts';
import type { AnalyticsPeriod } from '../../platform/endpoints/analytics-range.ts';

export interface DaySource {
  resource: Resource;
  /** The number of days that are read together: fewer if a day has very many people. */
  mostDaysAtOnce(): number;
  /**
   * Reads a period from the platform; a day that is missing from the result is not published.
   * @param hold for the rows of people, which the caller holds until they are stored
   */
  fetch(period: Period, people: PeopleDictionary, hold: ByteHold): Promise<ReadonlyMap<Day, DayFacts>>;
  /** Forgets what it keeps of earlier answers, which may name somebody who was erased. */
  forget?(): void;
  /** Learns the number of people of a day that was stored before. */
  notePeople?(count: number): void;
  zeroDay: (day: Day) => DayFacts;
}

/** The document names no longest period. Totals are small; a week of `/tokens` with all people is megabytes. */
const MAX_DAYS_OF_TOTALS = 92;

const MAX_DAYS_OF_TOKENS = 7;

/** Rows of people that are read or loaded together: a week of 3,400 people, or a day of 24,000. */
const ROWS_AT_ONCE = 24_000;

/** While an answer of `/tokens` is read, or a page of `/users` waits for the others. In bytes. */
const HEAP_A_ROW = 200;

/** Rows of people that are on their way from the platform to the store, over all readings. */
export const MAX_BYTES_HELD = 32_000_000;

/** The number of people whose texts are hashed at a time. */
const PEOPLE_A_PART = 250;

/** Returns the source of each resource’s facts. @param onCredits called with each day of `/tokens` that arrives */
export function createSources(analytics: Analytics, onCredits: (row: CreditsRow) => void): Record<Resource, DaySource> {
  return {
    tokens: tokensSource(analytics, onCredits),
    'tokens-by-model': {
      resource: 'tokens-by-model',
      mostDaysAtOnce: () => MAX_DAYS_OF_TOTALS,
      fetch: (period) => fetchDailyCredits(analytics, period),
      zeroDay: zeroDayOf((date): DailyCreditsRow => ({ date, billable_tokens: 0 })),
    },
    tools: totals('tools', noTools, async (range) => withToolNames(analytics, range, await analytics.tools(range))),
    activity: totals('activity', noActivity, async (range) =>
      withClients(analytics, range, await analytics.activity(range)),
    ),
    productivity: totals('productivity', noOutput, (range) => analytics.productivity(range)),
    users: {
      resource: 'users',
      mostDaysAtOnce: () => 1,
      fetch: (period, people, hold) => fetchUsers(analytics, period, people, hold),
      zeroDay: () => totalsAlone('{}'),
    },
  };
}

const noCredits = (date: Day): z.input<typeof creditsRow> => ({
  date,
  billable_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  by_model: [],
});

const noTools = (date: Day): z.input<typeof toolsRow> => ({
  date,
  tool_calls: 0,
  by_tool: [],
  mcp_users_with_mcp: 0,
  mcp_by_server: [],
  skills_invocations: 0,
  skills_by_name: [],
  slash_commands_invocations: 0,
  slash_commands_by_name: [],
  hooks_invocations: 0,
  hooks_by_event: [],
  web_users: 0,
});

/** A day that is left out does not show who was active in the days before. */
const noActivity = (date: Day): z.input<typeof activityRow> => ({
  date,
  daily_active_users: 0,
  weekly_active_users: null,
  monthly_active_users: null,
  daily_active_users_by_client: {},
  sessions: 0,
  messages: 0,
  user_messages: 0,
});

const noOutput = (date: Day): z.input<typeof productivityRow> => ({
  date,
  files_created: 0,
  files_edited: 0,
  by_extension: [],
  by_language: [],
  git_commits: 0,
  git_prs_created: 0,
});

const rangeOf = ({ first, last }: Period) => ({ startDate: first, endDate: last });

type FetchRows = (range: { startDate: string; endDate: string }) => Promise<{ data: readonly { date: string }[] }>;

const zeroDayOf =
  (nothingOn: (date: Day) => object) =>
  (day: Day): DayFacts =>
    totalsAlone(JSON.stringify(nothingOn(day)));

function totals(resource: Resource, nothingOn: (date: Day) => object, fetchRows: FetchRows): DaySource {
  return {
    resource,
    zeroDay: zeroDayOf(nothingOn),
    mostDaysAtOnce: () => MAX_DAYS_OF_TOTALS,
    fetch: async (period) => {
      const { data } = await fetchRows(rangeOf(period));
      return new Map(data.map((row) => [row.date, totalsAlone(JSON.stringify(row))]));
    },
  };
}

/** A call answers with all people of its days at once, so their number has to be known before. */
function tokensSource(analytics: Analytics, onCredits: (row: CreditsRow) => void): DaySource {
  let mostPeople: number | undefined;
  const untilSizeIsKnown = pLimit(1);
  const notePeople = (count: number) => {
    mostPeople = Math.max(mostPeople ?? 0, count);
  };
  let lastAnswers = createLastAnswers();
  const fetchOnce = async (period: Period, people: PeopleDictionary) => {
    const days = await fetchTokens(analytics, period, people, onCredits, lastAnswers);
    for (const { people: columns } of days.values()) notePeople(columns?.places.length ?? 0);
    return days;
  };
  const fetchDays = async (period: Period, people: PeopleDictionary) => {
    try {
      return await fetchOnce(period, people);
    } catch (error) {
      if (!(isPlatformError(error) && error.isTooLarge) || period.first === period.last) throw error;
      const days = new Map<Day, DayFacts>();
      for (const day of daysOf(period))
        for (const [date, facts] of await fetchOnce({ first: day, last: day }, people)) days.set(date, facts);
      return days;
    }
  };
  return {
    resource: 'tokens',
    zeroDay: zeroDayOf(noCredits),
    notePeople,
    forget: () => (lastAnswers = createLastAnswers()),
    mostDaysAtOnce: () => Math.max(1, Math.min(MAX_DAYS_OF_TOKENS, Math.floor(ROWS_AT_ONCE / (mostPeople || 1)))),
    fetch: async (period, people, hold) => {
      const first = await untilSizeIsKnown(async () =>
        mostPeople === undefined ? fetchDays(period, people) : undefined,
      );
      if (first) return first;
      await hold.take((mostPeople ?? 0) * lengthOf(period) * HEAP_A_ROW);
      return fetchDays(period, people);
    },
  };
}

/** The days that may still change are read again for every command, and mostly have not changed. */
interface LastAnswer {
  body: SeenBody;
  days: Map<Day, DayFacts>;
}

/** In bytes: three days of 100,000 people. */
const MAX_SIZE_OF_LAST_ANSWERS = 8_000_000;

const createLastAnswers = () =>
  new LRUCache<string, LastAnswer>({
    maxSize: MAX_SIZE_OF_LAST_ANSWERS,
    sizeCalculation: ({ days }) => days.values().reduce((sum, { people }) => sum + (people ? sizeOf(people) : 0), 1),
  });

async function fetchTokens(
  analytics: Analytics,
  period: Period,
  people: PeopleDictionary,
  onCredits: (row: CreditsRow) => void,
  lastAnswers: ReturnType<typeof createLastAnswers>,
): Promise<Map<Day, DayFacts>> {
  const range = rangeOf(period);
  const key = `${period.first} ${period.last}`;
  const last = lastAnswers.get(key);
  const { body, answer } = await analytics.changedTokens(range, last?.body);
  if (answer === undefined) return last?.days ?? new Map();
  const { data } = await withModels(analytics, range, answer);
  const days = new Map<Day, DayFacts>();
  // In one turn, a week of thousands of people would block all other work.
  for await (const { by_user: byUser, ...row } of eachInTurns(data)) {
    onCredits(row);
    const totals = JSON.stringify(row);
    const fingerprint = createFingerprint(totals);
    const builder = createCreditsBuilder(people);
    // The texts of rows in which earlier versions stored them: a day that has not changed keeps its fingerprint.
    for await (const some of eachWhileFree(batchesOf(byUser, { maxItems: PEOPLE_A_PART }))) {
      const rows = some.map(
        ({ user_id: id, user_email: email, billable_tokens: credits }) => [id, email, credits] as const,
      );
      fingerprint.add(JSON.stringify(rows));
      for (const each of rows) builder.add(each);
    }
    days.set(row.date, { totals, people: builder.finish(row.date), fingerprint: fingerprint.finish() });
  }
  // Models that were missing may have arrived since, in an answer of their own.
  if (data === answer.data) lastAnswers.set(key, { body, days });
  return days;
}

/** Rows of models name no people, so a quarter of them is a small answer too. */
async function fetchDailyCredits(analytics: Analytics, period: Period): Promise<Map<Day, DayFacts>> {
  const { data } = await analytics.tokensByModel(rangeOf(period));
  const sums = new Map<Day, number>();
  for (const row of data) sums.set(row.date, (sums.get(row.date) ?? 0) + row.billable_tokens);
  return new Map(
    [...sums].map(([date, billable_tokens]) => [
      date,
      totalsAlone(JSON.stringify({ date, billable_tokens } satisfies DailyCreditsRow)),
    ]),
  );
}

async function fetchUsers(
  analytics: Analytics,
  period: Period,
  people: PeopleDictionary,
  hold: ByteHold,
): Promise<Map<Day, DayFacts>> {
  const days = new Map<Day, DayFacts>();
  for (const day of daysOf(period)) {
    const fingerprint = createFingerprint('{}');
    const builder = createUsersBuilder(people);
    for await (const page of analytics.userPages({ startDate: day, endDate: day })) {
      for (const row of page) {
        fingerprint.add(encodeUser(row));
        builder.add(row);
      }
      await hold.take(page.length * HEAP_A_ROW);
    }
    const columns = builder.finish(day);
    // No rows may mean no active people or a missing batch: the activity of the day decides.
    if (columns.places.length > 0) days.set(day, { totals: '{}', people: columns, fingerprint: fingerprint.finish() });
  }
  return days;
}

/** A quarter of days with many models and tools. */
const TOTALS_REMEMBERED = 500_000;

const totalsReader = <Row extends object>(schema: z.ZodType<Row>) =>
  memoizeByText((part): Readonly<Row> => schema.parse(JSON.parse(part)), TOTALS_REMEMBERED);

/** Read the first part of a day. */
export const readTotals = {
  tokens: totalsReader(creditsRow),
  'tokens-by-model': totalsReader(creditsRow.pick({ date: true, billable_tokens: true })),
  tools: totalsReader(toolsRow),
  activity: totalsReader(activityRow),
  productivity: totalsReader(productivityRow),
};

const lacksTools = (row: ToolsRow) => row.by_tool.length === 0 && row.tool_calls > 0;

const lacksClients = (row: ActivityRow) =>
  Object.keys(row.daily_active_users_by_client).length === 0 && row.daily_active_users > 0;

const lacksModels = (row: TokensRow) => row.by_model.length === 0 && row.billable_tokens > 0;

/** Fills in the rows that lack a breakdown; the grouped rows are read only if one does. */
async function filled<Row extends { date: string }, Grouped extends { date: string }>(
  answer: Envelope<Row>,
  lacks: (row: Row) => boolean,
  readGrouped: () => Promise<Envelope<Grouped>>,
  fill: (rows: readonly Grouped[]) => Partial<Row>,
): Promise<Envelope<Row>> {
  if (!answer.data.some(lacks)) return answer;
  const grouped = Map.groupBy((await readGrouped()).data, ({ date }) => date);
  const data = answer.data.map((row) => (lacks(row) ? { ...row, ...fill(grouped.get(row.date) ?? []) } : row));
  return { ...answer, data };
}

/** Adds the missing tools of days from `group_by=tool_name`. */
export const withToolNames = (
  analytics: Pick<Analytics, 'toolsByName'>,
  range: AnalyticsPeriod,
  answer: Envelope<ToolsRow>,
): Promise<Envelope<ToolsRow>> =>
  filled(
    answer,
    lacksTools,
    () => analytics.toolsByName(range),
    (rows) => ({
      by_tool: rows.map((one) => ({ tool: one.group_key, invocations: one.tool_calls })),
    }),
  );

/** Adds the missing clients of days from `group_by=client`. */
export const withClients = (
  analytics: Pick<Analytics, 'activityByClient'>,
  range: AnalyticsPeriod,
  answer: Envelope<ActivityRow>,
): Promise<Envelope<ActivityRow>> =>
  filled(
    answer,
    lacksClients,
    () => analytics.activityByClient(range),
    (rows) => ({
      daily_active_users_by_client: Object.fromEntries(rows.map((one) => [one.group_key, one.daily_active_users])),
    }),
  );

/** Adds the missing models of days from `group_by=model`, which has no tiers. */
export const withModels = (
  analytics: Pick<Analytics, 'tokensByModel'>,
  range: AnalyticsPeriod,
  answer: Envelope<TokensRow>,
): Promise<Envelope<TokensRow>> =>
  filled(
    answer,
    lacksModels,
    () => analytics.tokensByModel(range),
    (rows) => ({
      by_model: rows.map(({ group_key, billable_tokens, input_tokens, output_tokens }) => ({
        model_id: group_key,
        model_tier: null,
        billable_tokens,
        input_tokens,
        output_tokens,
      })),
    }),
  );
