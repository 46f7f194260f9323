import { z } from 'zod';
import { parseJson } from '../../../core/base/text/parse-json.ts';
import type {
  EarlierMessageReference,
  EarlierMessage,
  StoredMessage,
  SubscriptionDuties,
  WriteDecision,
} from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import {
  forgetChannelFailures,
  reportChannelFailure,
  stopForPerson,
  type ChannelSubjects,
} from '../../../core/watches/channel-subscriptions.ts';
import { arePaused } from '../../../core/watches/paused-subscriptions.ts';
import type { Database } from '../../../core/store/tables.ts';
import { pseudonymizedSettings } from '../../../core/platform/pseudonymized.ts';
import type { JsonObject } from '../../../core/platform/redaction/json.ts';
import { diffClassified, type ClassifiedChange } from '../diff/diff.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { aftermathDueAt, writeAftermath } from './aftermath.ts';
import { namesModels, withNamedUse, type UseDeps } from './named-use.ts';
import {
  aftermathKey,
  controlsAcknowledgement,
  controlsAftermath,
  controlsGrowth,
  controlsNotice,
  controlsThread,
  threadKey,
  type Notice,
} from '../core/revision-payload.ts';
import { type RevisionRow, findRevision, settingsOf } from '../core/revisions.ts';
import { controlsWatches, EVERYTHING, type WatchFilter } from '../core/watches.ts';
import { readFooter } from './acknowledge.ts';
import { manyThread, manyNotice } from './many.ts';
import {
  burstNotice,
  cameBackNotice,
  revisionNotice,
  rewrittenNotice,
  rolledBackNotice,
  unreadableNotice,
  type Gap,
  type RenderedNotice,
} from './revision-messages.ts';
import { readRevisionChanges, type RevisionChanges } from './revision-changes.ts';
import { changeParts, threadParts } from './thread.ts';
import { waitForEarlier } from './order.ts';

type Deps = Pick<ControlsDeps, 'db' | 'erased'> & UseDeps;

const skip = (reason: string): WriteDecision => ({ kind: 'skip', reason });
const NOT_WATCHED = skip('The channel no longer watches the controls.');
const NO_EARLIER_MESSAGE = skip('The earlier message no longer exists.');
const NOTHING_TO_SHOW = skip('It contains nothing for this channel, or was deleted.');
const memoSchema = z.object({
  hasThread: z.boolean().optional(),
  parts: z.number().optional(),
  aftermath: z.object({ revision: z.number(), dueAt: z.iso.datetime() }).optional(),
});
const memoOf = ({ memo }: { memo: string | null }) => memoSchema.safeParse(parseJson(memo ?? '')).data ?? {};

const { kind } = controlsWatches;
const subscribedTo = (channel: string): ChannelSubjects => ({ kind, channel, subjects: [''] });

export function noticeMessages(deps: Deps): MessageHandler[] {
  const ofNotice = partDuties(deps, 'A message about the enterprise controls');
  const edit = { ...partDuties(deps, 'An update of a message about the enterprise controls'), ...followUp('edit') };
  return [
    controlsNotice.handledBy({
      ...ofNotice,
      write: (message) => writeNotice(deps, message),
      whenSent: async (trx, message, now) => {
        const { key, channel: to } = message;
        await forgetChannelFailures(trx, subscribedTo(to));
        const { hasThread, aftermath } = memoOf(message);
        if (aftermath) {
          const note = { mainKey: key, revision: aftermath.revision };
          const dueAt = new Date(aftermath.dueAt);
          await controlsAftermath.enqueue(trx, { key: aftermathKey(key), to, payload: note, about: key, dueAt }, now);
        }
        if (!hasThread) return;
        const payload = { mainKey: key, revisions: [], part: 0 };
        await controlsThread.enqueue(trx, { key: threadKey(key, 0, 0), to, payload, about: key }, now);
      },
    }),
    controlsThread.handledBy({
      ...partDuties(deps, 'The details of a message about the enterprise controls'),
      ...followUp('reply'),
      write: (message, _reader, earlierMessage) => writeThread(deps, message, earlierMessage),
      whenSent: async (trx, message, now) => {
        const { mainKey, revisions, part } = message.payload;
        if (part + 1 >= (memoOf(message).parts ?? 0)) return;
        const payload = { mainKey, revisions, part: part + 1 };
        const key = threadKey(mainKey, revisions[0] ?? 0, part + 1);
        await controlsThread.enqueue(trx, { key, to: message.channel, payload, about: mainKey }, now);
      },
    }),
    controlsAftermath.handledBy({
      ...partDuties(deps, 'The note a week after a change of the enterprise controls'),
      ...followUp('reply'),
      write: async (message, _reader, earlierMessage) => {
        if (!earlierMessage) return NO_EARLIER_MESSAGE;
        const filter = await watchedFilter(deps.db, message.channel);
        if (!filter) return NOT_WATCHED;
        const revisionChanges = await readRevisionChanges(deps, message.payload.revision, filter);
        return revisionChanges ? writeAftermath(deps, message, revisionChanges) : NOTHING_TO_SHOW;
      },
    }),
    controlsGrowth.handledBy({
      ...edit,
      write: (message, _reader, earlierMessage) => writeEdit(deps, message, earlierMessage),
    }),
    controlsAcknowledgement.handledBy({
      ...edit,
      write: (message, _reader, earlierMessage) => writeEdit(deps, message, earlierMessage),
    }),
  ];
}

