import { markup } from '../../markup.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Interaction } from '../../slack/interactions.ts';
import { csvLines } from '../../csv.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import type { FreshPerson } from '../../slack/people/people.ts';
import { listNewestAuditEntries, type AuditEntry } from '../../store/audit.ts';
import type { LimitDeps } from '../core/deps.ts';
import { denialOf } from '../core/access.ts';

/** Newer ones are asked for first; a file of more is for a database program. */
const MAX_ENTRIES = 20_000;
const ROWS_A_TURN = 500;
const ADMINS_ONLY = 'The audit is for admins of Quartermaster. Ask one of them.';

/** `/limits audit csv`: every step of every request, as a file by direct message. */
export async function sendAudit(deps: LimitDeps, { person, reply }: Interaction<FreshPerson>): Promise<void> {
  if (denialOf({ action: 'take_audit' }, person)) return reply.show(plainMessage(ADMINS_ONLY));
  reply.progress('Writing the file …');
  const entries = await listNewestAuditEntries(deps.db, 'limits', MAX_ENTRIES);
  const name = `limits-audit-${deps.clock.now().toISOString().slice(0, 10)}.csv`;
  const cut = entries.length === MAX_ENTRIES ? ` The newest ${MAX_ENTRIES.toLocaleString('en-US')} steps.` : '';
  const content = await auditCsv(entries);
  const comment = markup`Every step of every request for credit limits, times in UTC.${cut}`;
  await deps.files.send({ to: { person: person.slackId }, name, title: 'Audit of credit limits', content, comment });
  await reply.show(plainMessage(`${name} is in your direct messages with Quartermaster.`));
}

const COLUMNS = ['Time (UTC)', 'Request', 'Who', 'What', 'Detail'];

/** The file’s lines; what a spreadsheet would take for a formula gets an apostrophe in front. */
async function auditCsv(entries: readonly AuditEntry[]): Promise<string> {
  const pieces = [csvLines([COLUMNS])];
  for (let from = 0; from < entries.length; from += ROWS_A_TURN) {
    const rows = entries
      .slice(from, from + ROWS_A_TURN)
      .map(({ at, about, actor, action, detail }) => [at, about.replace('limits:', ''), actor, action, detail ?? '']);
    pieces.push(csvLines(rows));
    await nextTurn();
  }
  return pieces.join('');
}
