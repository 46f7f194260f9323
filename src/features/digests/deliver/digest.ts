import type { Failure, WriteDecision } from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { outlineDeliveries } from '../../../core/outbox/past-deliveries.ts';
import { messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { namesNobody, type DeclaredMessage } from '../../../core/outbox/poster.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import { nextOccurrence } from '../../../core/schedule/occurrences.ts';
import { findSubscription, forgetFailures, scheduleIn } from '../../../core/schedule/subscriptions.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { buildDigest } from '../message/digest-message.ts';
import { namesIn, readContents, readSettings, sumsIn, type ReadContents, visibleCorrection } from '../core/contents.ts';
import { digestDetail, digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { digestReader } from '../core/names.ts';
import { isAllWithheld, oldestReading, reasonOfAll, withheldSections } from '../core/sections.ts';
import { decideQuiet, needsAttention, QUIET } from './quiet.ts';
import { quietMemo } from './restated-quiet-day.ts';
import { decideDigest, waitsSince } from '../core/wait.ts';
import { figuresOf, rankingsOf } from '../message/figures.ts';
import { notifyOrphaned, notifyWithheld, reportDigest } from './failures.ts';
import { stopDigest } from './stop-digest.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { readMemo, type Correction, type DigestMemo, type DigestPayload } from '../core/digest-payload.ts';
import { keysOfLastPlanned } from '../core/planned.ts';

/** Handles a digest: its figures are read when it is posted, and it waits until its days are published. */
export function digestHandler(deps: DigestDeps): MessageHandler {
  return digestMessage.handledBy({
    write: (message, reader) => writeDigest(deps, message, reader),
    whenSent: async (trx, message, now) => {
      await forgetFailures(trx, message.payload.subscriptionId);
      await enqueueDetails(trx, message, readMemo(message.memo)?.details ?? [], now);
    },
    report: (trx, message, failure: Failure, now) => reportDigest(trx, message, failure, now),
    stop: (trx, { payload, channel }, why, now) => stopDigest(trx, payload.subscriptionId, channel, why, now),
    keysStillReferenced: keysOfLastPlanned,
  });
}

async function writeDigest(deps: DigestDeps, message: StoredDigest, reader: Reader): Promise<WriteDecision> {
  const { payload } = message;
  const subscription = await findSubscription(deps.db, 'digest', payload.subscriptionId);
  const stop = whyNotSent(subscription, payload);
  if (!subscription || stop !== undefined) return { kind: 'skip', reason: stop ?? GONE };
  const contents = await readContents(deps, subscription, payload, digestReader(reader));
  if (contents.kind === 'gone') return { kind: 'skip', reason: contents.sentence };
  if (contents.kind === 'withheld') return skipWithheld(deps, subscription, contents.sentence);
  const now = deps.clock.now();
  const since = waitsSince(new Date(message.createdAt), new Date(message.dueAt), payload.period.last);
  const decision = decideDigest(
    contents.sections.map(({ reading }) => reading),
    since,
    now,
  );
  if (decision.kind === 'wait') return decision;
  if (isAllWithheld(contents.sections)) return skipWithheld(deps, subscription, reasonOfAll(contents.sections));
  const quiet = payload.isAsked ? 'send' : await decideSilence(deps, message, subscription, contents);
  const memo = quietMemo(contents, now);
  if (quiet === 'skip') return { kind: 'skip', reason: QUIET, memo };
  await notifyOrphaned(deps, subscription, now);
  if (quiet === 'sign_of_life') return { kind: 'send', message: namesNobody(quietWeekMessage()), memo };
  return digestToSend(message, contents, subscription, decision.isComplete, now);
}

/** Only digests of the last week matter: an older one is no sign. */
async function decideSilence(
  { db }: DigestDeps,
  { dueAt, payload }: StoredDigest,
  subscription: Subscription,
  { sections }: ReadContents,
) {
  const isNeeded = needsAttention(sections.map(({ reading }) => reading));
  // The quiet morning counted as one already.
  if (payload.isRestated) return isNeeded ? 'send' : 'skip';
  const weekBefore = new Date(Date.parse(dueAt) - SIGN_MS);
  const earlier = await outlineDeliveries(db, digestMessage.name, weekBefore, subscription.id);
  const sent = earlier.find((one) => one.state === 'sent' && one.dueAt < dueAt);
  return decideQuiet(readSettings(subscription), {
    isNeeded,
    nextDueAt: nextOccurrence(scheduleIn(subscription), new Date(dueAt)).at,
    lastSign: new Date(sent?.dueAt ?? subscription.createdAt),
  });
}

const SIGN_MS = 8 * DAY_MS;

const quietWeekMessage = () =>
  messageOf(
    prose(
      markup`✅ Nothing needs attention. This line comes once a week without a digest; the next digest comes when something does.`,
    ),
  );

const GONE = 'The digest no longer exists.';

/** Skips the digest and notifies its owner, who can change it: an empty digest each morning is useless. */
async function skipWithheld(deps: DigestDeps, subscription: Subscription, reason: string): Promise<WriteDecision> {
  await notifyWithheld(deps, subscription, reason);
  return { kind: 'skip', reason };
}

/** Returns why a digest that was stopped after planning is not sent; a requested one is sent even if paused. */
function whyNotSent(subscription: Subscription | undefined, { isAsked }: DigestPayload): string | undefined {
  if (!subscription) return GONE;
  if (subscription.state === 'removed') return 'The digest was deleted.';
  return subscription.state === 'paused' && !isAsked ? 'The digest was paused.' : undefined;
}

function digestToSend(
  stored: StoredDigest,
  contents: ReadContents,
  subscription: Subscription,
  isComplete: boolean,
  now: Date,
): WriteDecision {
  const isQuiet = isComplete && contents.sections.every(({ reading }) => 'isQuiet' in reading && reading.isQuiet);
  const waitedFor = stored.reason ?? undefined;
  const built = buildMessage(stored, contents, { isQuiet, corrections: [], sentAt: now, waitedFor });
  const withheld = withheldSections(contents.sections);
  const memo: DigestMemo = {
    readAt: oldestReading(contents, now),
    figures: figuresOf(contents.sections),
    rankings: rankingsOf(contents.sections),
    isComplete,
    // Details of unpublished days would be empty; they follow once the days are published.
    details: isComplete ? built.details : built.movedToThread,
    corrections: [],
    isQuiet,
    isForNaming: contents.isForNaming,
    ...(waitedFor === undefined ? {} : { waitedFor }),
    ...(withheld.length > 0 ? { withheld } : {}),
  };
  const message = declareContents(built.message, contents, subscription);
  return { kind: 'send', message, memo: JSON.stringify(memo) };
}

export function declareContents(
  message: BlockMessage,
  contents: ReadContents,
  subscription: Pick<Subscription, 'owner'>,
  corrections: readonly Correction[] = [],
): DeclaredMessage {
  const correctionSums = corrections.flatMap((one) => visibleCorrection(one, contents).sums ?? []);
  return { ...message, names: namesIn(contents, subscription), sums: [...sumsIn(contents), ...correctionSums] };
}

export function buildMessage(
  stored: Pick<StoredDigest, 'key' | 'dueAt' | 'payload'>,
  contents: ReadContents,
  state: { isQuiet: boolean; corrections: readonly Correction[]; sentAt: Date; waitedFor?: string | undefined },
) {
  const { cadence, period, plannedFor } = stored.payload;
  const { sections, audience } = contents;
  return buildDigest({
    cadence,
    period,
    sections,
    audience,
    dueAt: new Date(plannedFor ?? stored.dueAt),
    sentAt: state.sentAt,
    waitedFor: state.waitedFor,
    corrections: state.corrections.map((one) => visibleCorrection(one, contents)),
    quietButtonValue: state.isQuiet ? stored.key : undefined,
    isRestated: stored.payload.isRestated === true,
    key: stored.key,
  });
}

/** Enqueues each detail once, as a separate message in the thread, so that a failure affects that detail alone. */
export async function enqueueDetails(
  trx: DatabaseTransaction,
  { key: digestKey, channel: to }: Pick<StoredDigest, 'key' | 'channel'>,
  sectionIds: readonly string[],
  now: Date,
): Promise<void> {
  for (const sectionId of sectionIds) {
    const key = `${digestKey}:detail:${sectionId}`;
    await digestDetail.enqueue(trx, { key, to, payload: { digestKey, sectionId } }, now);
  }
}
