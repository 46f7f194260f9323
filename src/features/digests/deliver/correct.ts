import { DAY_MS } from '../../../core/base/time/durations.ts';
import { listSentSince, listSkippedSince, replaceMemo } from '../../../core/outbox/past-deliveries.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import type { Job } from '../../../core/schedule/job.ts';
import { createTurns } from '../../../core/store/health/first-process.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { readContents, sumsIn, type ReadContents } from '../core/contents.ts';
import { digestCorrection, digestCorrectionNote, digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { readersOf } from '../core/names.ts';
import { buildMessage, enqueueDetails } from './digest.ts';
import { oldestReading } from '../core/sections.ts';
import { postRestatedDay } from './restated-quiet-day.ts';
import { figuresOf, changedFigures, rankingsOf, reorderedRankings } from '../message/figures.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { readMemo, type Correction, type DigestMemo } from '../core/digest-payload.ts';

/** An older digest is no longer corrected. */
const WATCHED_FOR_MS = 8 * DAY_MS;
const MAX_CORRECTIONS = 5;

/**
 * One replica checks all digests, because each check costs the same in all of them; if several do, the one that replaces
 * the memo corrects the digest.
 */
export function correctionJob(deps: DigestDeps): Job {
  const isTurn = createTurns(deps);
  const run = async () => {
    if (!(await isTurn())) return;
    const since = new Date(deps.clock.now().getTime() - WATCHED_FOR_MS);
    const sent = await listSentSince(deps.db, digestMessage.name, since);
    for (const delivery of [...sent, ...(await listSkippedSince(deps.db, digestMessage.name, since))]) {
      await correctOne(deps, delivery).catch((error: unknown) =>
        deps.log.error({ err: error, delivery: delivery.key }, 'Checking a sent digest failed; it is tried again'),
      );
    }
  };
  // Published figures rarely change, and each check costs requests to the platform.
  return { name: 'correct-digests', cron: '*/10 * * * *', purpose: 'corrects digests whose figures changed', run };
}

async function correctOne(deps: DigestDeps, delivery: Delivery): Promise<void> {
  const stored = digestMessage.parse(delivery);
  await correctDigest(deps, stored);
  await postRestatedDay(deps, stored);
}

/** Corrects a sent digest if its days changed since it was read. */
export async function correctDigest(deps: DigestDeps, stored: StoredDigest): Promise<void> {
  const memo = readMemo(stored.memo);
  const { payload } = stored;
  if (!memo || !(await deps.hasChanged(payload.period, new Date(memo.readAt)))) return;
  const subscription = await findSubscription(deps.db, 'digest', payload.subscriptionId);
  if (!subscription || subscription.state === 'removed') return;
  const contents = await readContents(deps, subscription, payload, await readersOf(deps, subscription));
  if (contents.kind !== 'read' || contents.sections.some(({ reading }) => reading.kind === 'unreadable')) return;
  const now = deps.clock.now();
  const decision = decideCorrection(memo, contents, now);
  const isCompletion = decision.correction?.isCompletion === true;
  const { details } = isCompletion ? buildMessage(stored, contents, { ...memo, sentAt: now }) : memo;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await replaceMemo(trx, stored, JSON.stringify(decision.memo)))) return;
    if (decision.correction) await enqueueCorrection(trx, stored, decision, decision.correction, now);
    if (isCompletion) await enqueueDetails(trx, stored, details, now);
  });
}

interface CorrectionDecision {
  memo: DigestMemo;
  correction: Correction | undefined;
}

export function decideCorrection(
  memo: DigestMemo,
  contents: Pick<ReadContents, 'sections' | 'isForNaming' | 'isForEverybody'>,
  now: Date,
): CorrectionDecision {
  const figures = figuresOf(contents.sections);
  const isComplete = contents.sections.every(({ reading }) => reading.kind === 'ready');
  const isCompletion = isComplete && !memo.isComplete;
  // Readers who lost the right to see single people see neither the earlier amounts nor the difference.
  const hasLostRight = memo.isForNaming === true && !contents.isForNaming && !contents.isForEverybody;
  const changed = hasLostRight ? [] : changedFigures(memo.figures, figures);
  const rankings = rankingsOf(contents.sections);
  // A digest of one line names no people.
  const reordered = memo.isQuiet || hasLostRight ? [] : reorderedRankings(memo.rankings, rankings);
  const readAt = oldestReading(contents, now);
  // The sent figures remain the reference, so that small changes add up.
  if (changed.length === 0 && reordered.length === 0 && !isCompletion)
    return { memo: { ...memo, readAt }, correction: undefined };
  const { isForNaming } = contents;
  const sums = sumsIn(contents);
  const visibility = { isForNaming, ...(sums.length > 0 ? { sums } : {}) };
  const correction = { at: now.toISOString(), moved: changed, reordered, isCompletion, ...visibility };
  const corrections = [...memo.corrections, correction].slice(-MAX_CORRECTIONS);
  const update = { readAt, figures, rankings, isComplete: isComplete || memo.isComplete, corrections, isForNaming };
  return { memo: { ...memo, ...update }, correction };
}

async function enqueueCorrection(
  trx: DatabaseTransaction,
  { key: digestKey, channel: to }: StoredDigest,
  { memo }: CorrectionDecision,
  correction: Correction,
  now: Date,
): Promise<void> {
  const key = `${digestKey}:correction:${memo.readAt}`;
  await digestCorrection.enqueue(trx, { key, to, payload: { digestKey } }, now);
  await digestCorrectionNote.enqueue(trx, { key: `${key}:note`, to, payload: { digestKey, correction } }, now);
}
