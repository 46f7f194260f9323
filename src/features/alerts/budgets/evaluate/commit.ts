import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import { budgetMessage, headsUpMessage, ownerMessage } from '../core/budget-messages.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { highest } from '../core/decide.ts';
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
  /** The members changed just before this evaluation, and its messages say so. */
  haveMembersChanged: boolean;
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

type MarkBase = Omit<MarkRow, 'basis' | 'percent' | 'round' | 'members' | 'state' | 'deliveryKey'>;

async function commitPeriod(
  trx: DatabaseTransaction,
  { budget, revision, newMembers, haveMembersChanged }: Commit,
  { plan, crossed, summary, corrections }: Commit['periods'][number],
  now: Date,
): Promise<void> {
  const { period, figures, recordSilently } = plan;
  const { id: budgetId, credits } = budget;
  const base: MarkBase = {
    budgetId,
    periodFirst: period.first,
    credits,
    through: figures.through ?? period.first,
    today: now.toISOString().slice(0, 10),
    spent: figures.spent,
    at: now.toISOString(),
  };
  for (const threshold of recordSilently) {
    const members = newMembers ? revision + 1 : revision;
    await insertMark(trx, { ...base, ...threshold, members, state: 'passed', deliveryKey: null });
  }
  const counted: CountedMark = { ...base, members: revision };
  const keyPrefix = `budget:${budgetId}:${period.first}`;
  for (const { thresholds, message } of crossed) {
    const mainThreshold = highest(thresholds);
    if (!mainThreshold) continue;
    const { basis, percent, round } = mainThreshold;
    const key = `${keyPrefix}:${credits}:${basis}-${percent}:${round}`;
    await insertMarks(trx, counted, thresholds, message, key);
    const crossedThresholds = thresholds.map((one) => ({ basis: one.basis, percent: one.percent }));
    const notice = {
      kind: 'crossed',
      budgetId,
      thresholds: crossedThresholds,
      ...(haveMembersChanged ? { haveMembersChanged } : {}),
    } as const;
    await enqueueMessage(trx, budget, message, key, notice, now);
  }
  await withdrawMarks(trx, budget, plan.withdraw, corrections, now);
  if (summary) {
    const { message, halfway } = summary;
    const key = `${keyPrefix}:summary`;
    await insertMarks(trx, { ...counted, credits: 0 }, [{ basis: 'summary', percent: 0, round: 0 }], message, key);
    await enqueueMessage(trx, budget, message, key, { kind: 'summary', budgetId, halfway }, now);
  }
  if (typeof plan.summary === 'object')
    await correctSummary(trx, budget, plan.summary.correct, figures, corrections, now);
}

type CountedMark = MarkBase & Pick<MarkRow, 'members'>;

async function insertMarks(
  trx: DatabaseTransaction,
  base: CountedMark,
  marks: readonly Pick<MarkRow, 'basis' | 'percent' | 'round'>[],
  message: WrittenMessage,
  key: string,
): Promise<void> {
  const isWithheld = message.kind === 'withheld';
  const outcome = { state: isWithheld ? 'withheld' : 'told', deliveryKey: isWithheld ? null : key } as const;
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
  message: WrittenMessage,
  key: string,
  content: Omit<Notice, 'said'> | Omit<Summary, 'said'>,
  now: Date,
): Promise<void> {
  if (message.kind === 'withheld') return;
  const { to, isToOwner, figures: said } = message;
  const payload: Notice | Summary = { ...content, said };
  if (isToOwner)
    await ownerMessage.enqueue(trx, { key, to, about, payload: { ...payload, withheldFrom: channel } }, now);
  else if (kind === 'budget') await budgetMessage.enqueue(trx, { key, to, about, payload }, now);
  else if (payload.kind === 'crossed') await headsUpMessage.enqueue(trx, { key, to, about, payload }, now);
}
