import { z } from 'zod';
import type { DeliveryKind, Preparation } from '../../outbox/attempt.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { prepareAfter } from '../../slack/outbound/posted-message.ts';
import type { MessagePlace } from '../../outbox/poster.ts';
import { countChannelFailure, forgetChannelFailures } from '../../watches/channel-subscriptions.ts';
import type { Database } from '../../store/tables.ts';
import { diffClassified } from '../diff/diff.ts';
import type { ControlsDeps } from '../core/deps.ts';
import { editSchema, growthSchema, readNotice, threadKey, threadSchema, type Notice } from '../core/payload.ts';
import { settingsOf, findRevision } from '../core/revisions.ts';
import { CONTROLS_KIND, EVERYTHING, filterOf, findWatch, type WatchFilter } from '../watch/watches.ts';
import { readFooter } from './acknowledge.ts';
import { manyThread, manyNotice } from './many.ts';
import {
  burstNotice,
  cameBackNotice,
  revisionNotice,
  rewrittenNotice,
  wentBackNotice,
  type Gap,
  type RenderedNotice,
} from './messages.ts';
import { readRevisionChanges, type RevisionChanges } from './revision-changes.ts';
import { changeParts, threadParts } from './thread.ts';
import { waitForEarlier } from './order.ts';

type Deps = Pick<ControlsDeps, 'db' | 'clock'>;

const GONE: Preparation = { kind: 'skip', reason: 'The channel no longer watches the controls.' };
const memoSchema = z.object({ hasThread: z.boolean().optional(), parts: z.number().optional() });
const memoOf = ({ memo }: Delivery) => (memo === null ? {} : (memoSchema.safeParse(JSON.parse(memo)).data ?? {}));

/** The message about one revision, or about a burst of them. It waits for those before it, so that all come in order. */
export function noticeDelivery(deps: Deps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const filter = await watchedFilter(deps.db, delivery.channel);
      if (!filter) return GONE;
      const wait = await waitForEarlier(deps, delivery, `controls:${delivery.channel}:`);
      if (wait) return wait;
      const rendered = await renderNotice(deps.db, delivery.key, readNotice(delivery), filter);
      if (!rendered) return { kind: 'skip', reason: 'It holds nothing that this channel gets, or is no longer kept.' };
      return { kind: 'send', message: rendered.message, memo: JSON.stringify({ hasThread: rendered.hasThread }) };
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { key, channel } = delivery;
      const subscribed = { kind: CONTROLS_KIND, channel, subjects: [''] };
      if (settlement.state === 'failed')
        await countChannelFailure(trx, subscribed, { key, reason: settlement.reason }, now);
      if (settlement.state !== 'sent') return;
      await forgetChannelFailures(trx, subscribed);
      if (!memoOf(delivery).hasThread) return;
      const payload = { mainKey: delivery.key, revisions: [], part: 0 };
      const reply = { key: threadKey(delivery.key, 0, 0), kind: 'controls-thread', channel: delivery.channel, payload };
      await enqueue(trx, { ...reply, dueAt: now }, now);
    },
  };
}

/** Nothing for a channel that has stopped watching. */
async function watchedFilter(db: Database, channel: string): Promise<WatchFilter | undefined> {
  const watch = await findWatch(db, channel);
  return watch && filterOf(watch);
}

async function renderNotice(
  db: Database,
  key: string,
  notice: Notice,
  filter: WatchFilter,
): Promise<RenderedNotice | undefined> {
  const footer = (through: number) => readFooter(db, key, through);
  switch (notice.kind) {
    case 'single':
    case 'burst':
      return renderRevisions(db, key, { revisions: revisionsOf(notice), gap: notice.gap }, filter);
    case 'many':
      return manyNotice(db, notice, filter, footer);
    case 'came_back':
      return cameBackNotice(notice);
    case 'went_back':
      return wentBackNotice(notice);
    case 'rewritten': {
      const row = await findRevision(db, notice.revision);
      return row && rewrittenNotice(row, diffClassified(notice.before, settingsOf(row)));
    }
    default:
      return notice satisfies never;
  }
}

/** One revision in full, several by their outlines. */
async function renderRevisions(
  db: Database,
  key: string,
  { revisions, gap }: { revisions: readonly number[]; gap: Gap },
  filter: WatchFilter,
): Promise<RenderedNotice | undefined> {
  const all = await readAllRevisionChanges(db, revisions, filter);
  const shown = filter.onlyWeaker ? all.filter(({ changes }) => changes.length > 0) : all;
  const [first, ...others] = shown;
  if (!first) return undefined;
  const footer = await readFooter(db, key, Math.max(...revisions));
  return others.length === 0 ? revisionNotice(first, gap, 'channel', footer) : burstNotice(shown, gap, footer);
}

