import { OPEN_DELIVERIES } from '../../../core/outbox/deliveries.ts';
import { restartAllFrom } from '../../../core/watches/channel-subscriptions.ts';
import type { ChannelSubscription } from '../../../core/watches/channel-subscription-table.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { NOTHING_RECENT, planNotices, type Plan } from '../core/bursts.ts';
import { moveCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import {
  controlsGrowth,
  controlsNotice,
  controlsThread,
  growthKey,
  noticeKey,
  threadKey,
  type Notice,
} from '../core/revision-payload.ts';
import {
  type ControlsCursor,
  type ControlsTransaction,
  type RevisionOutline,
  type RevisionRow,
  UNREADABLE,
  findRevision,
  forgetAfter,
  listUnreadable,
  replaceRevision,
  settingsOf,
  tablesInTransaction,
} from '../core/revisions.ts';
import { controlsWatches, isRelevant } from '../core/watches.ts';
import { batchesOf } from '../../../core/base/time/turns.ts';

export interface NewRevisions {
  pending: readonly RevisionOutline[];
  /** Announced before, with different content now. */
  rewritten: readonly RevisionRow[];
  /** Numbers of revisions whose settings cannot be read; sorted. */
  unreadable: readonly number[];
  /** Announced as unreadable before. */
  readableNow: readonly RevisionOutline[];
  /** The history no longer shows the last announced revision. */
  isKnownGone: boolean;
}

/** Advances the cursor past the new revisions and enqueues the messages for every watch: both or neither. */
export async function enqueueNewRevisions(
  deps: ControlsDeps,
  cursor: ControlsCursor,
  news: NewRevisions,
): Promise<void> {
  const now = deps.clock.now();
  const befores = await Promise.all(news.rewritten.map(({ revision }) => findRevision(deps.db, revision)));
  const known = [cursor.revision, news.pending.at(-1)?.revision, news.unreadable.at(-1)];
  const revision = known.reduce<number | null>(
    (latest, one) => (one === undefined || one === null ? latest : Math.max(latest ?? one, one)),
    null,
  );
  const unreadableBefore = await listUnreadable(deps.db);
  await deps.checkpoint('controls:before_move');
  const isOurs = await deps.db.transaction().execute(async (trx) => {
    if (!(await moveCursor(trx, cursor, { revision, epoch: cursor.epoch, startedAt: now }))) return false;
    const tables = tablesInTransaction(trx);
    const newUnreadable = await withoutAnnounced(
      tables,
      news.unreadable.map((one) => ({ revision: one, digest: UNREADABLE })),
    );
    const unreadable = newUnreadable.map((one) => one.revision);
    const fresh = {
      ...news,
      pending: await withoutAnnounced(tables, news.pending),
      unreadable: [...unreadableBefore, ...unreadable],
    };
    await recordAnnounced(tables, [...newUnreadable, ...news.readableNow]);
    const cameBack = news.pending.length - fresh.pending.length;
    await recordAnnounced(tables, fresh.pending);
    for (const watch of await controlsWatches.listResumable(trx)) {
      const { channel, state } = watch;
      const keyed = (about: number, suffix: string) => ({
        channel,
        key: noticeKey(channel, cursor.epoch, about, suffix),
      });
      if (cameBack > 0) {
        const notice: Notice = { kind: 'came_back', revisions: cameBack, to: revision ?? 0 };
        await enqueueNotice(trx, keyed(0, ':came-back'), notice, now);
      }
      // After *Resume*, one message announces the revisions. The outbox keeps the other notices until then.
      if (state === 'active') await enqueueForWatch(trx, watch, { cursor, news: fresh, now });
      const [first] = unreadable;
      if (first !== undefined)
        await enqueueNotice(trx, keyed(first, ':unreadable'), { kind: 'unreadable', revisions: unreadable }, now);
      for (const row of news.readableNow.filter((one) => isRelevant(one, controlsWatches.optionsOf(watch))))
        await enqueueNotice(trx, keyed(row.revision, ':readable'), { kind: 'single', revision: row.revision }, now);
      for (const row of befores) {
        if (!row) continue;
        const notice: Notice = { kind: 'rewritten', revision: row.revision, before: settingsOf(row) };
        const digest = news.rewritten.find((one) => one.revision === row.revision)?.digest ?? '';
        await enqueueNotice(trx, keyed(row.revision, `:rewritten:${digest}`), notice, now);
      }
    }
    for (const row of news.rewritten) await replaceRevision(tables, row);
    await deps.checkpoint('controls:in_move');
    return true;
  });
  if (!isOurs) return;
  deps.log.info({ revisions: news.pending.length, last: revision }, 'New revisions of the enterprise controls');
}

interface NotifyContext {
  cursor: ControlsCursor;
  news: NewRevisions;
  now: Date;
}

async function enqueueForWatch(
  trx: DatabaseTransaction,
  watch: ChannelSubscription,
  { cursor, news, now }: NotifyContext,
): Promise<void> {
  const { channel } = watch;
  const filter = controlsWatches.optionsOf(watch);
  const relevant = news.pending.filter((row) => row.revision > (watch.since ?? -Infinity) && isRelevant(row, filter));
  if (relevant.length === 0) return;
  const { plans, recent } = planNotices(
    controlsWatches.recentOf(watch) ?? NOTHING_RECENT,
    relevant.map((row) => ({
      revision: row.revision,
      atMs: Date.parse(row.changedAt),
      by: row.userEmail ?? row.userId ?? row.userName ?? '',
    })),
    (first) => noticeKey(channel, cursor.epoch, first),
  );
  if (plans.length > 1 && plans.length + (await countPending(trx, channel)) > MAX_PENDING) {
    return enqueueSummary(trx, channel, relevant, { cursor, news, now });
  }
  for (const plan of plans) await enqueuePlan(trx, channel, plan, { cursor, news, now });
  await controlsWatches.storeRecent(trx, channel, recent);
}

/** A channel takes one message a second, and more messages would not be read. */
const MAX_PENDING = 20;

async function countPending(trx: DatabaseTransaction, channel: string): Promise<number> {
  const rows = await trx
    .selectFrom('deliveries')
    .select('key')
    .where((where) => where.and({ channel, kind: controlsNotice.name }))
    .where(OPEN_DELIVERIES)
    .limit(MAX_PENDING)
    .execute();
  return rows.length;
}

async function enqueueSummary(
  trx: DatabaseTransaction,
  channel: string,
  relevant: readonly RevisionOutline[],
  context: NotifyContext,
): Promise<void> {
  const revisions = relevant.map(({ revision }) => revision);
  const [first = 0, last = 0] = [revisions[0], revisions.at(-1)];
  const notice: Notice = { kind: 'many', first, last, gap: gapBefore(revisions, context) };
  const key = noticeKey(channel, context.cursor.epoch, first);
  await enqueueNotice(trx, { channel, key }, notice, context.now, dueOf(relevant, context.now));
  await controlsWatches.storeRecent(trx, channel, NOTHING_RECENT);
}

/** The time from which a notice may already be in the channel, if the store was restored to an earlier state. */
function dueOf(rows: readonly Pick<RevisionOutline, 'changedAt'>[], now: Date): Date {
  return new Date(Math.min(now.getTime(), ...rows.slice(0, 100).map((row) => Date.parse(row.changedAt))));
}

async function enqueuePlan(
  trx: DatabaseTransaction,
  channel: string,
  plan: Plan,
  context: NotifyContext,
): Promise<void> {
  const { cursor, now } = context;
  if (plan.kind === 'more') {
    const [first = 0] = plan.revisions;
    // The message of one revision left its thread empty, and is about to show less of that revision.
    const isSecond = plan.all.length - plan.revisions.length === 1;
    const thread = { mainKey: plan.key, revisions: isSecond ? plan.all : plan.revisions, part: 0 };
    const growth = { mainKey: plan.key, revisions: plan.all };
    const base = { to: channel, about: plan.key };
    await controlsThread.enqueue(trx, { ...base, key: threadKey(plan.key, first, 0), payload: thread }, now);
    await controlsGrowth.enqueue(trx, { ...base, key: growthKey(plan.key, first), payload: growth }, now);
    return;
  }
  const revisions = plan.kind === 'single' ? [plan.revision] : plan.revisions;
  const gap = gapBefore(revisions, context);
  const about: Notice =
    plan.kind === 'single' ? { kind: 'single', revision: plan.revision, gap } : { kind: 'burst', revisions, gap };
  const rows = context.news.pending.filter(({ revision }) => revisions.includes(revision));
  const key = noticeKey(channel, cursor.epoch, revisions[0] ?? 0);
  await enqueueNotice(trx, { channel, key }, about, now, dueOf(rows, now));
}

function gapBefore(revisions: readonly number[], { cursor, news }: NotifyContext) {
  const first = news.pending[0]?.revision;
  const about = new Set(revisions);
  const gaps = news.pending
    .filter(({ revision }) => about.has(revision))
    .map((row) => {
      const before = row.previous ?? cursor.revision;
      const isKnownGone = news.isKnownGone && row.revision === first;
      const between = news.unreadable.filter((one) => one > (before ?? 0) && one < row.revision);
      const isJump = before !== null && row.revision - before - between.length > 1;
      return before !== null && (isJump || isKnownGone) ? { after: before, isKnownGone } : undefined;
    });
  return gaps.find((gap) => gap !== undefined);
}

async function enqueueNotice(
  trx: DatabaseTransaction,
  { channel: to, key }: { channel: string; key: string },
  payload: Notice,
  now: Date,
  dueAt = now,
): Promise<void> {
  await controlsNotice.enqueue(trx, { key, to, payload, dueAt }, now);
}

/** Announces that the history ends before the last announced revision. The watch resumes from that point. */
export async function announceWentBack(deps: ControlsDeps, cursor: ControlsCursor, to: number | null): Promise<void> {
  const now = deps.clock.now();
  const epoch = cursor.epoch + 1;
  const from = cursor.revision ?? 0;
  await deps.checkpoint('controls:before_move');
  await deps.db.transaction().execute(async (trx) => {
    if (!(await moveCursor(trx, cursor, { revision: to, epoch, startedAt: now }))) return;
    const tables = tablesInTransaction(trx);
    for (const { channel } of await controlsWatches.listResumable(trx)) {
      const key = noticeKey(channel, epoch, to ?? 0, ':went-back');
      await enqueueNotice(trx, { channel, key }, { kind: 'went_back', from, to }, now);
    }
    await restartAllFrom(trx, controlsWatches.kind, to);
    await forgetAfter(tables, to);
    await deps.checkpoint('controls:in_move');
  });
  deps.log.warn({ from, to }, 'The history of the enterprise controls was reset');
}

type Announcement = Pick<RevisionRow, 'revision' | 'digest'>;

/** Marks revisions as announced. Those before the first watch count as announced, too. */
export async function recordAnnounced(trx: ControlsTransaction, rows: readonly Announcement[]): Promise<void> {
  for (const some of batchesOf(rows, { maxItems: 500 })) {
    await trx
      .insertInto('controlsAnnounced')
      .values(some.map(({ revision, digest }) => ({ revision, digest })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Returns the revisions that have not been announced with this content. They are sorted by number. */
async function withoutAnnounced<Row extends Announcement>(
  trx: ControlsTransaction,
  rows: readonly Row[],
): Promise<Row[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const announced = await trx
    .selectFrom('controlsAnnounced')
    .select(['revision', 'digest'])
    .where('revision', '>=', first.revision)
    .where('revision', '<=', last.revision)
    .execute();
  const announcedKeys = new Set(announced.map(({ revision, digest }) => `${revision} ${digest}`));
  return rows.filter(({ revision, digest }) => !announcedKeys.has(`${revision} ${digest}`));
}
