import type { StoppedSubscription } from '../../../outbox/message-duties.ts';
import { audit, BOT_ACTOR } from '../../../store/audit.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import { auditSubject, titleOf } from '../core/budget.ts';
import { findStoredBudget, removeBudget } from '../core/budget-store.ts';

/** Returns undefined if the budget ended before or is a channel’s. `why` is null if the person stopped it. */
export async function stopBudget(
  trx: DatabaseTransaction,
  id: string,
  person: string,
  why: string | null,
  now: Date,
): Promise<StoppedSubscription | undefined> {
  const budget = (await findStoredBudget(trx, id)) ?? (await findStoredBudget(trx, id, 'heads_up'));
  if (budget?.channel !== person) return undefined;
  const actor = why === null ? person : BOT_ACTOR;
  if (!(await removeBudget(trx, id, why === null ? person : null, now))) return undefined;
  await audit(trx, { about: auditSubject(id), actor, action: 'ended it for its recipient', detail: why }, now);
  return { owner: budget.owner ?? null, what: `“${titleOf(budget)}”` };
}
