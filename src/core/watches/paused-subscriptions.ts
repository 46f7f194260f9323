import { retryPaused } from '../outbox/attempts/paused.ts';
import { audit } from '../store/audit.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import {
  isPausedByPerson,
  type ChannelSubscription,
  type ChannelSubscriptionKey,
} from './channel-subscription-table.ts';
import { auditName, findChannelSubscription, ofKind, type ChannelSubjects } from './channel-subscriptions.ts';
import type { MissedEvents, PauseChange } from './pausing.ts';

/**
 * Pauses or resumes a subscription for a person. One that Quartermaster paused is set up again instead.
 *
 * @param missed for events that are announced after the pause
 * @returns `false` if another person was faster
 */
export async function changePause(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  { change, by, missed }: { change: PauseChange; by: string; missed: MissedEvents | undefined },
  now: Date,
): Promise<boolean> {
  const isPause = change === 'pause';
  const position = await missed?.lockPosition(trx);
  const fresh = { changedBy: by, failures: 0, lastError: null, updatedAt: now.toISOString() };
  const updated = await trx
    .updateTable('channelSubscriptions')
    .set({
      ...fresh,
      state: isPause ? 'paused' : 'active',
      ...(isPause && position !== undefined ? { since: position } : {}),
    })
    .where((where) => where.and({ ...key, state: isPause ? 'active' : 'paused' }))
    .$if(!isPause, (query) => query.where('changedBy', 'is not', null))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  const action = isPause ? 'paused' : 'resumed';
  await audit(trx, { about: auditName(key), actor: by, action, detail: key.subject || null }, now);
  if (isPause) return true;
  await retryPaused(trx, now);
  const resumed = await findChannelSubscription(trx, key);
  if (resumed) await missed?.announce(trx, resumed, now);
  return true;
}

/** Lists the active ones, and those that a person paused: they may get messages after *Resume*. */
export async function listResumable(db: Database | DatabaseTransaction, kind: string): Promise<ChannelSubscription[]> {
  return ofKind(db, kind)
    .where((where) => where.or([where('state', '=', 'active'), where('changedBy', 'is not', null)]))
    .orderBy('channel')
    .orderBy('subject')
    .execute();
}

/** Whether a person paused all subscriptions to which a message belongs. */
export async function arePaused(db: Database, { kind, channel, subjects }: ChannelSubjects): Promise<boolean> {
  const theirs = await ofKind(db, kind).where('channel', '=', channel).where('subject', 'in', subjects).execute();
  return theirs.length > 0 && theirs.every((one) => isPausedByPerson(one));
}
