import type { StoppedSubscription } from '../../../core/outbox/message-duties.ts';
import { findSubscription, pauseSubscription } from '../../../core/schedule/subscriptions.ts';
import { audit, BOT_ACTOR } from '../../../core/store/audit.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { aboutDigest, titleWords } from '../core/describe.ts';

/** Returns undefined if the digest was not active or is a channel’s. `why` is null if the person stopped it. */
export async function stopDigest(
  trx: DatabaseTransaction,
  id: string,
  person: string,
  why: string | null,
  now: Date,
): Promise<StoppedSubscription | undefined> {
  const subscription = await findSubscription(trx, 'digest', id);
  if (subscription?.channel !== person) return undefined;
  const by = why === null ? person : null;
  if (!(await pauseSubscription(trx, id, by, why, now))) return undefined;
  await audit(trx, { about: aboutDigest(id), actor: by ?? BOT_ACTOR, action: 'paused', detail: why }, now);
  return { owner: subscription.owner, what: titleWords(subscription) };
}
