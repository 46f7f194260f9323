import { DAY_MS } from '../../../base/time/durations.ts';
import { readStoreNow } from '../../../store/lease.ts';
import type { Database } from '../../../store/tables.ts';
import { withLimits } from '../../core/limit-tables.ts';

/** Returns how many limits policies granted in the last 24 hours, and how many policies there are by state. */
export async function countPolicies(database: Database): Promise<{ grants: number; states: Map<string, number> }> {
  const db = withLimits(database);
  const since = new Date((await readStoreNow(db)).getTime() - DAY_MS).toISOString();
  const { count: grants } = await db
    .selectFrom('limitPolicyDecisions')
    .select((select) => select.fn.countAll().as('count'))
    .where('outcome', '=', 'grant')
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('limitPolicies')
    .select((select) => ['state', select.fn.countAll().as('count')] as const)
    .groupBy('state')
    .execute();
  return { grants: Number(grants), states: new Map(rows.map(({ state, count }) => [state, Number(count)])) };
}
