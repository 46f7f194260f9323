import { z } from 'zod';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';

const text = z.string();
const optionalText = text.nullable();
const number = z.number().nullable();

/**
 * The values of a stored row of `/users`, in the order of `toRow`; thousands of names a day would be most of the text.
 * Without the transformations of `userRow`, which took several times as long.
 */
const storedRow = z
  .tuple([
    text,
    optionalText,
    text,
    number,
    number,
    optionalText,
    optionalText,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    optionalText,
    z.array(text),
  ])
  // A later version may add values. Rows that it stored are still readable after a way back to this one.
  .rest(z.unknown());
type StoredRow = z.infer<typeof storedRow>;

/** @example encodeUser(row) // '["u1","mia@acme.example","2026-03-01",12,…]' */
export function encodeUser(row: UserRow): string {
  const values: StoredRow = [
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
  return JSON.stringify(values);
}

const storedRows = z.array(storedRow);

export function decodeUsers(part: string): readonly Readonly<UserRow>[] {
  return storedRows.parse(JSON.parse(part)).map(toRow);
}

function toRow(values: StoredRow): UserRow {
  const [user_id, user_email, date, tool_calls, billable_tokens, primary_model, primary_model_tier, ...more] = values;
  const [files_created, files_edited, git_commits, git_prs_created, mcp_calls, skill_calls, slash_commands, ...rest] =
    more;
  const [hooks, sessions, messages, user_messages, assistant_messages, autonomy_ratio, delegation_level, languages] =
    rest;
  return {
    user_id,
    user_email,
    date,
    tool_calls,
    billable_tokens,
    primary_model,
    primary_model_tier,
    files_created,
    files_edited,
    git_commits,
    git_prs_created,
    mcp_calls,
    skill_calls,
    slash_commands,
    hooks,
    sessions,
    messages,
    user_messages,
    assistant_messages,
    autonomy_ratio,
    delegation_level,
    languages,
  };
}
