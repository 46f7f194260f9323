import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import { denialOf, type Actor, type Denial, type Involvement } from './access.ts';

/**
 * `pending`: waits for a decision. `handed_on`: the same, after another admin was asked in place of the first one.
 * `second_approval`: one admin approved it, and a different one has to approve it too. `approved`: not yet sent. `applying`: being sent in batches. `unsure`: the store may
 * lack the sending and later decisions, so an admin chooses. `left`: the admin chose not to send it. The others are
 * endings; `partly_applied` and `outcome_unknown` can be resumed.
 */
export const REQUEST_STATES = [
  'pending',
  'handed_on',
  'second_approval',
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

/** The states in which an admin has to decide; nothing is sent to the platform. */
export const WAITING: readonly RequestState[] = ['pending', 'handed_on', 'second_approval'];
export const isWaiting = ({ state }: { state: RequestState }): boolean => WAITING.includes(state);

/** The states in which a request can still cause a change. */
export const UNFINISHED: readonly RequestState[] = [...WAITING, 'approved', 'applying', 'outcome_unknown', 'unsure'];

/** Nothing happens by itself any more, so the last edit of a card shows one of these. */
const ENDED: ReadonlySet<RequestState> = new Set([
  'applied',
  'partly_applied',
  'outcome_unknown',
  'left',
  'denied',
  'withdrawn',
  'expired',
]);
export const hasEnded = ({ state }: { state: RequestState }): boolean => ENDED.has(state);

/** The states after all sending: either over, or an admin has to act. */
export type Ending = Extract<RequestState, 'applied' | 'partly_applied' | 'outcome_unknown'>;

/** The events of a request. Those of people have `by`; Quartermaster causes the others. */
export type RequestEvent =
  /** `isConfirmed`: they confirmed that no other admin checks it. */
  | {
      kind: 'approve';
      by: Actor;
      involvement: Involvement;
      approvesAnyone: boolean;
      isConfirmed: boolean;
      /** Missing: one approval is enough, and this is the first one. */
      approvals?: ApprovalFacts;
    }
  | { kind: 'deny'; by: Actor; involvement: Involvement }
  | { kind: 'withdraw'; by: Actor }
  | { kind: 'expire' }
  /** The time of the admin who was asked is over, so Quartermaster asks the next one. */
  | { kind: 'hand_on' }
  /** An admin has another admin asked. */
  | { kind: 'give'; by: Actor; receiver: Receiver }
  /** A policy approves it, or was stopped before anything was sent. */
  | { kind: 'grant' | 'hand_back' }
  | { kind: 'begin' | 'withhold' }
  | { kind: 'finish'; ending: Ending }
  | { kind: 'retry'; by: Actor; involvement: Involvement }
  /** An admin has a withheld request sent, or leaves it. */
  | { kind: 'send' | 'leave'; by: Actor; involvement: Involvement }
  | { kind: 'undo'; by: Actor; isForThem: boolean; earlierLimits: EarlierLimits };

/**
 * Whether the limits from before a request can be set again. `unknown`: the ledger lacks one, or one was temporary.
 * `changed`: another request has set a limit since, or may do so. `none`: the request has set no limit.
 */
export type EarlierLimits = 'known' | 'unknown' | 'changed' | 'none';

export interface ApprovalFacts {
  /** The amount needs a second approval. */
  isSecondNeeded: boolean;
  /** The admin saw the first approval when they decided. */
  isSecond: boolean;
  /** The admin is the person who gave the first approval, by any identity. */
  isByFirstApprover: boolean;
}

/** Whether an admin can be asked to decide a request. `asked`: they already are. */
export type Receiver = 'can_decide' | 'cannot_decide' | 'asked';

const UNDO_MS = 10 * MINUTE_MS;

export interface RequestFacts {
  state: RequestState;
  requester: string;
  expiresAt: Date;
  /** When the limits return to their earlier values, if they do. */
  until: Date | undefined;
  finishedAt: Date | undefined;
  /** Until then it can be undone, if that is longer than for other requests. */
  undoUntil?: Date | undefined;
  isUndone: boolean;
}

export type TransitionRefusal =
  | Denial
  /** Another person decided first, or the request was already over. */
  | 'not_pending'
  | 'expired'
  | 'not_expired_yet'
  | 'end_passed'
  | 'nobody_left'
  | 'not_confirmed'
  /** Another admin gave the first approval in the meantime. */
  | 'second_needed'
  | 'same_approver'
  | 'receiver_cannot_decide'
  | 'already_asked'
  | 'undone'
  | 'nothing_to_undo'
  | 'undo_too_late'
  | 'earlier_unknown'
  | 'changed_since'
  | 'not_approved'
  | 'not_applying'
  | 'nothing_to_retry'
  /** An admin has already chosen. */
  | 'not_unsure'
  /** A lead can’t approve it, and the decision says why. */
  | 'beyond_team';

export type Transition = { kind: 'moved'; state: RequestState } | { kind: 'refused'; reason: TransitionRefusal };

const moved = (state: RequestState): Transition => ({ kind: 'moved', state });
const refused = (reason: TransitionRefusal): Transition => ({ kind: 'refused', reason });

/**
 * Checks permissions, then the state, then the time. The store makes the same change by a conditional update, and this
 * function gives the reason to a person who acted too late.
 */
export function transitionOf(facts: RequestFacts, event: RequestEvent, now: Date): Transition {
  switch (event.kind) {
    case 'approve':
    case 'deny':
      return decide(facts, event, now);
    case 'withdraw': {
      const denial = denialOf({ action: 'withdraw', isRequester: facts.requester === event.by.slackId }, event.by);
      if (denial) return refused(denial);
      return isWaiting(facts) ? moved('withdrawn') : refused('not_pending');
    }
    case 'expire':
      if (!isWaiting(facts)) return refused('not_pending');
      return facts.expiresAt <= now ? moved('expired') : refused('not_expired_yet');
    case 'hand_on':
      return handOn(facts, now);
    case 'give':
      return give(facts, event, now);
    case 'grant':
      if (facts.state !== 'pending') return refused('not_pending');
      return facts.expiresAt <= now ? refused('expired') : moved('approved');
    case 'hand_back':
      return isSendable(facts.state) ? moved('pending') : refused('not_approved');
    case 'begin':
      return isSendable(facts.state) ? moved('applying') : refused('not_approved');
    case 'withhold':
      return isSendable(facts.state) ? moved('unsure') : refused('not_approved');
    case 'finish':
      return facts.state === 'applying' ? moved(event.ending) : refused('not_applying');
    case 'retry': {
      const denial = denialOf({ action: 'resume', involvement: event.involvement }, event.by);
      if (denial) return refused(denial);
      if (facts.isUndone) return refused('undone');
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
    case 'undo':
      return undo(facts, event, now);
    default:
      return event satisfies never;
  }
}

/** An undone request keeps its state: its undo is a request of its own, approved from the start. */
function undo(facts: RequestFacts, event: Extract<RequestEvent, { kind: 'undo' }>, now: Date): Transition {
  const denial = denialOf({ action: 'undo', isForThem: event.isForThem }, event.by);
  if (denial) return refused(denial);
  if (facts.isUndone) return refused('undone');
  if (!isUndoable(facts)) return refused('nothing_to_undo');
  if (!isInUndoTime(facts, now)) return refused('undo_too_late');
  switch (event.earlierLimits) {
    case 'known':
      return moved(facts.state);
    case 'unknown':
      return refused('earlier_unknown');
    case 'changed':
      return refused('changed_since');
    case 'none':
      return refused('nothing_to_undo');
    default:
      return event.earlierLimits satisfies never;
  }
}

const isUndoable = ({ state }: Pick<RequestFacts, 'state'>) => state === 'applied' || state === 'partly_applied';

export function isInUndoTime(
  { finishedAt, undoUntil }: Pick<RequestFacts, 'finishedAt' | 'undoUntil'>,
  now: Date,
): boolean {
  if (finishedAt === undefined) return false;
  return now.getTime() < Math.max(finishedAt.getTime() + UNDO_MS, undoUntil?.getTime() ?? 0);
}

function decide(
  facts: RequestFacts,
  event: Extract<RequestEvent, { kind: 'approve' | 'deny' }>,
  now: Date,
): Transition {
  const denial = denialOf({ action: 'decide', involvement: event.involvement }, event.by);
  if (denial) return refused(denial);
  const lateness = latenessOf(facts, now);
  if (lateness) return refused(lateness);
  if (event.kind === 'deny') return moved('denied');
  if (facts.state === 'second_approval' && event.approvals?.isByFirstApprover) return refused('same_approver');
  if (isOver(facts, now)) return refused('end_passed');
  if (!event.approvesAnyone) return refused('nobody_left');
  if (isDecidedAlone(event) && !event.isConfirmed) return refused('not_confirmed');
  if (facts.state === 'second_approval')
    return event.approvals?.isSecond ? moved('approved') : refused('second_needed');
  return moved(event.approvals?.isSecondNeeded ? 'second_approval' : 'approved');
}

function latenessOf(facts: RequestFacts, now: Date): TransitionRefusal | undefined {
  if (!isWaiting(facts)) return facts.state === 'expired' ? 'expired' : 'not_pending';
  return facts.expiresAt <= now ? 'expired' : undefined;
}

/** A request that waits for a second approval keeps its state: only the admin who is asked changes. */
function handOn(facts: RequestFacts, now: Date): Transition {
  const lateness = latenessOf(facts, now);
  if (lateness) return refused(lateness);
  return moved(facts.state === 'second_approval' ? 'second_approval' : 'handed_on');
}

function give(facts: RequestFacts, event: Extract<RequestEvent, { kind: 'give' }>, now: Date): Transition {
  const denial = denialOf({ action: 'give' }, event.by);
  if (denial) return refused(denial);
  const transition = handOn(facts, now);
  if (transition.kind === 'refused' || event.receiver === 'can_decide') return transition;
  return refused(event.receiver === 'asked' ? 'already_asked' : 'receiver_cannot_decide');
}

/** Whether the requester decides it, because there is no other admin. */
export const isDecidedAlone = (event: RequestEvent): boolean =>
  (event.kind === 'approve' || event.kind === 'deny') && event.involvement === 'requester_for_others';

/** Approved requests are sent; a request whose process died or whose outcome is unclear is sent again. */
const isSendable = (state: RequestState) => state === 'approved' || state === 'applying' || state === 'outcome_unknown';

const isOver = ({ until }: Pick<RequestFacts, 'until'>, now: Date) => until !== undefined && until <= now;