/** @param what names the message; the report of a failure starts with it */
const partDuties = ({ db }: Deps, what: string): Pick<SubscriptionDuties<unknown>, 'isPaused' | 'report' | 'stop'> => ({
  isPaused: ({ channel }) => arePaused(db, subscribedTo(channel)),
  report: (trx, { channel }, failure, now) => reportChannelFailure(trx, subscribedTo(channel), failure, what, now),
  stop: (trx, { channel: person }, why, now) =>
    stopForPerson(trx, { kind, person }, why, 'Messages about the enterprise controls', now),
});

const followUp = (as: EarlierMessageReference['as']) => ({
  follows: ({ mainKey }: { mainKey: string }): EarlierMessageReference => ({ key: mainKey, what: 'notice', as }),
});

/** Writes the message about one revision or a burst. It waits for earlier messages, so that all come in order. */
async function writeNotice(deps: Deps, message: StoredMessage<Notice>): Promise<WriteDecision> {
  const filter = await watchedFilter(deps.db, message.channel);
  if (!filter) return NOT_WATCHED;
  const wait = await waitForEarlier(deps, message);
  if (wait) return wait;
  const rendered = await renderNotice(deps, message.key, message.payload, filter);
  if (!rendered) return NOTHING_TO_SHOW;
  const aftermath = await aftermathOf(deps, message.payload, filter);
  const memo = JSON.stringify({ hasThread: rendered.hasThread, ...(aftermath ? { aftermath } : {}) });
  return { kind: 'send', message: namesNobody(rendered.message), memo };
}

/** Only a notice about one revision that names a model of the figures gets a note a week later. */
async function aftermathOf(deps: Deps, notice: Notice, filter: WatchFilter) {
  if (notice.kind !== 'single') return undefined;
  const revisionChanges = await readRevisionChanges(deps, notice.revision, filter);
  if (!revisionChanges || !(await namesModels(deps, revisionChanges))) return undefined;
  return { revision: notice.revision, dueAt: aftermathDueAt(revisionChanges.row.changedAt).toISOString() };
}

async function watchedFilter(db: Database, channel: string): Promise<WatchFilter | undefined> {
  const watch = await controlsWatches.find(db, channel);
  return watch && controlsWatches.optionsOf(watch);
}

async function renderNotice(
  deps: Deps,
  key: string,
  notice: Notice,
  filter: WatchFilter,
): Promise<RenderedNotice | undefined> {
  const { db } = deps;
  const footer = (through: number) => readFooter(db, key, through);
  switch (notice.kind) {
    case 'single':
    case 'burst':
      return renderRevisions(deps, key, { revisions: revisionsOf(notice), gap: notice.gap }, filter);
    case 'many':
      return manyNotice(db, notice, filter, footer);
    case 'came_back':
      return cameBackNotice(notice);
    case 'went_back':
      return rolledBackNotice(notice);
    case 'unreadable':
      return unreadableNotice(notice);
    case 'rewritten': {
      const rewritten = await readRewritten(deps, notice);
      // An erasure may have removed every difference.
      return rewritten && rewritten.changes.length > 0 ? rewrittenNotice(rewritten.row, rewritten.changes) : undefined;
    }
    default:
      return notice satisfies never;
  }
}

