import type { Column } from '../../../core/base/text/columns.ts';
import type { UserRow } from '../../../core/platform/endpoints/analytics-rows.ts';

/** A file of people has one line for each day and person. */
export const PERSON_COLUMNS: readonly Column<UserRow>[] = [
  { title: 'Day', cell: (row) => row.date },
  { title: 'E-mail', cell: (row) => row.user_email ?? '' },
  { title: 'User id', cell: (row) => row.user_id },
  { title: 'Standard Credits', cell: (row) => row.billable_tokens ?? '' },
  { title: 'Sessions', cell: (row) => row.sessions ?? '' },
  { title: 'Messages', cell: (row) => row.messages ?? '' },
  { title: 'Messages by the person', cell: (row) => row.user_messages ?? '' },
  { title: 'Tool calls', cell: (row) => row.tool_calls ?? '' },
  { title: 'Tool server calls', cell: (row) => row.mcp_calls ?? '' },
  { title: 'Skills', cell: (row) => row.skill_calls ?? '' },
  { title: 'Slash commands', cell: (row) => row.slash_commands ?? '' },
  { title: 'Hooks', cell: (row) => row.hooks ?? '' },
  { title: 'Commits', cell: (row) => row.git_commits ?? '' },
  { title: 'Pull requests', cell: (row) => row.git_prs_created ?? '' },
  { title: 'Files created', cell: (row) => row.files_created ?? '' },
  { title: 'Files edited', cell: (row) => row.files_edited ?? '' },
  { title: 'Tool calls per message', cell: (row) => row.autonomy_ratio ?? '' },
  { title: 'Delegation level', cell: (row) => row.delegation_level ?? '' },
  { title: 'Primary model', cell: (row) => row.primary_model ?? '' },
  { title: 'Tier', cell: (row) => row.primary_model_tier ?? '' },
  { title: 'Languages', cell: (row) => row.languages.join('; ') },
];
