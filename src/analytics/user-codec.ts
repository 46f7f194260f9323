import { z } from 'zod';
import { userRow, type UserRow } from '../platform/analytics-rows.ts';

/** The members of a row of `/users` in the order in which they are kept: the names, 10,000 times a day, would be most of the text. */
const FIELDS = [
  'user_id',
  'user_email',
  'date',
  'tool_calls',
  'billable_tokens',
  'primary_model',
  'primary_model_tier',
  'files_created',
  'files_edited',
  'git_commits',
  'git_prs_created',
  'mcp_calls',
  'skill_calls',
  'slash_commands',
  'hooks',
  'sessions',
  'messages',
  'user_messages',
  'assistant_messages',
  'autonomy_ratio',
  'delegation_level',
  'languages',
] as const satisfies readonly (keyof UserRow)[];

/** @example encodeUser(row) // '["u1","mia@acme.example","2026-03-01",12,…]' */
export function encodeUser(row: UserRow): string {
  return JSON.stringify(FIELDS.map((field) => row[field]));
}

const keptRows = z.array(z.array(z.unknown()).length(FIELDS.length));

/** The rows of one part of a day of `/users`. */
export function decodeUsers(part: string): UserRow[] {
  return keptRows
    .parse(JSON.parse(part))
    .map((values) => userRow.parse(Object.fromEntries(FIELDS.map((field, index) => [field, values[index]]))));
}
