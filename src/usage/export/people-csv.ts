import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';
import { csvLines, type CsvCell } from '../../csv.ts';

const PERSON_COLUMNS: readonly (readonly [title: string, cell: (row: UserRow) => CsvCell])[] = [
  ['Day', (row) => row.date],
  ['E-mail', (row) => row.user_email ?? ''],
  ['User id', (row) => row.user_id],
  ['Standard Credits', (row) => row.billable_tokens],
  ['Sessions', (row) => row.sessions],
  ['Messages', (row) => row.messages],
  ['Messages by the person', (row) => row.user_messages],
  ['Tool calls', (row) => row.tool_calls],
  ['Tool server calls', (row) => row.mcp_calls],
  ['Skills', (row) => row.skill_calls],
  ['Slash commands', (row) => row.slash_commands],
  ['Hooks', (row) => row.hooks],
  ['Commits', (row) => row.git_commits],
  ['Pull requests', (row) => row.git_prs_created],
  ['Files created', (row) => row.files_created],
  ['Files edited', (row) => row.files_edited],
  ['Tool calls per message', (row) => row.autonomy_ratio ?? ''],
  ['Delegation level', (row) => row.delegation_level ?? ''],
  ['Primary model', (row) => row.primary_model ?? ''],
  ['Tier', (row) => row.primary_model_tier ?? ''],
  ['Languages', (row) => row.languages.join('; ')],
];

/** The first line of a file with one line for each day and person. */
export function peopleCsvHeader(): string {
  return csvLines([PERSON_COLUMNS.map(([title]) => title)]);
}

/**
 * Lines for rows of `/users`, which can be given out piece by piece as the rows arrive.
 *
 * @example
 * file.write(peopleCsvHeader());
 * await analytics.users(period, (row) => file.write(peopleCsvLines([row])));
 */
export function peopleCsvLines(rows: readonly UserRow[]): string {
  return csvLines(rows.map((row) => PERSON_COLUMNS.map(([, cell]) => cell(row))));
}
