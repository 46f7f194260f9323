import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { findDeletedKeys } from '../../../core/outbox/deleted-keys.ts';
import {
  answerMessage,
  cardCopies,
  cardEdit,
  cardOutcome,
  cardReminder,
  directReminder,
  limitCard,
  questionMessage,
  returnNotice,
  stateNotice,
  type AboutRequest,
} from './limit-messages.ts';
import type { HookTables } from '../../sessions/hooks/core/session-tables.ts';
import { findHookSession } from '../../sessions/hooks/core/sessions.ts';
import { announce } from '../../sessions/hooks/inbox/record.ts';
import type { LimitRequest, LimitTables, LimitTransaction } from './limit-tables.ts';
import type { RequestState } from './states.ts';

export type CardTarget =
  | { kind: 'channel'; channel: string }
  /** Each admin gets a copy. `fallbackReason`: why the configured channel is not used. */
  | { kind: 'admins'; fallbackReason: string | undefined };

/** Names one card of a request; a new card that replaces lost ones has another name. */
function cardName({ requestId, topic, cardRound }: AboutRequest): string {
  return [requestId, topic, cardRound === undefined ? undefined : `r${cardRound}`]
    .filter((part) => part !== undefined)
    .join(':');
}
const copiesKey = (about: AboutRequest) => `limit-card-copies:${cardName(about)}`;
const cardKey = (about: AboutRequest, copy: string) => `limit-card:${cardName(about)}:${copy}`;

/** @param dueAt earlier than now if a restored store may lack the record of its post */
export async function announceRequest(
  trx: LimitTransaction,
  about: AboutRequest,
  target: CardTarget,
  now: Date,
  dueAt: Date = now,
): Promise<void> {
  if (target.kind === 'admins') {
    const { fallbackReason } = target;
    const toAdmins = {
      ...about,
      since: dueAt.toISOString(),
      ...(fallbackReason === undefined ? {} : { fallbackReason }),
    };
    return announceToAdmins(trx, toAdmins, now);
  }
  const card = { key: cardKey(about, 'channel'), to: target.channel, payload: about, about: about.requestId, dueAt };
  await limitCard.enqueue(trx, card, now);
}

/** Whether a deleted request had this id; if it did, a new request with this id would get no card. */
export async function wasAnnounced(trx: LimitTransaction, requestId: string): Promise<boolean> {
  return (await findDeletedKeys(trx, [cardKey({ requestId }, 'channel'), copiesKey({ requestId })])).size > 0;
}

/** Enqueues one delivery that creates one per admin, because a transaction cannot ask Slack for the admins. */
export async function announceToAdmins(trx: LimitTransaction, payload: AboutRequest, now: Date): Promise<void> {
  await cardCopies.enqueue(trx, { key: copiesKey(payload), to: 'admins', payload, about: payload.requestId }, now);
}

export async function announceCopy(
  trx: LimitTransaction,
  payload: AboutRequest,
  admin: string,
  now: Date,
): Promise<void> {
  const dueAt = payload.since === undefined ? now : new Date(payload.since);
  const copy = { key: cardKey(payload, admin), to: admin, payload, about: payload.requestId, dueAt };
  await limitCard.enqueue(trx, copy, now);
}

export async function listCards(trx: LimitTransaction, id: string) {
  const cards = await limitCard.listAbout(trx, id);
  return cards.filter(({ state }) => state !== 'skipped' && state !== 'failed');
}

/** The card of the agent’s session from which it was requested shows what became of it. */
export async function announceToSession(trx: LimitTransaction, id: string, now: Date): Promise<void> {
  const request = await trx.selectFrom('limitRequests').select('sessionKey').where('id', '=', id).executeTakeFirst();
  if (!request || request.sessionKey === null) return;
  const hooks = trx.$omitTables<keyof LimitTables>().withTables<HookTables>();
  const session = await findHookSession(hooks, request.sessionKey);
  if (session) await announce(hooks, session, now);
}

