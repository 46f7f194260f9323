import { z } from 'zod';
import { userRow, type UserRow } from '../../platform/endpoints/analytics-rows.ts';

/** A row of `/users` as it is kept: values in this order. Their names, thousands of times a day, would be most of the text. */
const ORDER = [
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
] as const satisfies readonly (keyof typeof userRow.shape)[];

/** @example encodeUser(row) // '["u1","mia@acme.example","2026-03-01",12,…]' */
export function encodeUser(row: UserRow): string {
  return JSON.stringify(ORDER.map((name) => row[name]));
}

const keptRow = z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length === ORDER.length);
// Without what `userRow` lets through besides: a day of a large organization has ten thousand of them.
const keptRows = z.array(keptRow.transform(named).pipe(z.object(userRow.shape)));

/** The rows of one part of a day of `/users`. */
export function decodeUsers(part: string): UserRow[] {
  return keptRows.parse(JSON.parse(part));
}

function named(values: readonly unknown[]): Partial<Record<(typeof ORDER)[number], unknown>> {
  const row: ReturnType<typeof named> = {};
  for (const [at, name] of ORDER.entries()) row[name] = values[at];
  return row;
}
