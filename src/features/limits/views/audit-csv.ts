import { batchesOf, eachInTurns } from '../../../core/base/time/turns.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { dayOf, formatPeriod, instantsOf, type Period } from '../../../core/base/time/calendar.ts';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Column } from '../../../core/base/text/columns.ts';
import { csvHeader, csvRows, type CsvCell } from '../../../core/base/text/csv.ts';
import { answerWithFile } from '../../../core/slack/interactions/file-answer.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { BOT_ACTOR, listNewestAuditEntries } from '../../../core/store/audit.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { auditRows, policyWords, readAuditFacts, type AuditAmount, type AuditRow } from './audit-rows.ts';

/** The newest entries are kept; a larger file needs a database program. */
const MAX_ENTRIES = 20_000;
const MAX_ROWS = 100_000;
const ROWS_A_TURN = 500;
const AFTER_EVERY_TIME = '9999';

/** `/limits audit csv`: every step of every request, or those of some days, as a file by direct message. */
export async function sendAudit(
  deps: LimitDeps,
  days: Period | undefined,
  interaction: Interaction<FreshPerson>,
): Promise<void> {
  interaction.reply.progress('Writing the file …');
  const { content, isCut } = await auditFile(deps, days);
  const name = `limits-audit-${days ? `${days.first}-to-${days.last}` : dayOf(deps.clock.now())}.csv`;
  const when = days ? markup` on ${formatPeriod(days)}` : markup``;
  const cut = isCut
    ? markup` It has the newest ${countOf(MAX_ENTRIES, 'step')}, at most ${countOf(MAX_ROWS, 'line')}; ask for a shorter period to get the others.`
    : markup``;
  const comment = markup`Every step of every request for credit limits${when}, with each person’s limit before, requested, approved and set. Times are in UTC.${cut}`;
  await answerWithFile(deps.files, interaction, { name, title: 'Audit of credit limits', content, comment });
}

export async function auditFile(
  deps: Pick<LimitDeps, 'db' | 'people' | 'policies'>,
  days: Period | undefined,
): Promise<{ content: string; isCut: boolean }> {
  const entries = await listNewestAuditEntries(deps.db, 'limits', MAX_ENTRIES, days);
  const isShortened = entries.length === MAX_ENTRIES;
  // Limits from before the first step that is in the file belong to a file of earlier days.
  const from = isShortened ? (entries[0]?.at ?? '') : '';
  const instants = { from, before: AFTER_EVERY_TIME, ...(days && instantsOf(days)) };
  const all = await auditRows(await readAuditFacts(deps.db, entries, instants));
  const rows = await withPolicies(deps, all.slice(-MAX_ROWS));
  const isCut = isShortened || all.length > MAX_ROWS;
  return { content: await auditCsv(rows, await readNames(deps, rows)), isCut };
}

/** Also names the policy that left a request to a person. */
async function withPolicies(
  { policies: decided }: Pick<LimitDeps, 'policies'>,
  rows: readonly AuditRow[],
): Promise<AuditRow[]> {
  const policies = new Map<string, string>();
  for (const ids of batchesOf([...new Set(rows.map(({ about }) => about))], { maxItems: ROWS_A_TURN })) {
    for (const [id, version] of await decided.versionsOf(ids)) policies.set(id, policyWords(version));
  }
  return rows.map((row) => ({ ...row, policy: row.policy || (policies.get(row.about) ?? '') }));
}

interface Names {
  ofSlackId: (id: string) => string;
  ofEmail: (email: string) => string;
}

/** Slack ids alone say nothing to a reader of the file. */
async function readNames({ people }: Pick<LimitDeps, 'people'>, rows: readonly AuditRow[]): Promise<Names> {
  const ids = new Set(rows.flatMap(({ actor, requester, deciders }) => [actor, requester, ...deciders]));
  const bySlackId = new Map([[BOT_ACTOR, 'Quartermaster']]);
  for (const id of ids) {
    if (id === '' || bySlackId.has(id)) continue;
    const described = await people.describe(id);
    bySlackId.set(id, described ? nameWithEmail(described) : id);
  }
  const byEmail = await people.names();
  return { ofSlackId: (id) => bySlackId.get(id) ?? id, ofEmail: (email) => byEmail.get(email) ?? '' };
}

const nameWithEmail = ({ name, email }: { name: string; email: string | undefined }) =>
  email === undefined ? name : `${name} (${email})`;

const amountCell = (amount: AuditAmount): CsvCell => amount ?? '';

const columnsOf = ({ ofSlackId, ofEmail }: Names): readonly Column<AuditRow, CsvCell>[] => [
  { title: 'Time (UTC)', cell: ({ at }) => at },
  { title: 'Request', cell: ({ about }) => about },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Person', cell: ({ email }) => ofEmail(email) },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Limit before', cell: ({ before }) => amountCell(before) },
  { title: 'Limit before was declared', cell: ({ isDeclaredBefore }) => (isDeclaredBefore ? 'yes' : '') },
  { title: 'Requested', cell: ({ requested }) => amountCell(requested) },
  { title: 'Approved', cell: ({ approved }) => amountCell(approved) },
  { title: 'Set', cell: ({ set }) => amountCell(set) },
  { title: 'Until (UTC)', cell: ({ until }) => until },
  { title: 'Limit afterwards', cell: ({ afterwards }) => amountCell(afterwards) },
  { title: 'Outcome', cell: ({ outcome }) => outcome },
  { title: 'By', cell: ({ actor }) => ofSlackId(actor) },
  { title: 'By (Slack id)', cell: ({ actor }) => actor },
  { title: 'Requested by', cell: ({ requester }) => ofSlackId(requester) },
  { title: 'Decided by', cell: ({ deciders }) => deciders.map((id) => ofSlackId(id)).join('; ') },
  { title: 'Policy', cell: ({ policy }) => policy },
  { title: 'Detail', cell: ({ detail }) => detail },
];

async function auditCsv(rows: readonly AuditRow[], names: Names): Promise<string> {
  const columns = columnsOf(names);
  const pieces = [csvHeader(columns)];
  for await (const some of eachInTurns(batchesOf(rows, { maxItems: ROWS_A_TURN }))) {
    pieces.push(csvRows(columns, some));
  }
  return pieces.join('');
}
