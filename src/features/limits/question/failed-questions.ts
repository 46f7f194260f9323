import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { questionMessage } from '../core/limit-messages.ts';
import { announceQuestion } from '../core/notify.ts';
import { WAITING } from '../core/states.ts';

const PAUSE_MS = 5 * MINUTE_MS;

/** Returns undefined if the message arrived or may have, is on its way, or was already resent. */
export function resendAt(
  messages: readonly Pick<Delivery, 'state' | 'createdAt' | 'unreadableSince'>[],
): Date | undefined {
  const [only, ...more] = messages;
  if (!only || more.length > 0 || only.state !== 'failed' || only.unreadableSince !== null) return undefined;
  return new Date(Date.parse(only.createdAt) + PAUSE_MS);
}

/** Resends each question whose message failed, while the request still waits for the answer. */
export async function resendQuestions({ db, clock, log }: LimitDeps): Promise<void> {
  const now = clock.now();
  const open = await db
    .selectFrom('limitQuestions as question')
    .innerJoin('limitRequests as request', 'request.id', 'question.requestId')
    .select(['question.id', 'request.requester'])
    .where('question.answer', 'is', null)
    .where('request.state', 'in', WAITING)
    .where('request.expiresAt', '>', now.toISOString())
    .execute();
  for (const { id, requester } of open) {
    const dueAt = resendAt(await questionMessage.listAbout(db, id));
    if (!dueAt || dueAt > now) continue;
    await db.transaction().execute((trx) => announceQuestion(trx, id, requester, now, { dueAt }));
    log.warn({ question: id }, 'Sending a question to the requester failed; it is sent again');
  }
}
