import { HOUR_MS } from '../../../base/time/durations.ts';

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
  | { kind: 'edit' | 'pause' | 'resume' | 'remove' };

export type PolicyRefusal =
  | 'removed'
  | 'not_draft'
  | 'no_back_test'
  | 'own_draft'
  | 'too_early'
  | 'not_confirmed'
  | 'not_active'
  | 'not_paused';

export type PolicyTransition =
  | { kind: 'moved'; state: PolicyState; isAlone: boolean }
  | { kind: 'refused'; reason: PolicyRefusal };

/** The only admin thinks about a draft for a day. */
const ALONE_AFTER_MS = 24 * HOUR_MS;

const moved = (state: PolicyState, isAlone = false): PolicyTransition => ({ kind: 'moved', state, isAlone });
const refused = (reason: PolicyRefusal): PolicyTransition => ({ kind: 'refused', reason });

/** The store makes the same change by a conditional update. Pure. */
export function policyTransitionOf(facts: PolicyStateFacts, event: PolicyEvent, now: Date): PolicyTransition {
  if (facts.state === 'removed') return refused('removed');
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
    default:
      return event satisfies never;
  }
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