async function readAllRevisionChanges(
  db: Database,
  revisions: readonly number[],
  filter: WatchFilter,
): Promise<RevisionChanges[]> {
  const allRevisionChanges: RevisionChanges[] = [];
  for (const revision of revisions) {
    const revisionChanges = await readRevisionChanges(db, revision, filter);
    if (revisionChanges) allRevisionChanges.push(revisionChanges);
  }
  return allRevisionChanges;
}

/** All of a notice, in its thread: one message after another. */
export function threadDelivery(deps: Deps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { mainKey, revisions, part } = threadSchema.parse(JSON.parse(delivery.payload));
      return prepareAfter(deps, { key: mainKey, what: 'notice' }, async (replyTo, main) => {
        const wait = await waitForEarlier(deps, delivery, `${mainKey}:thread:`);
        if (wait) return wait;
        const all = await wholeOf(deps.db, main, revisions, delivery.channel);
        const one = all[part];
        if (!one) return { kind: 'skip', reason: 'There is nothing more to say.' };
        return { kind: 'send', message: { ...one, replyTo }, memo: JSON.stringify({ parts: all.length }) };
      });
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const { mainKey, revisions, part } = threadSchema.parse(JSON.parse(delivery.payload));
      if (settlement.state !== 'sent' || part + 1 >= (memoOf(delivery).parts ?? 0)) return;
      const payload = { mainKey, revisions, part: part + 1 };
      const key = threadKey(mainKey, revisions[0] ?? 0, part + 1);
      await enqueue(trx, { key, kind: 'controls-thread', channel: delivery.channel, payload, dueAt: now }, now);
    },
  };
}

async function wholeOf(db: Database, main: Delivery, revisions: readonly number[], channel: string) {
  const notice = readNotice(main);
  const filter = (await watchedFilter(db, channel)) ?? EVERYTHING;
  if (notice.kind === 'rewritten') {
    const row = await findRevision(db, notice.revision);
    return changeParts(row ? diffClassified(notice.before, settingsOf(row)) : []);
  }
  if (notice.kind === 'many') return manyThread(db, notice, filter);
  return threadParts(await readAllRevisionChanges(db, revisions.length > 0 ? revisions : revisionsOf(notice), filter));
}

function revisionsOf(notice: Notice): number[] {
  if (notice.kind === 'burst') return notice.revisions;
  return notice.kind === 'single' ? [notice.revision] : [];
}

/** A notice that is about more revisions now (`growth`), or that somebody has `acknowledged`: it says so. */
export const noticeEditDelivery = (deps: Deps, why: 'growth' | 'acknowledged') =>
  deliveryOf(editSchema, ({ mainKey }, delivery) =>
    prepareAfter(deps, { key: mainKey, what: 'notice' }, (place, main) =>
      editNotice(deps, delivery, { place, main, prefix: `${mainKey}:${why}:` }),
    ),
  );

/** Writes a notice again, from what is true when it is written: several edits in a row end in the same message. */
async function editNotice(
  deps: Deps,
  delivery: Delivery,
  { place, main, prefix }: { place: MessagePlace; main: Delivery; prefix: string },
): Promise<Preparation> {
  const wait = await waitForEarlier(deps, delivery, prefix);
  if (wait) return wait;
  const notice = readNotice(main);
  const filter = await watchedFilter(deps.db, delivery.channel);
  if (!filter) return GONE;
  const grown = await grownTo(deps.db, main.key);
  const rendered =
    grown && (notice.kind === 'single' || notice.kind === 'burst')
      ? await renderRevisions(deps.db, main.key, { revisions: grown, gap: notice.gap }, filter)
      : await renderNotice(deps.db, main.key, notice, filter);
  return rendered ? { kind: 'edit', place, message: rendered.message } : GONE;
}

/** The revisions that a notice is about by now; nothing when it has not grown. */
async function grownTo(db: Database, mainKey: string): Promise<readonly number[] | undefined> {
  const growths = await db
    .selectFrom('deliveries')
    .select('payload')
    .where('kind', '=', 'controls-growth')
    .where('key', 'like', `${mainKey}:growth:%`)
    .execute();
  const all = growths.map(({ payload }) => growthSchema.parse(JSON.parse(payload)).revisions);
  return all.toSorted((one, other) => other.length - one.length)[0];
}
