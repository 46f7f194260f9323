import type { Reader } from '../../../outbox/reader.ts';
import type { HookDeps } from '../core/hooks-deps.ts';
import { morningKey, morningSummary } from '../core/session-messages.ts';
import { quietUntil } from '../core/quiet.ts';
import type { HookInbox, HookSession } from '../core/session-tables.ts';

/** Cards are still edited, because an edit makes no sound. Returns whether the news was deferred. */
export async function deferToQuietEnd(
  { db, clock }: Pick<HookDeps, 'db' | 'clock'>,
  { id, owner, state, mutedAt }: HookSession,
  { quietFrom: from, quietUntil: until }: HookInbox,
  reader: Reader,
): Promise<boolean> {
  if (from === null || until === null || state === 'working' || mutedAt !== null) return false;
  const now = clock.now();
  const zone = reader.kind === 'person' ? reader.timeZone : 'UTC';
  const end = quietUntil({ from, until }, zone, now);
  if (!end) return false;
  const key = morningKey(owner, end.at);
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('hookSessions').set({ heldFor: key }).where('id', '=', id).execute();
    const payload = { until: end.at.toISOString() };
    await morningSummary.enqueue(trx, { key, to: owner, payload, dueAt: end.at }, now);
  });
  return true;
}
