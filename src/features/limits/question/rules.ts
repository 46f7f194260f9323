import { denialOf, type Actor, type Involvement } from '../core/access.ts';
import { isWaiting, type RequestFacts } from '../core/states.ts';

export type AskRefusal = 'admins_only' | 'own_request' | 'not_waiting' | 'too_many';
export type AnswerRefusal = 'not_theirs' | 'answered' | 'not_waiting';

type Facts = Pick<RequestFacts, 'state' | 'expiresAt'>;
export type QuestionContext = { by: Pick<Actor, 'role'>; involvement: Involvement; questionCount: number };
export type AnswerContext = { isRequester: boolean; isAnswered: boolean };

/** Beyond this number, a direct message is the better place. */
export const MAX_QUESTIONS = 10;

const canStillBeDecided = (facts: Facts, now: Date) => isWaiting(facts) && facts.expiresAt > now;

/** Returns why a question is refused, or undefined if it is allowed; checks permissions first. Pure. */
export function whyNotAsked(
  facts: Facts,
  { by, involvement, questionCount }: QuestionContext,
  now: Date,
): AskRefusal | undefined {
  const denial = denialOf({ action: 'decide', involvement }, by);
  if (denial) return denial === 'own_request' ? 'own_request' : 'admins_only';
  if (!canStillBeDecided(facts, now)) return 'not_waiting';
  return questionCount >= MAX_QUESTIONS ? 'too_many' : undefined;
}

export function whyNotAnswered(facts: Facts, context: AnswerContext, now: Date): AnswerRefusal | undefined {
  if (!context.isRequester) return 'not_theirs';
  if (context.isAnswered) return 'answered';
  return canStillBeDecided(facts, now) ? undefined : 'not_waiting';
}
