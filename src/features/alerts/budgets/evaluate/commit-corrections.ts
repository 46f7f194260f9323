import type { Admission } from '../../../../core/figures/groups/admission.ts';
import { readPriceList } from '../../../../core/figures/money/price-list.ts';
import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import { budgetMessage, correctionKindsOf, headsUpMessage, ownerMessage } from '../core/budget-messages.ts';
import { amountsOf, type Correction, type Notice, type Summary } from '../core/budget-payload.ts';
import { tablesIn, type MarkRow, type StoredAlert } from '../core/budget-store.ts';
import type { Figures } from '../core/decide.ts';
import { LostRace } from '../../lost-race.ts';
import type { PeriodPlan } from './plan.ts';

type Admissions = ReadonlyMap<string, Admission>;

/** Withdraws marks, with one correction for each message, however many of its thresholds are withdrawn. */
export async function withdrawMarks(
  trx: DatabaseTransaction,
  budget: StoredAlert,
  withdraw: PeriodPlan['withdraw'],
  admissions: Admissions,
  now: Date,
): Promise<void> {
  for (const [key, withdrawn] of Map.groupBy(withdraw, ({ row }) => row.deliveryKey ?? '')) {
    for (const { row } of withdrawn) await withdrawMark(trx, row);
    const [first] = withdrawn;
    const original = await findMessage(trx, key);
    const admission = admissions.get(key);
    if (!first || !admission || original?.payload.kind !== 'crossed') continue;
    const before = original.payload;
    const amounts = amountsOf(budget, first.figures, admission, await readPriceList(trx));
    const after = { ...before, said: { ...before.said, ...amounts } };
    const standing = await stillCrossed(trx, key);
    await enqueueCorrection(trx, budget, original, { messageKey: key, before, after, standing }, now);
  }
}

async function withdrawMark(trx: DatabaseTransaction, mark: MarkRow): Promise<void> {
  const { budgetId, periodFirst, basis, percent, credits, round } = mark;
  const updated = await tablesIn(trx)
    .updateTable('budgetMarks')
    .set({ state: 'withdrawn' })
    .where((where) => where.and({ budgetId, periodFirst, basis, percent, credits, round, state: 'told' }))
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new LostRace();
}

async function stillCrossed(trx: DatabaseTransaction, key: string): Promise<Correction['standing']> {
  const rows = await tablesIn(trx)
    .selectFrom('budgetMarks')
    .select(['basis', 'percent'])
    .where((where) => where.and({ deliveryKey: key, state: 'told' }))
    .execute();
  return rows.flatMap(({ basis, percent }) => (basis === 'summary' ? [] : [{ basis, percent }]));
}

export async function correctSummary(
  trx: DatabaseTransaction,
  budget: StoredAlert,
  row: MarkRow,
  figures: Figures,
  admissions: Admissions,
  now: Date,
): Promise<void> {
  const updated = await tablesIn(trx)
    .updateTable('budgetMarks')
    .set({ spent: figures.spent })
    .where((where) =>
      where.and({ budgetId: row.budgetId, periodFirst: row.periodFirst, basis: 'summary', spent: row.spent }),
    )
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new LostRace();
  const key = row.deliveryKey ?? '';
  const original = await findMessage(trx, key);
  const admission = admissions.get(key);
  if (!admission || original?.payload.kind !== 'summary') return;
  const before = original.payload;
  const { spent, cost } = amountsOf(budget, figures, admission, await readPriceList(trx));
  const after = { ...before, said: { ...before.said, spent, cost } };
  await enqueueCorrection(trx, budget, original, { messageKey: key, before, after, standing: [] }, now);
}

interface Original {
  kind: string;
  channel: string;
  payload: Notice | Summary;
}

async function findMessage(trx: DatabaseTransaction, key: string): Promise<Original | undefined> {
  return (
    (await budgetMessage.find(trx, key)) ?? (await ownerMessage.find(trx, key)) ?? (await headsUpMessage.find(trx, key))
  );
}

async function enqueueCorrection(
  trx: DatabaseTransaction,
  { id: about }: StoredAlert,
  original: Original,
  payload: Correction,
  now: Date,
): Promise<void> {
  const { edit, note } = correctionKindsOf(original.kind);
  const key = `${payload.messageKey}:correction:${now.toISOString()}`;
  await edit.enqueue(trx, { key, to: original.channel, about, payload }, now);
  await note.enqueue(trx, { key: `${key}:note`, to: original.channel, about, payload }, now);
}
