import type { FailureReport, StoppedSubscription } from '../../../../core/outbox/message-duties.ts';
import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import { ownerOf, auditSubject, titleOf } from '../core/budget.ts';
import type { Notice, Summary } from '../core/budget-payload.ts';
import { findStoredAlert, removeBudget } from '../core/budget-store.ts';
import { audit, BOT_ACTOR } from '../../../../core/store/audit.ts';

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

/** Returns undefined if the budget ended before or is a channel’s. `why` is null if the person stopped it. */
export async function stopBudget(
  trx: DatabaseTransaction,
  id: string,
  person: string,
  why: string | null,
  now: Date,
): Promise<StoppedSubscription | undefined> {
  const alert = await findStoredAlert(trx, id);
  if (!alert || alert.channel !== person) return undefined;
  const actor = why === null ? person : BOT_ACTOR;
  if (!(await removeBudget(trx, id, why === null ? person : null, now))) return undefined;
  await audit(trx, { about: auditSubject(id), actor, action: 'ended it for its recipient', detail: why }, now);
  return { owner: ownerOf(alert) ?? null, what: `“${titleOf(alert)}”` };
}
