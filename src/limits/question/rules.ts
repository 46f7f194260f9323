import { denialOf, type Actor, type Involvement } from '../core/access.ts';
import type { RequestFacts } from '../core/states.ts';

export type QuestionEvent =
  | { kind: 'ask'; by: Pick<Actor, 'role'>; involvement: Involvement; asked: number }
  | { kind: 'answer'; by: Pick<Actor, 'role'>; isRequester: boolean; isAnswered: boolean };

export type QuestionRefusal = 'admins_only' | 'own_request' | 'not_theirs' | 'answered' | 'not_waiting' | 'too_many';

/** Past these a direct message is the better place. */
export const MAX_QUESTIONS = 10;

/** Why a question is not asked, or not answered; nothing if it is. Rights first. Pure. */
export function questionRefusal(
  facts: Pick<RequestFacts, 'state' | 'expiresAt'>,
  event: QuestionEvent,
  now: Date,
): QuestionRefusal | undefined {
  const isWaiting = facts.state === 'pending' && facts.expiresAt > now;
  if (event.kind === 'ask') {
    const denial = denialOf({ action: 'decide', involvement: event.involvement }, event.by);
    if (denial) return denial === 'own_request' ? 'own_request' : 'admins_only';
    if (!isWaiting) return 'not_waiting';
    return event.asked >= MAX_QUESTIONS ? 'too_many' : undefined;
  }
  if (!event.isRequester) return 'not_theirs';
  if (event.isAnswered) return 'answered';
  return isWaiting ? undefined : 'not_waiting';
}
