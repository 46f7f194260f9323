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
import { denialOf } from '../rights/access.ts';

/** The newest entries are kept; a larger file needs a database program. */
const MAX_ENTRIES = 20_000;
const ROWS_A_TURN = 500;

/** `/limits audit csv`: every step of every request, or those of some days, as a file by direct message. */
export async function sendAudit(
  deps: LimitDeps,
  days: Period | undefined,
  interaction: Interaction<FreshPerson>,
): Promise<void> {
  const { person, reply } = interaction;
  if (denialOf({ action: 'take_audit' }, person))
    return reply.show(await interaction.refusal({ what: 'The audit', role: 'admin' }));
  reply.progress('Writing the file …');
  const entries = await listNewestAuditEntries(deps.db, 'limits', MAX_ENTRIES, days);
  const name = `limits-audit-${days ? `${days.first}-to-${days.last}` : dayOf(deps.clock.now())}.csv`;
  const when = days ? ` on ${formatPeriod(days)}` : '';
  const cut = entries.length === MAX_ENTRIES ? ` The newest ${MAX_ENTRIES.toLocaleString('en-US')} steps.` : '';
  const content = await auditCsv(entries);
  const comment = markup`Every step of every request for credit limits${when}, times in UTC.${cut}`;
  await answerWithFile(deps.files, interaction, { name, title: 'Audit of credit limits', content, comment });
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Time (UTC)', cell: ({ at }) => at },
  { title: 'Request', cell: ({ about }) => about.replace('limits:', '') },
  { title: 'Who', cell: ({ actor }) => actor },
  { title: 'What', cell: ({ action }) => action },
  { title: 'Detail', cell: ({ detail }) => detail ?? '' },
];

async function auditCsv(entries: readonly AuditEntry[]): Promise<string> {
  const pieces = [csvHeader(COLUMNS)];
  for (const some of batchesOf(entries, { maxItems: ROWS_A_TURN })) {
    pieces.push(csvRows(COLUMNS, some));
    await nextTurn();
  }
  return pieces.join('');
}
