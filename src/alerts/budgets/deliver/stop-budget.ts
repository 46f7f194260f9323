import type { StoppedSubscription } from '../../../outbox/message-duties.ts';
import { audit, BOT_ACTOR } from '../../../store/audit.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import { auditSubject, ownerOf, titleOf } from '../core/budget.ts';
import { findStoredAlert, removeBudget } from '../core/budget-store.ts';

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
