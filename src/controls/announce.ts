import { setImmediate as nextTurn } from 'node:timers/promises';
import { enqueue } from '../outbox/deliveries.ts';
import type { DatabaseTransaction } from '../store/database.ts';
import { planNotices, type Plan } from './bursts.ts';
import { moveCursor } from './cursor.ts';
import type { ControlsParts } from './parts.ts';
import { growthKey, noticeKey, threadKey, type Notice } from './payload.ts';
import {
  findRevision,
  forgetAfter,
  membersOf,
  replaceRevision,
  settingsOf,
  type RevisionOutline,
} from './revisions.ts';
import { tablesInTransaction, type ControlsCursor, type RevisionRow, type Watch } from './tables.ts';
import { activeWatches, hearsOf, namesOf, noteRecent, recentOf } from './watches.ts';

/** What is new in the history. */
export interface News {
  /** In their order. */
  pending: readonly RevisionOutline[];
  /** Told of before, with another content now. */
  rewritten: readonly RevisionRow[];
  /** The last one that was told of is not shown any more. */
  isKnownGone: boolean;
}

/** Moves the cursor past the new revisions and puts what every watch hears of them into the outbox: both or neither. */
export async function announce(parts: ControlsParts, cursor: ControlsCursor, news: News): Promise<void> {
  const now = parts.clock.now();
  const befores = await Promise.all(news.rewritten.map(({ revision }) => findRevision(parts.db, revision)));
  const revision = news.pending.at(-1)?.revision ?? cursor.revision;
  parts.observe('before_move');
  const isOurs = await parts.db.transaction().execute(async (trx) => {
    if (!(await moveCursor(trx, cursor, { revision, epoch: cursor.epoch, startedAt: now }))) return false;
    const tables = tablesInTransaction(trx);
    for (const watch of await activeWatches(tables)) {
      await tellWatch(trx, watch, { cursor, news, now });
      for (const row of befores) {
        if (!row) continue;
        const notice: Notice = { kind: 'rewritten', revision: row.revision, before: settingsOf(row) };
        const digest = news.rewritten.find((one) => one.revision === row.revision)?.digest ?? '';
        await enqueueNotice(
          trx,
          watch.channel,
          noticeKey(watch.channel, cursor.epoch, row.revision, `:rewritten:${digest}`),
          notice,
          now,
        );
      }
    }
    for (const row of news.rewritten) await replaceRevision(tables, row);
    parts.observe('in_move');
    return true;
  });
  if (!isOurs) return;
  parts.log.info({ revisions: news.pending.length, last: revision }, 'New revisions of the enterprise controls');
  parts.wakeOutbox();
}

interface Telling {
  cursor: ControlsCursor;
  news: News;
  now: Date;
}

async function tellWatch(trx: DatabaseTransaction, watch: Watch, { cursor, news, now }: Telling): Promise<void> {
  const { channel } = watch;
  const names = namesOf(watch);
  const heard = news.pending.filter((row) => row.revision > (watch.since_revision ?? -Infinity) && isHeard(row, names));
  if (heard.length === 0) return;
  const { plans, recent } = planNotices(
    recentOf(watch),
    heard.map((row) => ({
      revision: row.revision,
      atMs: Date.parse(row.changed_at),
      by: row.user_email ?? row.user_id ?? row.user_name ?? '',
    })),
    (first) => noticeKey(channel, cursor.epoch, first),
  );
  for (const [index, plan] of plans.entries()) {
    await enqueuePlan(trx, channel, plan, { cursor, news, now });
    // SQLite answers without a turn of the event loop, and after days there are hundreds.
    if (index % 20 === 19) await nextTurn();
  }
  await noteRecent(tablesInTransaction(trx), channel, recent);
}

/** Whoever hears of everything hears of a revision in which nothing can be seen to change, too. */
function isHeard(row: RevisionOutline, names: readonly string[]): boolean {
  return names.length === 0 || membersOf(row).some((member) => hearsOf(names, member));
}

async function enqueuePlan(trx: DatabaseTransaction, channel: string, plan: Plan, telling: Telling): Promise<void> {
  const { cursor, now } = telling;
  if (plan.kind === 'more') {
    const [first = 0] = plan.revisions;
    const thread = { mainKey: plan.key, revisions: plan.revisions, part: 0 };
    const growth = { mainKey: plan.key, revisions: plan.all };
    const base = { channel, dueAt: now };
    await enqueue(trx, { ...base, key: threadKey(plan.key, first, 0), kind: 'controls-thread', payload: thread }, now);
    await enqueue(trx, { ...base, key: growthKey(plan.key, first), kind: 'controls-growth', payload: growth }, now);
    return;
  }
  const revisions = plan.kind === 'single' ? [plan.revision] : plan.revisions;
  const gap = gapBefore(revisions, telling);
  const about: Notice =
    plan.kind === 'single'
      ? { kind: 'single', revision: plan.revision, gap }
      : { kind: 'burst', revisions, earlier: plan.earlier, gap };
  await enqueueNotice(trx, channel, noticeKey(channel, cursor.epoch, revisions[0] ?? 0), about, now);
}

/** What lies between a revision and the one before that the history shows. */
function gapBefore(revisions: readonly number[], { cursor, news }: Telling) {
  const first = news.pending[0]?.revision;
  const gaps = news.pending
    .filter(({ revision }) => revisions.includes(revision))
    .map((row) => {
      const before = row.previous ?? cursor.revision;
      const isKnownGone = news.isKnownGone && row.revision === first;
      const isJump = before !== null && row.revision - before > 1;
      return before !== null && (isJump || isKnownGone) ? { after: before, isKnownGone } : undefined;
    });
  return gaps.find((gap) => gap !== undefined);
}

async function enqueueNotice(
  trx: DatabaseTransaction,
  channel: string,
  key: string,
  payload: Notice,
  now: Date,
): Promise<void> {
  await enqueue(trx, { key, kind: 'controls-notice', channel, payload, dueAt: now }, now);
}

/** The history ends before what was told of: it is said as it is, and the watch goes on from there. */
export async function announceWentBack(parts: ControlsParts, cursor: ControlsCursor, to: number | null): Promise<void> {
  const now = parts.clock.now();
  const epoch = cursor.epoch + 1;
  const from = cursor.revision ?? 0;
  parts.observe('before_move');
  await parts.db.transaction().execute(async (trx) => {
    if (!(await moveCursor(trx, cursor, { revision: to, epoch, startedAt: now }))) return;
    const tables = tablesInTransaction(trx);
    for (const { channel } of await activeWatches(tables)) {
      const notice: Notice = { kind: 'went_back', from, to };
      await enqueueNotice(trx, channel, noticeKey(channel, epoch, to ?? 0, ':went-back'), notice, now);
    }
    await tables
      .updateTable('controls_watches')
      .set({ since_revision: to, recent: '{"told":[],"bursts":[]}' })
      .execute();
    await forgetAfter(tables, to);
    parts.observe('in_move');
  });
  parts.log.warn({ from, to }, 'The history of the enterprise controls went back');
  parts.wakeOutbox();
}
