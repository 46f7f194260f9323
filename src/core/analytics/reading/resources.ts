import { batchesOf, eachInTurns } from '../../base/time/turns.ts';
import { memoizeByText } from '../../base/memoize-by-text.ts';
import pLimit from 'p-limit';
import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import type { Analytics, SeenBody } from '../../platform/endpoints/analytics.ts';
import {
  type ActivityRow,
  type CreditsRow,
  type Envelope,
  type PersonDayCredits,
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
import type { CreditsBuilder } from '../columns/credits-columns.ts';
import { DayParts } from './day-store.ts';
import { decodeUsers, encodeUser } from './user-codec.ts';
import type { AnalyticsPeriod } from '../../platform/endpoints/analytics-range.ts';

export interface DaySource {
  resource: Resource;
  /** The number of days that are read together: fewer if a day has very many people. */
  mostDaysAtOnce(): number;
  /**
   * Reads a period from the platform; a day that is missing from the result is not published.
   * @param hold for the rows of people, which the caller holds until they are stored
   */
  fetch(period: Period, hold: ByteHold): Promise<ReadonlyMap<Day, DayParts>>;
  /** Forgets what it keeps of earlier answers, which may name somebody who was erased. */
  forget?(): void;
  /** Learns the size of a day that was stored before, in characters. */
  noteSize?(size: number): void;
  zeroDay: (day: Day) => DayParts;
}

/** The document names no longest period. Totals are small; a week of `/tokens` with all people is megabytes. */
const MAX_DAYS_OF_TOTALS = 92;

const MAX_DAYS_OF_TOKENS = 7;

/** Rows of people that are read or loaded together: a week of 3,000 people, or a day of 20,000. */
const MAX_BYTES_AT_ONCE = 1_000_000;

/** While an answer is read, its rows take this many times the bytes that are stored. */
const HEAP_A_BYTE = 4;

/** Rows of people that are on their way from the platform to the store, over all readings. */
export const MAX_BYTES_HELD = 32_000_000;

/** The number of people decoded at a time: this takes a millisecond, and the text is small enough to copy cheaply. */
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
      fetch: (period, hold) => fetchUsers(analytics, period, hold),
      zeroDay: () => DayParts.of('{}'),
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
  (day: Day): DayParts =>
    DayParts.of(JSON.stringify(nothingOn(day)));

function totals(resource: Resource, nothingOn: (date: Day) => object, fetchRows: FetchRows): DaySource {
  return {
    resource,
    zeroDay: zeroDayOf(nothingOn),
    mostDaysAtOnce: () => MAX_DAYS_OF_TOTALS,
    fetch: async (period) => {
      const { data } = await fetchRows(rangeOf(period));
      return new Map(data.map((row) => [row.date, DayParts.of(JSON.stringify(row))]));
    },
  };
}

/** A call answers with all people of its days at once, so their size has to be known before. */
function tokensSource(analytics: Analytics, onCredits: (row: CreditsRow) => void): DaySource {
  let largestDayBytes: number | undefined;
  const untilSizeIsKnown = pLimit(1);
  const noteSize = (size: number) => {
    largestDayBytes = Math.max(largestDayBytes ?? 0, size);
  };
  let lastAnswers = createLastAnswers();
  const fetchOnce = async (period: Period) => {
    const encodedDays = await fetchTokens(analytics, period, onCredits, lastAnswers);
    for (const { size } of encodedDays.values()) noteSize(size);
    return encodedDays;
  };
  const fetchDays = async (period: Period) => {
    try {
      return await fetchOnce(period);
    } catch (error) {
      if (!(isPlatformError(error) && error.isTooLarge) || period.first === period.last) throw error;
      const encodedDays = new Map<Day, DayParts>();
      for (const day of daysOf(period))
        for (const [date, encoded] of await fetchOnce({ first: day, last: day })) encodedDays.set(date, encoded);
      return encodedDays;
    }
  };
  return {
    resource: 'tokens',
    zeroDay: zeroDayOf(noCredits),
    noteSize,
    forget: () => (lastAnswers = createLastAnswers()),
    mostDaysAtOnce: () =>
      Math.max(1, Math.min(MAX_DAYS_OF_TOKENS, Math.floor(MAX_BYTES_AT_ONCE / (largestDayBytes ?? 1)))),
    fetch: async (period, hold) => {
      const first = await untilSizeIsKnown(async () => (largestDayBytes === undefined ? fetchDays(period) : undefined));
      if (first) return first;
      await hold.take((largestDayBytes ?? 0) * lengthOf(period) * HEAP_A_BYTE);
      return fetchDays(period);
    },
  };
}

/** The days that may still change are read again for every command, and mostly have not changed. */
interface LastAnswer {
  body: SeenBody;
  encodedDays: Map<Day, DayParts>;
}

/** In characters, before they are compressed: three days of 70,000 people. */
const MAX_SIZE_OF_LAST_ANSWERS = 8_000_000;

const createLastAnswers = () =>
  new LRUCache<string, LastAnswer>({
    maxSize: MAX_SIZE_OF_LAST_ANSWERS,
    sizeCalculation: ({ encodedDays }) =>
      Math.max(
        1,
        encodedDays.values().reduce((sum, { size }) => sum + size, 0),
      ),
  });

async function fetchTokens(
  analytics: Analytics,
  period: Period,
  onCredits: (row: CreditsRow) => void,
  lastAnswers: ReturnType<typeof createLastAnswers>,
): Promise<Map<Day, DayParts>> {
  const range = rangeOf(period);
  const key = `${period.first} ${period.last}`;
  const last = lastAnswers.get(key);
  const { body, answer } = await analytics.changedTokens(range, last?.body);
  if (answer === undefined) return last?.encodedDays ?? new Map();
  const { data } = await withModels(analytics, range, answer);
  const encodedDays = new Map<Day, DayParts>();
  // In one turn, a week of thousands of people would block all other work.
  for await (const { by_user, ...row } of eachInTurns(data)) {
    onCredits(row);
    encodedDays.set(row.date, DayParts.of(JSON.stringify(row), ...inParts(by_user.map(encodePerson))));
  }
  // Models that were missing may have arrived since, in an answer of their own.
  if (data === answer.data) lastAnswers.set(key, { body, encodedDays });
  return encodedDays;
}

/** Rows of models name no people, so a quarter of them is a small answer too. */
async function fetchDailyCredits(analytics: Analytics, period: Period): Promise<Map<Day, DayParts>> {
  const { data } = await analytics.tokensByModel(rangeOf(period));
  const sums = new Map<Day, number>();
  for (const row of data) sums.set(row.date, (sums.get(row.date) ?? 0) + row.billable_tokens);
  return new Map(
    [...sums].map(([date, billable_tokens]) => [
      date,
      DayParts.of(JSON.stringify({ date, billable_tokens } satisfies DailyCreditsRow)),
    ]),
  );
}

async function fetchUsers(analytics: Analytics, period: Period, hold: ByteHold): Promise<Map<Day, DayParts>> {
  const encodedDays = new Map<Day, DayParts>();
  for (const day of daysOf(period)) {
    const parts = DayParts.of('{}');
    let rows: string[] = [];
    const endPart = async () => {
      const part = `[${rows.join(',')}]`;
      rows = [];
      await hold.take(parts.push(part));
    };
    for await (const page of analytics.userPages({ startDate: day, endDate: day })) {
      for (const row of page) rows.push(encodeUser(row));
      if (rows.length >= PEOPLE_A_PART) await endPart();
    }
    if (rows.length > 0) await endPart();
    // No rows may mean no active people or a missing batch: the activity of the day decides.
    if (parts.length > 1) encodedDays.set(day, parts);
  }
  return encodedDays;
}

const encodePerson = (person: PersonDayCredits) =>
  JSON.stringify([person.user_id, person.user_email, person.billable_tokens]);

const inParts = (rows: readonly string[]) =>
  batchesOf(rows, { maxItems: PEOPLE_A_PART }).map((part) => `[${part.join(',')}]`);

type StoredPerson = [userId: string, email: string | null, credits: number | null];

/** An answer may read a million rows: a schema of each value takes ten times as long as the parsing of their text. */
const peoplePart = z.custom<StoredPerson[]>((rows) => Array.isArray(rows) && rows.every((row) => isStoredPerson(row)));

function isStoredPerson(row: unknown): row is StoredPerson {
  if (!Array.isArray(row) || row.length !== 3) return false;
  const [userId, email, credits]: unknown[] = row;
  const isKnownEmail = email === null || typeof email === 'string';
  return typeof userId === 'string' && isKnownEmail && (credits === null || typeof credits === 'number');
}

/** Reads a later part of a day of `/tokens`. */
export function addCredits(part: string, { add }: Pick<CreditsBuilder, 'add'>): void {
  for (const [userId, email, credits] of peoplePart.parse(JSON.parse(part))) add(userId, email, credits);
}

/** Two months of `/users` with 80 people. */
const PEOPLE_REMEMBERED = 1_000_000;

/** A larger day has more, which would push each other out before they are used again. */
const PARTS_REMEMBERED_A_DAY = 1;

function peopleReader<Rows extends object>(decode: (part: string) => Rows): (part: string, place: number) => Rows {
  const decodeOnce = memoizeByText(decode, PEOPLE_REMEMBERED);
  return (part, place) => (place <= PARTS_REMEMBERED_A_DAY ? decodeOnce(part) : decode(part));
}

/** Reads a later part of a day, which holds people. @param place of the part in its day, from 1 on */
export const readUsers = peopleReader(decodeUsers);

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
