import { poolOf, type TeamRules } from './policy-rules.ts';
import type { LimitsOfLeads } from './policy-states.ts';

export type TeamBounds = Pick<TeamRules, 'pool' | 'cap'>;

/** Leads can't loosen one of their bounds by tightening the other. Pure. */
export function compareBounds(before: TeamBounds, after: TeamBounds): LimitsOfLeads {
  const [poolBefore, poolAfter] = [poolOf(before), poolOf(after)];
  if (poolAfter > poolBefore || after.cap > before.cap) return 'raised';
  return poolAfter < poolBefore || after.cap < before.cap ? 'lowered' : 'kept';
}