/** Enqueues an edit of every copy of a card, written from the state at sending time. */
export async function editCards(
  trx: LimitTransaction,
  { id, version }: Pick<LimitRequest, 'id' | 'version'>,
  now: Date,
): Promise<void> {
  for (const { key, channel } of await listCards(trx, id)) {
    const payload = { requestId: id, cardKey: key };
    await cardEdit.enqueue(trx, { key: `${key}:edit:${version}`, to: channel, payload, about: id }, now);
  }
  await announceToSession(trx, id, now);
}

/** Says the outcome once below a card that Slack refuses to edit, so that it does not stay “waiting”. */
export async function announceOutcome(
  trx: LimitTransaction,
  { key: cardKey, channel: to }: { key: string; channel: string },
  { id, state }: Pick<LimitRequest, 'id' | 'state'>,
  now: Date,
): Promise<void> {
  const payload = { requestId: id, cardKey };
  await cardOutcome.enqueue(trx, { key: `${cardKey}:outcome:${state}`, to, payload, about: id }, now);
}

/** Reminds in the thread of every copy, once per number of hours; without a card, reminds the admins directly. */
export async function remind(
  trx: LimitTransaction,
  { id, createdAt }: Pick<LimitRequest, 'id' | 'createdAt'>,
  hours: number,
  now: Date,
): Promise<void> {
  const cards = await listCards(trx, id);
  if (cards.length === 0) {
    const notice = { key: `limit-reminder:${id}:${hours}`, payload: { requestId: id } };
    return directReminder.notify(trx, null, notice, now);
  }
  const dueAt = new Date(Date.parse(createdAt) + hours * HOUR_MS).toISOString();
  for (const { key, channel, sentAt } of cards) {
    // A card posted after that time is itself a reminder.
    if (sentAt === null || sentAt > dueAt) continue;
    const payload = { requestId: id, cardKey: key, hours };
    await cardReminder.enqueue(trx, { key: `${key}:reminder:${hours}`, to: channel, payload, about: id }, now);
  }
}

/** Sends each state once, and again after a retry. `isLast` (Quartermaster takes no further step) sends it anyway. */
export async function notifyState(
  trx: LimitTransaction,
  { id, round, decidedAt }: Pick<LimitRequest, 'id' | 'round' | 'decidedAt'>,
  state: RequestState,
  who: readonly string[],
  now: Date,
  isLast = false,
): Promise<void> {
  // A restored store may lack the record of a post, which can be as old as the decision.
  const dueAt = decidedAt === null ? now : new Date(decidedAt);
  for (const to of new Set(who)) {
    const key = `limit-told:${id}:${round}:${state}${isLast ? ':last' : ''}:${to}`;
    await stateNotice.enqueue(trx, { key, to, payload: { requestId: id, state, round }, about: id, dueAt }, now);
  }
}

export async function announceReturn(
  trx: LimitTransaction,
  id: string,
  notice: 'day' | 'hour',
  who: readonly string[],
  now: Date,
): Promise<void> {
  for (const to of new Set(who)) {
    const key = `limit-return-soon:${id}:${notice}:${to}`;
    await returnNotice.enqueue(trx, { key, to, payload: { requestId: id }, about: id }, now);
  }
}

/** @param again set for the second try, after the first message failed */
export async function announceQuestion(
  trx: LimitTransaction,
  questionId: string,
  requester: string,
  now: Date,
  again?: { dueAt: Date },
): Promise<void> {
  const key = `limit-question:${questionId}`;
  const message = { key: again ? `${key}:again` : key, to: requester, payload: { questionId }, about: questionId };
  await questionMessage.enqueue(trx, { ...message, ...again }, now);
}

export async function announceAnswer(
  trx: LimitTransaction,
  { requestId, questionId }: { requestId: string; questionId: string },
  now: Date,
): Promise<void> {
  for (const { key, channel } of await listCards(trx, requestId)) {
    const payload = { questionId, cardKey: key };
    const answer = { key: `limit-answer:${questionId}:${key}`, to: channel, payload, about: requestId };
    await answerMessage.enqueue(trx, answer, now);
  }
}
