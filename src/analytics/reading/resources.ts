import { batchesOf } from '../../base/batches.ts';
import { nextTurn } from '../../base/time/turns.ts';
import { z } from 'zod';
import type { Analytics } from '../../platform/endpoints/analytics.ts';
import {
  activityRow,
  creditsRow,
  productivityRow,
  toolsRow,
  type CreditsRow,
  type PersonDayCredits,
} from '../../platform/endpoints/analytics-rows.ts';
import { daysOf, type Day, type Period } from '../../base/time/calendar.ts';
import type { DailyCreditsRow } from '../day-facts.ts';
import type { Resource } from './analytics-day-table.ts';
import { withClients, withModels, withToolNames } from '../breakdowns.ts';
import { encodeUser } from './user-codec.ts';

/** The stored facts of a day: one JSON text for each part. */
export type EncodedDay = readonly string[];

export interface DaySource {
  resource: Resource;
  mostDaysPerCall: number;
  /** Reads a period from the platform; a day that is missing from the result is not published. */
  fetch(period: Period): Promise<ReadonlyMap<Day, EncodedDay>>;
  zeroDay: (day: Day) => EncodedDay;
}

/** The document names no longest period. Totals are small; a week of `/tokens` with all people is megabytes. */
const MAX_DAYS_OF_TOTALS = 92;
const MAX_DAYS_OF_TOKENS = 7;

/** The number of people decoded at a time: this takes a millisecond, and the text is small enough to copy cheaply. */
const PEOPLE_A_PART = 250;

/** Returns the source of each resource’s facts. @param onCredits called with each day of `/tokens` that arrives */
export function createSources(analytics: Analytics, onCredits: (row: CreditsRow) => void): Record<Resource, DaySource> {
  return {
    tokens: {
      resource: 'tokens',
      mostDaysPerCall: MAX_DAYS_OF_TOKENS,
      fetch: (period) => fetchTokens(analytics, period, onCredits),
      zeroDay: zeroDayOf(noCredits),
    },
    'tokens-by-model': {
      resource: 'tokens-by-model',
      mostDaysPerCall: MAX_DAYS_OF_TOTALS,
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
      mostDaysPerCall: 1,
      fetch: (period) => fetchUsers(analytics, period),
      zeroDay: () => ['{}'],
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
  (day: Day): EncodedDay => [JSON.stringify(nothingOn(day))];

function totals(resource: Resource, nothingOn: (date: Day) => object, fetchRows: FetchRows): DaySource {
  return {
    resource,
    zeroDay: zeroDayOf(nothingOn),
    mostDaysPerCall: MAX_DAYS_OF_TOTALS,
    fetch: async (period) => {
      const { data } = await fetchRows(rangeOf(period));
      return new Map(data.map((row) => [row.date, [JSON.stringify(row)]]));
    },
  };
}

async function fetchTokens(
  analytics: Analytics,
  period: Period,
  onCredits: (row: CreditsRow) => void,
): Promise<Map<Day, EncodedDay>> {
  const range = rangeOf(period);
  const { data } = await withModels(analytics, range, await analytics.tokens(range));
  const encodedDays = new Map<Day, EncodedDay>();
  for (const { by_user, ...row } of data) {
    onCredits(row);
    encodedDays.set(row.date, [JSON.stringify(row), ...inParts(by_user.map(encodePerson))]);
    // Without this pause, a week of thousands of people would block all other work.
    await nextTurn();
  }
  return encodedDays;
}

/** Rows of models name no people, so a quarter of them is a small answer too. */
async function fetchDailyCredits(analytics: Analytics, period: Period): Promise<Map<Day, EncodedDay>> {
  const { data } = await analytics.tokensByModel(rangeOf(period));
  const sums = new Map<Day, number>();
  for (const row of data) sums.set(row.date, (sums.get(row.date) ?? 0) + row.billable_tokens);
  return new Map(
    [...sums].map(([date, billable_tokens]) => [
      date,
      [JSON.stringify({ date, billable_tokens } satisfies DailyCreditsRow)],
    ]),
  );
}

async function fetchUsers(analytics: Analytics, period: Period): Promise<Map<Day, EncodedDay>> {
  const encodedDays = new Map<Day, EncodedDay>();
  for (const day of daysOf(period)) {
    const parts: string[] = [];
    let rows: string[] = [];
    for await (const row of analytics.eachUser({ startDate: day, endDate: day })) {
      rows.push(encodeUser(row));
      if (rows.length < PEOPLE_A_PART) continue;
      parts.push(`[${rows.join(',')}]`);
      rows = [];
    }
    if (rows.length > 0) parts.push(`[${rows.join(',')}]`);
    // No rows may mean no active people or a missing batch: the activity of the day decides.
    if (parts.length > 0) encodedDays.set(day, ['{}', ...parts]);
  }
  return encodedDays;
}

const encodePerson = (person: PersonDayCredits) =>
  JSON.stringify([person.user_id, person.user_email, person.billable_tokens]);

const inParts = (rows: readonly string[]) =>
  batchesOf(rows, { maxItems: PEOPLE_A_PART }).map((part) => `[${part.join(',')}]`);

/** Without the transformations of the platform's rows, which took five times as long: an answer may read a million rows. */
const peoplePart = z.array(z.tuple([z.string(), z.string().nullable(), z.number().nullable()]));

export function decodePeople(part: string): PersonDayCredits[] {
  return peoplePart
    .parse(JSON.parse(part))
    .map(([user_id, user_email, billable_tokens]) => ({ user_id, user_email, billable_tokens }));
}

export const firstPartSchemas = {
  tokens: creditsRow,
  'tokens-by-model': creditsRow.pick({ date: true, billable_tokens: true }),
  tools: toolsRow,
  activity: activityRow,
  productivity: productivityRow,
};