async function readRewritten(
  { db, erased }: Deps,
  { revision, before }: Extract<Notice, { kind: 'rewritten' }>,
): Promise<{ row: RevisionRow; changes: ClassifiedChange[] } | undefined> {
  const row = await findRevision(db, revision);
  if (!row) return undefined;
  const pseudonymized = (settings: JsonObject) => pseudonymizedSettings(settings, erased);
  return { row, changes: diffClassified(pseudonymized(before), pseudonymized(settingsOf(row))) };
}

/** Renders one revision in full, and several as summaries. */
async function renderRevisions(
  deps: Deps,
  key: string,
  { revisions, gap }: { revisions: readonly number[]; gap: Gap },
  filter: WatchFilter,
): Promise<RenderedNotice | undefined> {
  const all = await readAllRevisionChanges(deps, revisions, filter);
  const relevant = filter.only ? all.filter(({ changes }) => changes.length > 0) : all;
  const [first, ...others] = relevant;
  if (!first) return undefined;
  const footer = await readFooter(deps.db, key, Math.max(...revisions));
  if (others.length > 0) return burstNotice(relevant, gap, footer);
  return revisionNotice(await withNamedUse(deps, first, 'channel'), gap, 'channel', footer);
}

async function readAllRevisionChanges(
  deps: Deps,
  revisions: readonly number[],
  filter: WatchFilter,
): Promise<RevisionChanges[]> {
  const allRevisionChanges: RevisionChanges[] = [];
  for (const revision of revisions) {
    const revisionChanges = await readRevisionChanges(deps, revision, filter);
    if (revisionChanges) allRevisionChanges.push(revisionChanges);
  }
  return allRevisionChanges;
}

async function writeThread(
  deps: Deps,
  message: StoredMessage<{ mainKey: string; revisions: readonly number[]; part: number }>,
  earlierMessage: EarlierMessage | undefined,
): Promise<WriteDecision> {
  if (!earlierMessage) return NO_EARLIER_MESSAGE;
  const { mainKey, revisions, part } = message.payload;
  const wait = await waitForEarlier(deps, message, mainKey);
  if (wait) return wait;
  const { payload: notice } = controlsNotice.parse(earlierMessage.delivery);
  const all = await threadMessagesOf(deps, notice, revisions, message.channel);
  const one = all[part];
  if (!one) return skip('There is nothing more to say.');
  return { kind: 'send', message: namesNobody(one), memo: JSON.stringify({ parts: all.length }) };
}

async function threadMessagesOf(deps: Deps, notice: Notice, revisions: readonly number[], channel: string) {
  const { db } = deps;
  const filter = (await watchedFilter(db, channel)) ?? EVERYTHING;
  if (notice.kind === 'rewritten') return changeParts((await readRewritten(deps, notice))?.changes ?? []);
  if (notice.kind === 'many') return manyThread(db, notice, filter);
  const all = revisions.length > 0 ? revisions : revisionsOf(notice);
  return threadParts(await readAllRevisionChanges(deps, all, filter));
}

function revisionsOf(notice: Notice): number[] {
  if (notice.kind === 'burst') return notice.revisions;
  return notice.kind === 'single' ? [notice.revision] : [];
}

/** Renders the current facts, so that repeated edits give the same text. */
async function writeEdit(
  deps: Deps,
  message: StoredMessage<{ mainKey: string }>,
  earlierMessage: EarlierMessage | undefined,
): Promise<WriteDecision> {
  if (!earlierMessage) return NO_EARLIER_MESSAGE;
  const { key, payload: notice } = controlsNotice.parse(earlierMessage.delivery);
  const wait = await waitForEarlier(deps, message, key);
  if (wait) return wait;
  const filter = await watchedFilter(deps.db, message.channel);
  if (!filter) return NOT_WATCHED;
  const revisions = await currentRevisions(deps.db, key);
  const rendered =
    revisions && (notice.kind === 'single' || notice.kind === 'burst')
      ? await renderRevisions(deps, key, { revisions, gap: notice.gap }, filter)
      : await renderNotice(deps, key, notice, filter);
  return rendered ? { kind: 'send', message: namesNobody(rendered.message) } : NOTHING_TO_SHOW;
}

/** Returns the longest stored list of revisions, which is the newest; undefined if none was added. */
async function currentRevisions(db: Database, mainKey: string): Promise<readonly number[] | undefined> {
  const growths = await controlsGrowth.listAbout(db, mainKey);
  const all = growths.map(({ payload }) => payload.revisions);
  return all.toSorted((one, other) => other.length - one.length)[0];
}
