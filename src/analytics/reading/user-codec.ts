import { z } from 'zod';
import { userRow, type UserRow } from '../../platform/endpoints/analytics-rows.ts';

const { shape } = userRow;

/** The values of a stored row of `/users`, in this order; thousands of names a day would be most of the text. */
const storedRow = z.tuple([
  shape.user_id,
  shape.user_email,
  shape.date,
  shape.tool_calls,
  shape.billable_tokens,
  shape.primary_model,
  shape.primary_model_tier,
  shape.files_created,
  shape.files_edited,
  shape.git_commits,
  shape.git_prs_created,
  shape.mcp_calls,
  shape.skill_calls,
  shape.slash_commands,
  shape.hooks,
  shape.sessions,
  shape.messages,
  shape.user_messages,
  shape.assistant_messages,
  shape.autonomy_ratio,
  shape.delegation_level,
  shape.languages,
]);
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

export function decodeUsers(part: string): UserRow[] {
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
