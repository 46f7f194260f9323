import type { FailureReport } from '../../../outbox/message-duties.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import { ownerOf } from '../core/budget.ts';
import type { Notice, Summary } from '../core/budget-payload.ts';
import { findStoredAlert } from '../core/budget-store.ts';

/** Reports to the owner that a message could not be posted. */
export async function reportFailure(
  trx: DatabaseTransaction,
  { budgetId, said: { title } }: Pick<Notice | Summary, 'budgetId' | 'said'>,
): Promise<FailureReport[]> {
  const alert = await findStoredAlert(trx, budgetId);
  const owner = (alert && ownerOf(alert)) ?? null;
  const what = `A message about “${title}”`;
  if (alert?.kind === 'heads_up') return [{ owner, what }];
  return [{ owner, what, command: { command: '/budget', words: ['show', budgetId] } }];
}
