import { z } from 'zod';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';

const isText = (value: unknown) => typeof value === 'string';
const isOptionalText = (value: unknown) => value === null || typeof value === 'string';
const isOptionalNumber = (value: unknown) => value === null || typeof value === 'number';
const isListOfTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** For the values of a stored row of `/users`, in their order; thousands of names a day would be most of the text. */
const CHECKS = [
  isText,
  isOptionalText,
  isText,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalText,
  isOptionalText,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalNumber,
  isOptionalText,
  isListOfTexts,
] as const;
type ValuesOf<Checks extends readonly unknown[]> = {
  -readonly [At in keyof Checks]: Checks[At] extends ((value: unknown) => value is infer Value) ? Value : never;
};
type StoredRow = ValuesOf<typeof CHECKS>;

export const encodeUser = (row: UserRow): string => JSON.stringify(valuesOf(row));

/** @example valuesOf(row) // ['u1', 'mia@acme.example', '2026-03-01', 12, …] */
export function valuesOf(row: UserRow): StoredRow {
  return [
    row.user_id,
    row.user_email,
    row.date,
    row.tool_calls,
    row.billable_tokens,
    row.primary_model,
    row.primary_model_tier,
    row.files_created,
    row.files_edited,
    row.git_commits,
    row.git_prs_created,
    row.mcp_calls,
    row.skill_calls,
    row.slash_commands,
    row.hooks,
    row.sessions,
    row.messages,
    row.user_messages,
    row.assistant_messages,
    row.autonomy_ratio,
    row.delegation_level,
    row.languages,
  ];
}

/** An answer may read a million rows: a schema of each value takes three times as long as the parsing of their text. */
const storedRows = z.custom<StoredRow[]>((rows) => Array.isArray(rows) && rows.every((row) => isStoredRow(row)));

/** A later version may add values. Rows that it stored are still readable after a way back to this one. */
function isStoredRow(row: unknown): row is StoredRow {
  return Array.isArray(row) && row.length >= CHECKS.length && CHECKS.every((isValid, at) => isValid(row[at]));
}

export function decodeUsers(part: string): readonly Readonly<UserRow>[] {
  return storedRows.parse(JSON.parse(part)).map(toRow);
}

const toRow = (values: StoredRow): UserRow => ({
  user_id: values[0],
  user_email: values[1],
  date: values[2],
  tool_calls: values[3],
  billable_tokens: values[4],
  primary_model: values[5],
  primary_model_tier: values[6],
  files_created: values[7],
  files_edited: values[8],
  git_commits: values[9],
  git_prs_created: values[10],
  mcp_calls: values[11],
  skill_calls: values[12],
  slash_commands: values[13],
  hooks: values[14],
  sessions: values[15],
  messages: values[16],
  user_messages: values[17],
  assistant_messages: values[18],
  autonomy_ratio: values[19],
  delegation_level: values[20],
  languages: values[21],
});
