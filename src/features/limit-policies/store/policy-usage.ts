import { DAY_MS } from '../../../core/base/time/durations.ts';
import type { Period } from '../../../core/base/time/calendar.ts';
import type { PolicyDatabase } from './policy-tables.ts';

const WEEK_MS = 7 * DAY_MS;

/** How far the caps are used. A grant counts whatever its outcome was. */
export interface PolicyUsage {
  /** Of all policies. */
  grantsInDay: number;
  creditsInPeriod: number;
  /** By policy, in the last seven days. */
  inWeek: ReadonlyMap<string, number>;
}

export async function readPolicyUsage(db: PolicyDatabase, now: Date, period: Period): Promise<PolicyUsage> {
  const { first } = period;
  const weekAgo = new Date(now.getTime() - WEEK_MS).toISOString();
  const since = first < weekAgo ? first : weekAgo;
  const rows = await db
    .selectFrom('limitPolicyDecisions')
    .select(['policyId', 'credits', 'at'])
    .where('outcome', '=', 'grant')
    .where('at', '>=', since)
    .execute();
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const inWeek = new Map<string, number>();
  for (const { policyId, at } of rows)
    if (policyId !== null && at > weekAgo) inWeek.set(policyId, (inWeek.get(policyId) ?? 0) + 1);
  return {
    grantsInDay: rows.filter(({ at }) => at > dayAgo).length,
    creditsInPeriod: rows.filter(({ at }) => at >= first).reduce((sum, { credits }) => sum + credits, 0),
    inWeek,
  };
}
