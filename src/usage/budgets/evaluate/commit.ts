import { enqueue } from '../../../outbox/deliveries.ts';
import { findDelivery } from '../../../outbox/past-deliveries.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import type { LookDeps } from '../../../alerts/budgets/core/deps.ts';
import { highest } from '../../../alerts/budgets/core/decide.ts';
import {
  deliveryKindsOf,
  messageSchema,
  type Correction,
  type Notice,
  type Said,
  type Summary,
} from '../../../alerts/budgets/core/payload.ts';
import {
  findBudget,
  insertMembers,
  tablesIn,
  type MarkRow,
  type StoredBudget,
} from '../../../alerts/budgets/core/store.ts';
import type { PeriodPlan } from '../../../alerts/budgets/evaluate/plan.ts';

/** Somebody else did it, or changed the budget, meanwhile: what was decided is dropped and decided afresh. */
export class LostRace extends Error {}

export interface Commit {
  budget: StoredBudget;
  /** Of those who were counted; -1 where there are none. */
  revision: number;
  newMembers: readonly string[] | undefined;
  plans: readonly {
    plan: PeriodPlan;
    /** In words, where something is told. */
    said: Said | undefined;
    halfway: Summary['halfway'];
  }[];
}

/**
 * Writes down what was decided about a budget, with the messages that follow from it: all of it, or nothing.
 *
 * @throws LostRace when another process was faster, or the budget is another one by now
 */
export async function commitPlans(deps: LookDeps, commit: Commit): Promise<void> {
  const { budget, newMembers, revision } = commit;
  const now = deps.clock.now();
  await deps.checkpoint('budgets:before_commit');
  await deps.db.transaction().execute(async (trx) => {
    const current = await findBudget(trx, budget.id, budget.kind);
    if (current?.state !== 'active' || current.version !== budget.version) throw new LostRace();
    for (const period of commit.plans) await commitPeriod(trx, commit, period, now);
    const members = { revision: revision + 1, emails: newMembers ?? [] };
    if (newMembers && !(await insertMembers(trx, budget.id, members, now))) throw new LostRace();
    if (!budget.isArmed) await arm(trx, budget);
    await deps.checkpoint('budgets:in_commit');
  });
  await deps.checkpoint('budgets:after_commit');
}

/** Whether there is nothing to write. */
export const isQuiet = ({ tell, withdraw, passed, summary }: PeriodPlan) =>
  tell.length + withdraw.length + passed.length === 0 && summary === 'none';

