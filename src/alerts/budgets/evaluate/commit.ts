import type { DatabaseTransaction } from '../../../store/tables.ts';
import { budgetMessage, headsUpMessage, ownerMessage } from '../core/budget-messages.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { highest, type Threshold } from '../core/decide.ts';
import type { Notice, Summary } from '../core/budget-payload.ts';
import { insertMembers } from '../core/budget-marks.ts';
import { findAlert, isEvaluated, tablesIn, type MarkRow, type StoredAlert } from '../core/budget-store.ts';
import { correctSummary, withdrawMarks } from './commit-corrections.ts';
import { LostRace } from '../../lost-race.ts';
import type { PeriodPlan } from './plan.ts';
import type { WrittenMessage, WrittenPlan } from './write-plan.ts';

export interface Commit {
  budget: StoredAlert;
  /** The revision of the members that were counted; -1 if there are none. */
  revision: number;
  newMembers: readonly string[] | undefined;
  periods: readonly ({ plan: PeriodPlan } & WrittenPlan)[];
}

/** Throws `LostRace` if another process was faster, or if the budget changed in the meantime. */
export async function commitPlans(deps: EvaluationDeps, commit: Commit): Promise<void> {
  const { budget, newMembers, revision } = commit;
  const now = deps.clock.now();
  await deps.checkpoint('budgets:before_commit');
  await deps.db.transaction().execute(async (trx) => {
    const current = await findAlert(trx, budget.id);
    if (!current || current.version !== budget.version || !isEvaluated(current)) throw new LostRace();
    for (const period of commit.periods) await commitPeriod(trx, commit, period, now);
    const members = { revision: revision + 1, emails: newMembers ?? [] };
    if (newMembers && !(await insertMembers(trx, budget.id, members, now))) throw new LostRace();
    if (!budget.isBaselineTaken) await setBaselineTaken(trx, budget);
    await deps.checkpoint('budgets:in_commit');
  });
  await deps.checkpoint('budgets:after_commit');
}

export const writesNothing = ({ report, withdraw, recordSilently, summary }: PeriodPlan) =>
  report.length + withdraw.length + recordSilently.length === 0 && summary === 'none';

async function setBaselineTaken(trx: DatabaseTransaction, { id, version }: StoredAlert): Promise<void> {
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({ isArmed: 1 })
    .where((where) => where.and({ id, version, isArmed: 0 }))
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new LostRace();
}

type PeriodCommit = Commit['periods'][number];

type MarkBase = Omit<MarkRow, 'basis' | 'percent' | 'round' | 'members' | 'state' | 'deliveryKey'>;

async function commitPeriod(
  trx: DatabaseTransaction,
  { budget, revision, newMembers }: Commit,
  { plan, crossed, summary, corrections }: PeriodCommit,
  now: Date,
): Promise<void> {
  const { period, figures, recordSilently } = plan;
  const base: MarkBase = {
    budgetId: budget.id,
    periodFirst: period.first,
    credits: budget.credits,
    through: figures.through ?? period.first,
    today: now.toISOString().slice(0, 10),
    spent: figures.spent,
    at: now.toISOString(),
  };
  for (const threshold of recordSilently) {
    const members = newMembers ? revision + 1 : revision;
    await insertMark(trx, { ...base, ...threshold, members, state: 'passed', deliveryKey: null });
  }
  for (const { thresholds, message } of crossed)
    await commitCrossed(trx, budget, { ...base, members: revision }, thresholds, message, now);
  await withdrawMarks(trx, budget, plan.withdraw, corrections, now);
  if (summary) await commitSummary(trx, budget, { ...base, members: revision }, summary, now);
  if (typeof plan.summary === 'object')
    await correctSummary(trx, budget, plan.summary.correct, figures, corrections, now);
}

type CountedMark = MarkBase & Pick<MarkRow, 'members'>;

const keyPrefix = ({ budgetId: id, periodFirst: first }: MarkBase) => `budget:${id}:${first}`;

async function commitCrossed(
  trx: DatabaseTransaction,
  budget: StoredAlert,
  base: CountedMark,
  thresholds: readonly (Threshold & { round: number })[],
  message: WrittenMessage,
  now: Date,
): Promise<void> {
  const named = highest(thresholds);
  if (!named) return;
  const key = `${keyPrefix(base)}:${budget.credits}:${named.basis}-${named.percent}:${named.round}`;
  await insertMarks(trx, base, thresholds, message, key);
  if (message.kind === 'withheld') return;
  const { figures } = message;
  const crossed = thresholds.map(({ basis, percent }) => ({ basis, percent }));
  await enqueueMessage(
    trx,
    budget,
    message,
    key,
    { kind: 'crossed', budgetId: budget.id, thresholds: crossed, said: figures },
    now,
  );
}

async function commitSummary(
  trx: DatabaseTransaction,
  budget: StoredAlert,
  base: CountedMark,
  { message, halfway }: NonNullable<WrittenPlan['summary']>,
  now: Date,
): Promise<void> {
  const key = `${keyPrefix(base)}:summary`;
  await insertMarks(trx, { ...base, credits: 0 }, [{ basis: 'summary', percent: 0, round: 0 }], message, key);
  if (message.kind === 'withheld') return;
  const { figures } = message;
  await enqueueMessage(
    trx,
    budget,
    message,
    key,
    { kind: 'summary', budgetId: budget.id, said: figures, halfway },
    now,
  );
}

async function insertMarks(
  trx: DatabaseTransaction,
  base: CountedMark,
  marks: readonly Pick<MarkRow, 'basis' | 'percent' | 'round'>[],
  message: WrittenMessage,
  key: string,
): Promise<void> {
  const outcome =
    message.kind === 'withheld'
      ? ({ state: 'withheld', deliveryKey: null } as const)
      : ({ state: 'told', deliveryKey: key } as const);
  for (const { basis, percent, round } of marks) await insertMark(trx, { ...base, basis, percent, round, ...outcome });
}

async function insertMark(trx: DatabaseTransaction, row: MarkRow): Promise<void> {
  const inserted = await tablesIn(trx)
    .insertInto('budgetMarks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new LostRace();
}

async function enqueueMessage(
  trx: DatabaseTransaction,
  { id: about, kind, channel }: StoredAlert,
  { to, isToOwner }: Extract<WrittenMessage, { kind: 'send' }>,
  key: string,
  payload: Notice | Summary,
  now: Date,
): Promise<void> {
  if (isToOwner)
    await ownerMessage.enqueue(trx, { key, to, about, payload: { ...payload, withheldFrom: channel } }, now);
  else if (kind === 'budget') await budgetMessage.enqueue(trx, { key, to, about, payload }, now);
  else if (payload.kind === 'crossed') await headsUpMessage.enqueue(trx, { key, to, about, payload }, now);
}
