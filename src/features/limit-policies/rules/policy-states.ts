import { HOUR_MS } from '../../../core/base/time/durations.ts';

/**
 * `draft`: decides nothing. `active`: decides, or only says what it would do until its dry run ends. `paused`: decides
 * nothing until an admin resumes it. `removed`: for good.
 */
export const POLICY_STATES = ['draft', 'active', 'paused', 'removed'] as const;
export type PolicyState = (typeof POLICY_STATES)[number];

export type PauseReason = 'admin' | 'stopped' | 'grants_a_day' | 'credits_a_period' | 'gap';

export interface PolicyStateFacts {
  state: PolicyState;
  /** Of the present version. */
  draftedAt: Date;
  hasBackTest: boolean;
  /** An agreed version that no longer acts, and that no second admin released. */
  hold: Hold | undefined;
}

/** One admin paused, edited or deleted a policy; null if Quartermaster paused it. */
export interface Hold {
  by: string | null;
  at: Date;
}

export type PolicyEvent =
  | {
      kind: 'activate';
      /** Whether the admin wrote the present version. */
      isOwnDraft: boolean;
      /** Whether `FOUR_EYES` lets the only admin act alone. */
      mayActAlone: boolean;
      isConfirmed: boolean;
    }
  | { kind: 'edit' | 'pause' | 'resume' | 'remove' }
  | { kind: 'lower'; lowering: Lowering & { change: LimitsOfLeads } }
  | {
      kind: 'release';
      /** Whether the admin also paused, edited or deleted it. */
      isOwnHold: boolean;
      mayActAlone: boolean;
      isConfirmed: boolean;
    };

/** How the pool and the highest limit of leads would change. */
export type LimitsOfLeads = 'lowered' | 'raised' | 'kept';

export interface Lowering {
  /** Whether the person leads the team now; undefined if Slack doesn’t say. */
  isLead: boolean | undefined;
  /** Undefined before they chose it. */
  change: LimitsOfLeads | undefined;
}

export type PolicyRefusal =
  | 'removed'
  | 'not_draft'
  | 'no_back_test'
  | 'own_draft'
  | 'too_early'
  | 'not_confirmed'
  | 'not_active'
  | 'not_paused'
  | 'not_held'
  | 'held_by_bot'
  | 'own_hold'
  | 'release_too_early'
  | 'not_lead'
  | 'leads_unknown'
  | 'raised'
  | 'kept';

export type PolicyTransition =
  | { kind: 'moved'; state: PolicyState; isAlone: boolean }
  | { kind: 'refused'; reason: PolicyRefusal };

/** The only admin thinks about a draft for a day. */
const ALONE_AFTER_MS = 24 * HOUR_MS;

const moved = (state: PolicyState, isAlone = false): PolicyTransition => ({ kind: 'moved', state, isAlone });
const refused = (reason: PolicyRefusal): PolicyTransition => ({ kind: 'refused', reason });

/** The store makes the same change by a conditional update. Pure. */
export function policyTransitionOf(facts: PolicyStateFacts, event: PolicyEvent, now: Date): PolicyTransition {
  if (facts.state === 'removed' && event.kind !== 'release') return refused('removed');
  switch (event.kind) {
    case 'activate':
      return activate(facts, event, now);
    case 'edit':
      return moved('draft');
    case 'pause':
      return facts.state === 'active' ? moved('paused') : refused('not_active');
    case 'resume':
      return facts.state === 'paused' ? moved('active') : refused('not_paused');
    case 'remove':
      return moved('removed');
    case 'lower':
      return lower(facts.state, event.lowering);
    case 'release':
      return release(facts, event, now);
    default:
      return event satisfies never;
  }
}

/** Why a person can’t lower what bounds the leads, before the form opens and when it is sent. Pure. */
export function whyNotLowered(state: PolicyState, { isLead, change }: Lowering): PolicyRefusal | undefined {
  if (state === 'removed') return 'removed';
  if (isLead === undefined) return 'leads_unknown';
  if (!isLead) return 'not_lead';
  if (state !== 'active') return 'not_active';
  return change === 'lowered' ? undefined : change;
}

function lower(state: PolicyState, lowering: Lowering): PolicyTransition {
  const reason = whyNotLowered(state, lowering);
  return reason ? refused(reason) : moved('active');
}

function activate(
  { state, hasBackTest, draftedAt }: PolicyStateFacts,
  { isOwnDraft, mayActAlone, isConfirmed }: Extract<PolicyEvent, { kind: 'activate' }>,
  now: Date,
): PolicyTransition {
  if (state !== 'draft') return refused('not_draft');
  if (!hasBackTest) return refused('no_back_test');
  if (!isOwnDraft) return moved('active');
  if (!mayActAlone) return refused('own_draft');
  if (now.getTime() < draftedAt.getTime() + ALONE_AFTER_MS) return refused('too_early');
  return isConfirmed ? moved('active', true) : refused('not_confirmed');
}

/**
 * A second admin frees the people and the caps of a policy that one admin stopped. A paused policy becomes a draft, so
 * that one admin alone can't resume it either.
 */
function release(
  { state, hold }: PolicyStateFacts,
  { isOwnHold, mayActAlone, isConfirmed }: Extract<PolicyEvent, { kind: 'release' }>,
  now: Date,
): PolicyTransition {
  if (!hold || state === 'active') return refused('not_held');
  if (hold.by === null) return refused('held_by_bot');
  const released = state === 'removed' ? 'removed' : 'draft';
  if (!isOwnHold) return moved(released);
  if (!mayActAlone) return refused('own_hold');
  if (now.getTime() < hold.at.getTime() + ALONE_AFTER_MS) return refused('release_too_early');
  return isConfirmed ? moved(released, true) : refused('not_confirmed');
}
