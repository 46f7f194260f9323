import type { FailureReport } from '../../../outbox/message-duties.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import type { Budget } from '../core/budget.ts';
import type { Notice, Summary } from '../core/budget-payload.ts';
import { findStoredBudget } from '../core/budget-store.ts';

/** Reports to the owner that a message of the budget could not be posted. */
export async function reportFailure(
  trx: DatabaseTransaction,
  { budgetId, said: { title } }: Pick<Notice | Summary, 'budgetId' | 'said'>,
  kind: Budget['kind'],
): Promise<FailureReport[]> {
  const owner = (await findStoredBudget(trx, budgetId, kind))?.owner ?? null;
  const what = `A message about “${title}”`;
  return [
    kind === 'heads_up' ? { owner, what } : { owner, what, command: { command: '/budget', words: ['show', budgetId] } },
  ];
}
