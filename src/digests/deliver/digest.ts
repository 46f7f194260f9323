import type { DeliveryKind, Preparation } from '../../outbox/attempt.ts';
import { enqueue, type NewDelivery } from '../../outbox/deliveries.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findSubscription, forgetFailures } from '../../schedule/subscriptions.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { buildDigest } from '../message/message.ts';
import { noteDigestLook, readContents, type Contents } from '../core/contents.ts';
import { decideDigest, waitsSince } from './wait.ts';
import { figuresOf, rankingsOf } from '../message/figures.ts';
import { handleFailure, notifyOrphaned } from './failures.ts';
import type { DigestDeps } from '../core/deps.ts';
import { readMemo, readPayload, type Correction, type DigestMemo, type DigestPayload } from '../core/payload.ts';

/** A digest on its way: its figures are read when it is posted, and it waits for its days. */
export function digestDelivery(deps: DigestDeps): DeliveryKind {
  return {
    prepare: (delivery) => prepareDigest(deps, delivery),
    onSettled: async (trx, delivery, settlement, now) => {
      const { subscriptionId } = readPayload(delivery);
      if (settlement.state === 'sent') {
        await forgetFailures(trx, subscriptionId);
        await enqueueDetails(trx, delivery, readMemo(delivery.memo)?.details ?? [], now);
      }
      if (settlement.state === 'failed') await handleFailure(trx, delivery, settlement, now);
    },
  };
}

async function prepareDigest(deps: DigestDeps, delivery: Delivery): Promise<Preparation> {
  const payload = readPayload(delivery);
  const subscription = await findSubscription(deps.db, 'digest', payload.subscriptionId);
  const stop = whyNotSent(subscription, payload);
  if (!subscription || stop !== undefined) return { kind: 'skip', reason: stop ?? GONE };
  const contents = await readContents(deps, subscription, payload);
  if (contents.kind === 'nobody') return { kind: 'skip', reason: contents.sentence };
  const now = deps.clock.now();
  const since = waitsSince(new Date(delivery.created_at), new Date(delivery.due_at), payload.period.last);
  const decision = decideDigest(
    contents.sections.map(({ reading }) => reading),
    since,
    now,
  );
  if (decision.kind === 'wait') return decision;
  await notifyOrphaned(deps, subscription, now);
  await noteDigestLook(deps, delivery.channel, contents);
  return digestToSend(delivery, contents, decision.isComplete, now);
}

const GONE = 'The digest no longer exists.';

/** A digest that was stopped after it was planned. One that somebody asked for is sent all the same. */
function whyNotSent(subscription: Subscription | undefined, { isAsked }: DigestPayload): string | undefined {
  if (!subscription) return GONE;
  if (subscription.state === 'removed') return 'The digest was removed.';
  return subscription.state === 'paused' && !isAsked ? 'The digest was paused.' : undefined;
}

type ReadContents = Extract<Contents, { kind: 'read' }>;

function digestToSend(delivery: Delivery, contents: ReadContents, isComplete: boolean, now: Date): Preparation {
  const isQuiet = isComplete && contents.sections.every(({ reading }) => 'isQuiet' in reading && reading.isQuiet);
  const waitedFor = delivery.reason ?? undefined;
  const built = buildMessage(delivery, contents, { isQuiet, corrections: [], sentAt: now, waitedFor });
  const memo: DigestMemo = {
    readAt: oldestReading(contents, now),
    figures: figuresOf(contents.sections),
    rankings: rankingsOf(contents.sections),
    isComplete,
    // More about days that are not there yet would say nothing; it comes when they do.
    details: isComplete ? built.details : built.moved,
    corrections: [],
    isQuiet,
    ...(waitedFor === undefined ? {} : { waitedFor }),
  };
  return { kind: 'send', message: built.message, memo: JSON.stringify(memo) };
}

export function oldestReading({ sections }: Pick<ReadContents, 'sections'>, now: Date): string {
  const oldestMs = Math.min(now.getTime(), ...sections.map(({ readAt }) => readAt.getTime()));
  return new Date(oldestMs).toISOString();
}

/** The message of a digest from what is true now; the same for the first time and for a correction. */
export function buildMessage(
  delivery: Delivery,
  { sections, audience }: ReadContents,
  said: { isQuiet: boolean; corrections: readonly Correction[]; sentAt: Date; waitedFor?: string | undefined },
) {
  const { cadence, period, plannedFor } = readPayload(delivery);
  return buildDigest({
    cadence,
    period,
    sections,
    audience,
    dueAt: new Date(plannedFor ?? delivery.due_at),
    sentAt: said.sentAt,
    waitedFor: said.waitedFor,
    corrections: said.corrections,
    quietValue: said.isQuiet ? delivery.key : undefined,
  });
}

/** Detail stands in the thread, each part a message of its own, so that one that fails costs that part. Each comes once. */
export async function enqueueDetails(
  trx: DatabaseTransaction,
  delivery: Delivery,
  sectionIds: readonly string[],
  now: Date,
): Promise<void> {
  for (const sectionId of sectionIds) {
    const detail: NewDelivery = {
      key: `${delivery.key}:detail:${sectionId}`,
      kind: 'digest-detail',
      channel: delivery.channel,
      payload: { digestKey: delivery.key, sectionId },
      dueAt: now,
    };
    await enqueue(trx, detail, now);
  }
}
