import { HOUR_MS } from '../../../core/base/time/durations.ts';
import type { ApproverRules } from './approver-rules.ts';
import type { LimitTurn, Obstacle } from '../core/approver-tables.ts';

export type PlannedTurn = Pick<LimitTurn, 'approver' | 'skipped'>;

export interface TurnFacts {
  rules: Pick<ApproverRules, 'approvers' | 'hours'>;
  stage: 1 | 2;
  /** The turns of this stage, oldest first. */
  turns: readonly LimitTurn[];
  /** By Slack id: why an admin can't be asked now. */
  obstacles: ReadonlyMap<string, Obstacle>;
  /** Requests are handed on in working time only. */
  isWorkingTime: boolean;
}

/** When the next approver is asked, if it is working time. */
export const endOfTurn = ({ at }: Pick<LimitTurn, 'at'>, { hours }: Pick<ApproverRules, 'hours'>): Date =>
  new Date(Date.parse(at) + hours * HOUR_MS);

/** Returns the approvers who were neither asked nor skipped in this stage, in their order. Pure. */
export function remainingApprovers({ rules, turns }: Pick<TurnFacts, 'rules' | 'turns'>): string[] {
  return rules.approvers.filter((slackId) => !turns.some(({ approver }) => approver === slackId));
}

/**
 * Returns the turns that begin now: the approvers who are skipped, then the one who is asked, or all admins after the
 * last of the list. Empty while the present turn lasts. Pure.
 */
export function planTurns(facts: TurnFacts, now: Date): PlannedTurn[] {
  const { rules, stage, turns } = facts;
  if (rules.approvers.length === 0 && stage === 1 && turns.length === 0) return [];
  const current = turns.findLast(({ skipped }) => skipped === null);
  if (current && !isTurnOver(facts, current, now)) return [];
  const planned: PlannedTurn[] = [];
  for (const approver of remainingApprovers(facts)) {
    const skipped = facts.obstacles.get(approver) ?? null;
    planned.push({ approver, skipped });
    if (skipped === null) return planned;
  }
  return [...planned, { approver: null, skipped: null }];
}

function isTurnOver({ rules, obstacles, isWorkingTime }: TurnFacts, current: LimitTurn, now: Date): boolean {
  if (current.approver === null) return false;
  const obstacle = obstacles.get(current.approver);
  // An approver who went away after they were asked keeps their time.
  if (obstacle !== undefined && obstacle !== 'away') return true;
  return rules.approvers.length === 0 || (isWorkingTime && endOfTurn(current, rules) <= now);
}
