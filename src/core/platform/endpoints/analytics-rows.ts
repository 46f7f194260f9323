import { z } from 'zod';
import { MAX_LABEL_LENGTH, label } from '../bounded-text.ts';

// Field names are the API document's own. Unknown members survive (`looseObject`). Breakdowns may be missing; measures may not:
// a missing figure must never read as zero.

const measure = z.number();
/** Averages and percentiles: the document says number, and does not cover a day without activity. */
const ratio = z.number().nullable().default(null);
/** A missing value of one person among thousands is unknown, and must not invalidate the others. */
const personMeasure = measure.nullable().default(null);
const openText = label.nullable().default(null);

/** `null` is a person whose e-mail the platform does not know. An empty text is never an e-mail. */
const email = openText.overwrite((value) => value || null);

function breakdown<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const modelCredits = z.looseObject({
  model_id: label,
  model_tier: openText,
  billable_tokens: measure,
  input_tokens: measure,
  output_tokens: measure,
});

/** The document does not show the shape of the elements of the models. */
export const personDayCredits = z.object({ user_id: label, user_email: email, billable_tokens: personMeasure });
export type PersonDayCredits = z.infer<typeof personDayCredits>;

const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= MAX_LABEL_LENGTH;

/** @returns what the schema makes of a row, in a fraction of its time, or undefined for a row that only the schema can judge */
export function plainPersonDayCredits(row: unknown): PersonDayCredits | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  const { user_id, user_email, billable_tokens }: { [name in keyof PersonDayCredits]?: unknown } = row;
  if (!isShort(user_id) || typeof billable_tokens !== 'number' || !Number.isFinite(billable_tokens)) return undefined;
  if (user_email !== null && (!isShort(user_email) || user_email === '')) return undefined;
  return { user_id, user_email, billable_tokens };
}

/** A day of `/tokens` without its people. `billable_tokens` are Standard Credits. */
export const creditsRow = z.looseObject({
  date: z.iso.date(),
  billable_tokens: measure,
  input_tokens: measure,
  output_tokens: measure,
  cache_read_tokens: measure,
  cache_write_tokens: measure,
  by_model: breakdown(modelCredits),
});
export type CreditsRow = z.infer<typeof creditsRow>;

/** A day of `/tokens`. Its people are checked one by one as they arrive. */
export const tokensRow = creditsRow.extend({ by_user: breakdown(z.custom<PersonDayCredits>()) });
export type TokensRow = z.infer<typeof tokensRow>;

/** A day and model of `/tokens?group_by=model`; `group_key` is the model id. */
export const tokensByModelRow = z.looseObject({
  date: z.iso.date(),
  group_key: label,
  billable_tokens: measure,
  input_tokens: measure,
  output_tokens: measure,
});
export type TokensByModelRow = z.infer<typeof tokensByModelRow>;

const named = z.looseObject({ name: label, count: measure });
const numbersByName = z
  .record(label, z.number())
  .nullish()
  .transform((value) => value ?? {});

/** Users, ratios and percentiles of several days cannot be added up. */
export const toolsRow = z.looseObject({
  date: z.iso.date(),
  tool_calls: measure,
  by_tool: breakdown(z.looseObject({ tool: label, invocations: measure })),
  mcp_users_with_mcp: measure,
  mcp_by_server: breakdown(z.looseObject({ server: label, invocations: measure })),
  skills_invocations: measure,
  skills_by_name: breakdown(named),
  slash_commands_invocations: measure,
  slash_commands_by_name: breakdown(named),
  hooks_invocations: measure,
  hooks_by_event: breakdown(z.looseObject({ event: label, matcher: openText, command: openText, count: measure })),
  web_users: measure,
  autonomy_ratio_avg: ratio,
  autonomy_ratio_p50: ratio,
  autonomy_ratio_p90: ratio,
  tool_calls_per_session_avg: ratio,
  user_turns_per_session_avg: ratio,
  /** Fractions by level: `auto_high`, `auto_medium`, `auto_low`, `manual`, or a later addition. */
  tool_autonomy_level_ratio: numbersByName,
});
export type ToolsRow = z.infer<typeof toolsRow>;

/** A day and tool of `/tools?group_by=tool_name`; `group_key` is the tool's name. */
export const toolsByNameRow = z.looseObject({ date: z.iso.date(), group_key: label, tool_calls: measure });
export type ToolsByNameRow = z.infer<typeof toolsByNameRow>;

/** `null` is unknown: no other figure of the day may replace it. */
const trailingUsers = measure.nullable();

/** A day of `/activity`. Weekly and monthly users are unique over the trailing 7 and 30 days. */
export const activityRow = z.looseObject({
  date: z.iso.date(),
  daily_active_users: measure,
  weekly_active_users: trailingUsers,
  monthly_active_users: trailingUsers,
  /** By client: `terminal-ui`, `web`, `non-interactive-cli`, or a later addition. One person may be in several. */
  daily_active_users_by_client: numbersByName,
  sessions: measure,
  messages: measure,
  user_messages: measure,
});
export type ActivityRow = z.infer<typeof activityRow>;

/** `group_key` is the client. */
export const activityByClientRow = z.looseObject({
  date: z.iso.date(),
  group_key: label,
  daily_active_users: measure,
});
export type ActivityByClientRow = z.infer<typeof activityByClientRow>;

export const productivityRow = z.looseObject({
  date: z.iso.date(),
  files_created: measure,
  files_edited: measure,
  by_extension: breakdown(z.looseObject({ extension: label, count: measure })),
  by_language: breakdown(z.looseObject({ language: label, count: measure })),
  git_commits: measure,
  git_prs_created: measure,
});
export type ProductivityRow = z.infer<typeof productivityRow>;

export const userRow = z.looseObject({
  user_id: label,
  user_email: email,
  date: z.iso.date(),
  tool_calls: personMeasure,
  billable_tokens: personMeasure,
  primary_model: openText,
  primary_model_tier: openText,
  files_created: personMeasure,
  files_edited: personMeasure,
  git_commits: personMeasure,
  git_prs_created: personMeasure,
  mcp_calls: personMeasure,
  skill_calls: personMeasure,
  slash_commands: personMeasure,
  hooks: personMeasure,
  sessions: personMeasure,
  messages: personMeasure,
  user_messages: personMeasure,
  assistant_messages: personMeasure,
  autonomy_ratio: ratio,
  /** `auto-high`, `auto-medium`, `auto-low`, `spec`, `manual`, or a later addition. */
  delegation_level: openText,
  languages: breakdown(label),
});
export type UserRow = z.infer<typeof userRow>;

export const analyticsMeta = z.looseObject({
  org_id: label.optional(),
  start_date: label.optional(),
  end_date: label.optional(),
  has_more: z.boolean().nullish(),
  next_cursor: z.string().nullish(),
});
export type AnalyticsMeta = z.infer<typeof analyticsMeta>;

export interface Envelope<Row> {
  data: Row[];
  meta: AnalyticsMeta;
}
