import { denialOf, type Actor, type Denial, type Involvement } from './access.ts';

/**
 * The states of a request. `pending`: waits for a decision. `approved`: decided, nothing was sent to the platform yet.
 * `applying`: it is being sent, batch after batch. `unsure`: the store may lack that it was sent, and what was decided after
 * it, so an admin chooses; `left`: they chose that it is not sent. The rest say how it ended; `partly_applied` and
 * `outcome_unknown` can be taken up again.
 */
export const REQUEST_STATES = [
  'pending',
  'approved',
  'applying',
  'applied',
  'partly_applied',
  'outcome_unknown',
  'unsure',
  'left',
  'denied',
  'withdrawn',
  'expired',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** A request while it may still change something. */
export const UNFINISHED: readonly RequestState[] = ['pending', 'approved', 'applying', 'outcome_unknown', 'unsure'];

/** The states in which a request is over or needs somebody. */
export type Ending = Extract<RequestState, 'applied' | 'partly_applied' | 'outcome_unknown'>;

/** What may happen to a request. What people do names them; the rest Quartermaster does by itself. */
export type RequestEvent =
  | { kind: 'approve'; by: Actor; involvement: Involvement; leavesSomebody: boolean }
  | { kind: 'deny'; by: Actor; involvement: Involvement }
  | { kind: 'withdraw'; by: Actor }
  | { kind: 'expire' }
  | { kind: 'begin' | 'withhold' }
  | { kind: 'finish'; ending: Ending }
  | { kind: 'retry'; by: Actor; involvement: Involvement }
  /** An admin has what may have been sent already sent, or leaves it. */
  | { kind: 'send' | 'leave'; by: Actor; involvement: Involvement };

export interface RequestFacts {
  state: RequestState;
  requester: string;
  expiresAt: Date;
  /** When the values go back, if they do. */
  until: Date | undefined;
}

export type StepRefusal =
  | Denial
  /** Somebody was faster, or it was over already. */
  | 'not_pending'
  | 'expired'
  | 'not_expired_yet'
  /** It was to last until a moment that has passed. */
  | 'end_passed'
  | 'nobody_left'
  | 'not_approved'
  | 'not_applying'
  | 'nothing_to_retry'
  /** Somebody has chosen already. */
  | 'not_unsure';

export type Step = { kind: 'moved'; state: RequestState } | { kind: 'refused'; reason: StepRefusal };

const moved = (state: RequestState): Step => ({ kind: 'moved', state });
const refused = (reason: StepRefusal): Step => ({ kind: 'refused', reason });

/**
 * What an event makes of a request: rights first, then its state, then its time. Pure; the store does the same as a
 * conditional update, and the loser is told by this why it was refused.
 *
 * @example stepOf({ state: 'pending', … }, { kind: 'deny', by, involvement: 'none' }, now) // moved to denied
 */
export function stepOf(facts: RequestFacts, event: RequestEvent, now: Date): Step {
  switch (event.kind) {
    case 'approve':
    case 'deny':
      return decide(facts, event, now);
    case 'withdraw': {
      const denial = denialOf({ action: 'withdraw', isRequester: facts.requester === event.by.slackId }, event.by);
      if (denial) return refused(denial);
      return facts.state === 'pending' ? moved('withdrawn') : refused('not_pending');
    }
    case 'expire':
      if (facts.state !== 'pending') return refused('not_pending');
      return facts.expiresAt <= now ? moved('expired') : refused('not_expired_yet');
    case 'begin':
      return isTakenUp(facts.state) ? moved('applying') : refused('not_approved');
    case 'withhold':
      return isTakenUp(facts.state) ? moved('unsure') : refused('not_approved');
    case 'finish':
      return facts.state === 'applying' ? moved(event.ending) : refused('not_applying');
    case 'retry': {
      const denial = denialOf({ action: 'resume', involvement: event.involvement }, event.by);
      if (denial) return refused(denial);
      if (facts.state !== 'partly_applied' && facts.state !== 'outcome_unknown') return refused('nothing_to_retry');
      return isOver(facts, now) ? refused('end_passed') : moved('approved');
    }
    case 'send':
    case 'leave': {
      const denial = denialOf({ action: 'resume', involvement: event.involvement }, event.by);
      if (denial) return refused(denial);
      if (facts.state !== 'unsure') return refused('not_unsure');
      if (event.kind === 'leave') return moved('left');
      return isOver(facts, now) ? refused('end_passed') : moved('approved');
    }
    default:
      return event satisfies never;
  }
}

function decide(facts: RequestFacts, event: Extract<RequestEvent, { kind: 'approve' | 'deny' }>, now: Date): Step {
  const denial = denialOf({ action: 'decide', involvement: event.involvement }, event.by);
  if (denial) return refused(denial);
  if (facts.state !== 'pending') return refused(facts.state === 'expired' ? 'expired' : 'not_pending');
  if (facts.expiresAt <= now) return refused('expired');
  if (event.kind === 'deny') return moved('denied');
  if (isOver(facts, now)) return refused('end_passed');
  return event.leavesSomebody ? moved('approved') : refused('nobody_left');
}

/** What is approved is sent; what was being sent when its process died, or had no clear outcome, is sent again. */
const isTakenUp = (state: RequestState) => state === 'approved' || state === 'applying' || state === 'outcome_unknown';

const isOver = ({ until }: Pick<RequestFacts, 'until'>, now: Date) => until !== undefined && until <= now;