async function arm(trx: DatabaseTransaction, { id, version }: StoredBudget): Promise<void> {
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({ is_armed: 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('is_armed', '=', 0)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new LostRace();
}

type PeriodCommit = Commit['plans'][number];

async function commitPeriod(
  trx: DatabaseTransaction,
  { budget, revision, newMembers }: Commit,
  { plan, said, halfway }: PeriodCommit,
  now: Date,
): Promise<void> {
  const { period, figures, tell, withdraw, passed, summary } = plan;
  const prefix = `budget:${budget.id}:${period.first}`;
  const { message: kind } = deliveryKindsOf(budget.kind);
  const enqueueMessage = (key: string, payload: Notice | Summary) =>
    enqueue(trx, { key, kind, channel: budget.channel, payload, dueAt: now }, now);
  const mark = {
    budget_id: budget.id,
    period_first: period.first,
    credits: budget.credits,
    through: figures.through ?? period.first,
    today: now.toISOString().slice(0, 10),
    spent: figures.spent,
    at: now.toISOString(),
  };
  for (const { basis, percent, round } of passed) {
    const members = newMembers ? revision + 1 : revision;
    await insertMark(trx, { ...mark, basis, percent, round, members, state: 'passed', delivery_key: null });
  }
  const named = highest(tell);
  if (named && said) {
    const key = `${prefix}:${budget.credits}:${named.basis}-${named.percent}:${named.round}`;
    for (const { basis, percent, round } of tell) {
      const row = { ...mark, basis, percent, round, members: revision, state: 'told' as const, delivery_key: key };
      await insertMark(trx, row);
    }
    const thresholds = tell.map(({ basis, percent }) => ({ basis, percent }));
    await enqueueMessage(key, { kind: 'crossed', budgetId: budget.id, thresholds, said });
  }
  await commitWithdrawals(trx, budget, withdraw, now);
  if (summary === 'tell' && said) {
    const key = `${prefix}:summary`;
    const row = { basis: 'summary' as const, percent: 0, round: 0, credits: 0, members: revision };
    await insertMark(trx, { ...mark, ...row, state: 'told', delivery_key: key });
    await enqueueMessage(key, { kind: 'summary', budgetId: budget.id, said, halfway });
  }
  if (typeof summary === 'object') await correctSummary(trx, budget, summary.correct, figures.spent, now);
}

async function insertMark(trx: DatabaseTransaction, row: MarkRow): Promise<void> {
  const inserted = await tablesIn(trx)
    .insertInto('budget_marks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new LostRace();
}

/** One correction for each message, whichever of its thresholds turned out not to be crossed. */
async function commitWithdrawals(
  trx: DatabaseTransaction,
  budget: StoredBudget,
  withdraw: PeriodPlan['withdraw'],
  now: Date,
): Promise<void> {
  const tables = tablesIn(trx);
  for (const [key, withdrawn] of Map.groupBy(withdraw, ({ row }) => row.delivery_key ?? '')) {
    for (const { row } of withdrawn) {
      const updated = await tables
        .updateTable('budget_marks')
        .set({ state: 'withdrawn' })
        .where('budget_id', '=', row.budget_id)
        .where('period_first', '=', row.period_first)
        .where('basis', '=', row.basis)
        .where('percent', '=', row.percent)
        .where('credits', '=', row.credits)
        .where('round', '=', row.round)
        .where('state', '=', 'told')
        .executeTakeFirst();
      if (updated.numUpdatedRows !== 1n) throw new LostRace();
    }
    const [first] = withdrawn;
    const message = await findMessage(trx, key);
    if (!first || message?.kind !== 'crossed') continue;
    const standing = await tables
      .selectFrom('budget_marks')
      .select(['basis', 'percent'])
      .where('delivery_key', '=', key)
      .where('state', '=', 'told')
      .execute();
    const { spent, expected, range } = first.figures;
    const said: Said = { ...message.said, spent, expected, range };
    const left = standing.flatMap(({ basis, percent }) => (basis === 'summary' ? [] : [{ basis, percent }]));
    const after = { ...message, said };
    await enqueueCorrection(trx, budget, { messageKey: key, before: message, after, standing: left }, now);
  }
}

async function correctSummary(
  trx: DatabaseTransaction,
  budget: StoredBudget,
  row: MarkRow,
  spent: number,
  now: Date,
): Promise<void> {
  const updated = await tablesIn(trx)
    .updateTable('budget_marks')
    .set({ spent })
    .where('budget_id', '=', row.budget_id)
    .where('period_first', '=', row.period_first)
    .where('basis', '=', 'summary')
    .where('spent', '=', row.spent)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new LostRace();
  const key = row.delivery_key ?? '';
  const message = await findMessage(trx, key);
  if (message?.kind !== 'summary') return;
  const after = { ...message, said: { ...message.said, spent } };
  await enqueueCorrection(trx, budget, { messageKey: key, before: message, after, standing: [] }, now);
}

async function findMessage(trx: DatabaseTransaction, key: string) {
  const delivery = await findDelivery(trx, key);
  return delivery && messageSchema.parse(JSON.parse(delivery.payload));
}

/** The message is edited, and its thread told once. */
async function enqueueCorrection(
  trx: DatabaseTransaction,
  { kind, channel }: StoredBudget,
  payload: Correction,
  now: Date,
): Promise<void> {
  const kinds = deliveryKindsOf(kind);
  const key = `${payload.messageKey}:correction:${now.toISOString()}`;
  await enqueue(trx, { key, kind: kinds.correction, channel, payload, dueAt: now }, now);
  await enqueue(trx, { key: `${key}:note`, kind: kinds.note, channel, payload, dueAt: now }, now);
}
