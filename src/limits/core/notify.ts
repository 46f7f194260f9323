import { z } from 'zod';
import { enqueue } from '../../outbox/deliveries.ts';
import { findForgotten } from '../../outbox/forgotten.ts';
import type { LimitRequest, LimitTransaction } from './tables.ts';
import { REQUEST_STATES, type RequestState } from './states.ts';

export type CardPlace =
  | { kind: 'channel'; channel: string }
  /** Each admin gets a copy. `fallbackReason`: why it is not the channel of the settings. */
  | { kind: 'admins'; fallbackReason: string | undefined };

export const KINDS = {
  card: 'limit-card',
  cardCopies: 'limit-card-copies',
  cardEdit: 'limit-card-edit',
  reminder: 'limit-reminder',
  status: 'limit-told',
  question: 'limit-question',
  answer: 'limit-answer',
  returnSoon: 'limit-return-soon',
} as const;

export const aboutRequest = z.object({
  requestId: z.string(),
  fallbackReason: z.string().optional(),
  /** What a card is about besides its request, where the request has more than one. */
  topic: z.string().optional(),
  /** Since when a copy of it may stand with an admin. */
  since: z.string().optional(),
});
export const aboutCard = z.object({ requestId: z.string(), cardKey: z.string(), hours: z.number().optional() });
export const aboutQuestion = z.object({ questionId: z.string() });
export const aboutAnswer = z.object({ questionId: z.string(), cardKey: z.string() });
export const aboutState = z.object({ requestId: z.string(), state: z.enum(REQUEST_STATES), round: z.number() });

type AboutRequest = z.infer<typeof aboutRequest>;

const withTopic = ({ requestId, topic }: AboutRequest) => (topic === undefined ? requestId : `${requestId}:${topic}`);
const copiesKey = (about: AboutRequest) => `limit-card-copies:${withTopic(about)}`;
const cardKey = (about: AboutRequest, copy: string) => `limit-card:${withTopic(about)}:${copy}`;

/** @param dueAt earlier than now where a store that was set back may lack that it was posted */
export async function announceRequest(
  trx: LimitTransaction,
  about: AboutRequest,
  place: CardPlace,
  now: Date,
  dueAt: Date = now,
): Promise<void> {
  if (place.kind === 'admins') {
    const { fallbackReason } = place;
    const toAdmins = {
      ...about,
      since: dueAt.toISOString(),
      ...(fallbackReason === undefined ? {} : { fallbackReason }),
    };
    return announceToAdmins(trx, toAdmins, now);
  }
  const { channel } = place;
  await enqueue(trx, { key: cardKey(about, 'channel'), kind: KINDS.card, channel, payload: about, dueAt }, now);
}

/** Had a request that was deleted since this id? The card of another one under it would not be posted. */
export async function wasAnnounced(trx: LimitTransaction, requestId: string): Promise<boolean> {
  return (await findForgotten(trx, [cardKey({ requestId }, 'channel'), copiesKey({ requestId })])).size > 0;
}

/** Who the admins are is asked of Slack, which has no place in a transaction: so one delivery makes one for each of them. */
export async function announceToAdmins(trx: LimitTransaction, payload: AboutRequest, now: Date): Promise<void> {
  const key = copiesKey(payload);
  await enqueue(trx, { key, kind: KINDS.cardCopies, channel: 'admins', payload, dueAt: now }, now);
}

export async function announceCopy(
  trx: LimitTransaction,
  payload: AboutRequest,
  admin: string,
  now: Date,
): Promise<void> {
  const dueAt = payload.since === undefined ? now : new Date(payload.since);
  await enqueue(trx, { key: cardKey(payload, admin), kind: KINDS.card, channel: admin, payload, dueAt }, now);
}

/** The cards of a request that were posted or will be. */
async function cardsOf(trx: LimitTransaction, id: string): Promise<{ key: string; channel: string }[]> {
  return trx
    .selectFrom('deliveries')
    .select(['key', 'channel'])
    .where('kind', '=', KINDS.card)
    .where('key', 'like', cardKey({ requestId: id }, '%'))
    .where('state', 'not in', ['skipped', 'failed'])
    .execute();
}

/** Has every copy of a card written again, from what is true by then. */
export async function editCards(
  trx: LimitTransaction,
  { id, version }: Pick<LimitRequest, 'id' | 'version'>,
  now: Date,
): Promise<void> {
  for (const { key, channel } of await cardsOf(trx, id)) {
    const payload = { requestId: id, cardKey: key };
    const delivery = { key: `${key}:edit:${version}`, kind: KINDS.cardEdit, channel, payload, dueAt: now };
    await enqueue(trx, delivery, now);
  }
}

/** Reminds the thread of every copy, once for each number of hours. */
export async function remind(trx: LimitTransaction, id: string, hours: number, now: Date): Promise<void> {
  for (const { key, channel } of await cardsOf(trx, id)) {
    const payload = { requestId: id, cardKey: key, hours };
    const delivery = { key: `${key}:reminder:${hours}`, kind: KINDS.reminder, channel, payload, dueAt: now };
    await enqueue(trx, delivery, now);
  }
}

/**
 * Tells people by direct message where a request stands: once for each state, and again after what failed was sent again.
 *
 * @param isLast Quartermaster does nothing more about it by itself, which is told even where the state was told before
 */
export async function notifyState(
  trx: LimitTransaction,
  { id, round, decided_at: decidedAt }: Pick<LimitRequest, 'id' | 'round' | 'decided_at'>,
  state: RequestState,
  who: readonly string[],
  now: Date,
  isLast = false,
): Promise<void> {
  // It may have been told since it was decided: if the store was set back, it is looked for from then on.
  const dueAt = decidedAt === null ? now : new Date(decidedAt);
  for (const channel of new Set(who)) {
    const key = `limit-told:${id}:${round}:${state}${isLast ? ':last' : ''}:${channel}`;
    await enqueue(trx, { key, kind: KINDS.status, channel, payload: { requestId: id, state, round }, dueAt }, now);
  }
}

export async function announceReturn(
  trx: LimitTransaction,
  id: string,
  notice: 'day' | 'hour',
  who: readonly string[],
  now: Date,
): Promise<void> {
  for (const channel of new Set(who)) {
    const key = `limit-return-soon:${id}:${notice}:${channel}`;
    const delivery = { key, kind: KINDS.returnSoon, channel, payload: { requestId: id }, dueAt: now };
    await enqueue(trx, delivery, now);
  }
}

export async function announceQuestion(
  trx: LimitTransaction,
  questionId: string,
  requester: string,
  now: Date,
): Promise<void> {
  const key = `limit-question:${questionId}`;
  const delivery = { key, kind: KINDS.question, channel: requester, payload: { questionId }, dueAt: now };
  await enqueue(trx, delivery, now);
}

/** Has an answer posted into the thread of every copy of the card. */
export async function announceAnswer(
  trx: LimitTransaction,
  { requestId, questionId }: { requestId: string; questionId: string },
  now: Date,
): Promise<void> {
  for (const { key, channel } of await cardsOf(trx, requestId)) {
    const payload = { questionId, cardKey: key };
    const delivery = { key: `limit-answer:${questionId}:${key}`, kind: KINDS.answer, channel, payload, dueAt: now };
    await enqueue(trx, delivery, now);
  }
}
