import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { NOTHING_RECENT } from '../core/bursts.ts';
import { lockCursor } from '../core/cursor.ts';
import { controlsNotice, noticeKey, type Notice } from '../core/revision-payload.ts';
import { outlinesAfter } from '../core/revisions.ts';
import { controlsWatches, isRelevant } from './watches.ts';

/** Enqueues one notice about the revisions that were announced elsewhere while the watch was paused. */
export async function announceMissed(trx: DatabaseTransaction, watch: ChannelSubscription, now: Date): Promise<void> {
  const cursor = await lockCursor(trx);
  const through = cursor?.revision;
  if (through == null) return;
  const { channel, since } = watch;
  const filter = controlsWatches.optionsOf(watch);
  const missed = (await outlinesAfter(trx, since)).filter((row) => row.revision <= through && isRelevant(row, filter));
  const [first, last] = [missed[0]?.revision, missed.at(-1)?.revision];
  if (first === undefined || last === undefined) return;
  const notice: Notice = first === last ? { kind: 'single', revision: first } : { kind: 'many', first, last };
  await controlsNotice.enqueue(
    trx,
    { key: noticeKey(channel, cursor?.epoch ?? 1, first), to: channel, payload: notice },
    now,
  );
  await controlsWatches.storeRecent(trx, channel, NOTHING_RECENT);
}
