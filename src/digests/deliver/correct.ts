import { DAY_MS } from '../../base/time/durations.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { listSentSince, replaceMemo } from '../../outbox/past-deliveries.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { readContents, type Contents } from '../core/contents.ts';
import { buildMessage, enqueueDetails, oldestReading } from './digest.ts';
import { figuresOf, movedFigures, rankingsOf, reorderedRankings } from '../message/figures.ts';
import type { DigestDeps } from '../core/deps.ts';
import { readMemo, readPayload, type Correction, type DigestMemo } from '../core/payload.ts';

/** A digest that is older than this is no longer corrected. */
const WATCHED_FOR_MS = 8 * DAY_MS;
/** The platform changes published figures rarely, and asking costs it something. */
const LOOK_EVERY_MS = 10 * 60_000;
/** A digest that is corrected over and over keeps only so many of its corrections. */
const MAX_CORRECTIONS = 5;

/**
 * Holds what was sent against what the platform says now. Runs every minute, in every replica: who replaces the memo corrects
 * the digest.
 */
export function createCorrector(deps: DigestDeps): () => Promise<void> {
  let lookedAtMs = 0;
  return async () => {
    const now = deps.clock.now();
    if (now.getTime() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = now.getTime();
    const sent = await listSentSince(deps.db, 'digest', new Date(now.getTime() - WATCHED_FOR_MS));
    for (const delivery of sent) {
      await correctOne(deps, delivery).catch((error: unknown) =>
        deps.log.error({ err: error, delivery: delivery.key }, 'A sent digest could not be checked; it is tried again'),
      );
    }
  };
}

async function correctOne(deps: DigestDeps, delivery: Delivery): Promise<void> {
  const memo = readMemo(delivery.memo);
  const payload = readPayload(delivery);
  if (!memo || !(await deps.hasChanged(payload.period, new Date(memo.readAt)))) return;
  const subscription = await findSubscription(deps.db, 'digest', payload.subscriptionId);
  if (!subscription || subscription.state === 'removed') return;
  const contents = await readContents(deps, subscription, payload);
  if (contents.kind !== 'read' || contents.sections.some(({ reading }) => reading.kind === 'unreadable')) return;
  const now = deps.clock.now();
  const decided = decideCorrection(memo, contents, now);
  const isCompletion = decided.correction?.isCompletion === true;
  const { details } = isCompletion ? buildMessage(delivery, contents, { ...memo, sentAt: now }) : memo;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await replaceMemo(trx, delivery, JSON.stringify(decided.memo)))) return;
    if (decided.correction) await enqueueCorrection(trx, delivery, decided, decided.correction, now);
    if (isCompletion) await enqueueDetails(trx, delivery, details, now);
  });
}

interface Decided {
  memo: DigestMemo;
  correction: Correction | undefined;
}

/** Whether what was said is to be corrected, and what is remembered from now on. Pure. */
export function decideCorrection(
  memo: DigestMemo,
  contents: Pick<Extract<Contents, { kind: 'read' }>, 'sections'>,
  now: Date,
): Decided {
  const figures = figuresOf(contents.sections);
  const isComplete = contents.sections.every(({ reading }) => reading.kind === 'ready');
  const isCompletion = isComplete && !memo.isComplete;
  const moved = movedFigures(memo.figures, figures);
  const rankings = rankingsOf(contents.sections);
  // A digest of one line names nobody.
  const reordered = memo.isQuiet ? [] : reorderedRankings(memo.rankings, rankings);
  const readAt = oldestReading(contents, now);
  // Small moves add up: what was said stays what the next ones are held against.
  if (moved.length === 0 && reordered.length === 0 && !isCompletion)
    return { memo: { ...memo, readAt }, correction: undefined };
  const correction = { at: now.toISOString(), moved, reordered, isCompletion };
  const corrections = [...memo.corrections, correction].slice(-MAX_CORRECTIONS);
  const said = { readAt, figures, rankings, isComplete: isComplete || memo.isComplete, corrections };
  return { memo: { ...memo, ...said }, correction };
}

/** The message is edited, and its thread told once. */
async function enqueueCorrection(
  trx: DatabaseTransaction,
  { key, channel }: Delivery,
  { memo }: Decided,
  correction: Correction,
  now: Date,
): Promise<void> {
  const about = `${key}:correction:${memo.readAt}`;
  const edit = { key: about, kind: 'digest-correction', channel, payload: { digestKey: key }, dueAt: now };
  await enqueue(trx, edit, now);
  const payload = { digestKey: key, correction };
  await enqueue(trx, { key: `${about}:note`, kind: 'digest-correction-note', channel, payload, dueAt: now }, now);
}
