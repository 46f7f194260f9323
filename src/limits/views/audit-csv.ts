import { batchesOf } from '../../base/batches.ts';
import { markup } from '../../base/text/markup.ts';
import { dayOf, formatPeriod, type Period } from '../../base/time/calendar.ts';
import { nextTurn } from '../../base/time/turns.ts';
import type { Interaction } from '../../slack/interactions.ts';
import type { Column } from '../../base/text/columns.ts';
import { csvHeader, csvRows } from '../../base/text/csv.ts';
import { answerWithFile } from '../../slack/outbound/file-answer.ts';
import type { FreshPerson } from '../../slack/people/people.ts';
import { listNewestAuditEntries, type AuditEntry } from '../../store/audit.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { decisionsOf } from '../policies/store/policy-decisions.ts';

/** The newest entries are kept; a larger file needs a database program. */
const MAX_ENTRIES = 20_000;
const ROWS_A_TURN = 500;

/** `/limits audit csv`: every step of every request, or those of some days, as a file by direct message. */
export async function sendAudit(
  deps: LimitDeps,
  days: Period | undefined,
  interaction: Interaction<FreshPerson>,
): Promise<void> {
  interaction.reply.progress('Writing the file …');
  const entries = await listNewestAuditEntries(deps.db, 'limits', MAX_ENTRIES, days);
  const name = `limits-audit-${days ? `${days.first}-to-${days.last}` : dayOf(deps.clock.now())}.csv`;
  const when = days ? ` on ${formatPeriod(days)}` : '';
  const cut = entries.length === MAX_ENTRIES ? ` The newest ${MAX_ENTRIES.toLocaleString('en-US')} steps.` : '';
  const content = await auditCsv(await withPolicies(deps, entries));
  const comment = markup`Every step of every request for credit limits${when}, times in UTC.${cut}`;
  await answerWithFile(deps.files, interaction, { name, title: 'Audit of credit limits', content, comment });
}

interface AuditRow extends AuditEntry {
  /** The policy that decided, or left the request to a person. */
  policy: string;
}

const requestOf = ({ about }: AuditEntry) => about.replace('limits:', '');

async function withPolicies({ db }: LimitDeps, entries: readonly AuditEntry[]): Promise<AuditRow[]> {
  const policies = new Map<string, string>();
  for (const ids of batchesOf([...new Set(entries.map((entry) => requestOf(entry)))], { maxItems: ROWS_A_TURN })) {
    for (const [id, { policyId, policyName, policyVersion }] of await decisionsOf(db, ids))
      if (policyId !== null) policies.set(id, `${policyName ?? ''} (${policyId}), version ${policyVersion ?? 0}`);
  }
  return entries.map((entry) => ({ ...entry, policy: policies.get(requestOf(entry)) ?? '' }));
}

const COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'Time (UTC)', cell: ({ at }) => at },
  { title: 'Request', cell: (entry) => requestOf(entry) },
  { title: 'Who', cell: ({ actor }) => actor },
  { title: 'What', cell: ({ action }) => action },
  { title: 'Detail', cell: ({ detail }) => detail ?? '' },
  { title: 'Policy', cell: ({ policy }) => policy },
];

async function auditCsv(entries: readonly AuditRow[]): Promise<string> {
  const pieces = [csvHeader(COLUMNS)];
  for (const some of batchesOf(entries, { maxItems: ROWS_A_TURN })) {
    pieces.push(csvRows(COLUMNS, some));
    await nextTurn();
  }
  return pieces.join('');
}
