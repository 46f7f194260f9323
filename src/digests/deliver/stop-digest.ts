import type { StoppedSubscription } from '../../outbox/message-duties.ts';
import { findSubscription, pauseSubscription } from '../../schedule/subscriptions.ts';
import { audit, BOT_ACTOR } from '../../store/audit.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { aboutDigest, titleWords } from '../core/describe.ts';

/**
 * Pauses a digest whose messages go to this person alone; a digest of a channel is left alone.
 *
 * @param why a sentence; null if the person stopped it
 * @returns undefined if it was not active or belongs to a channel
 */
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
