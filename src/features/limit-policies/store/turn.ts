import { sql } from 'kysely';
import type { PolicyTransaction } from './policy-tables.ts';

/** The first statement of each transaction that decides by policies, or changes them. */
export async function takeTurn(trx: PolicyTransaction): Promise<void> {
  await trx
    .insertInto('limitPolicySettings')
    .values({ place: 'here', turn: 1 })
    .onConflict((conflict) =>
      conflict.column('place').doUpdateSet({ turn: sql<number>`limit_policy_settings.turn + 1` }),
    )
    .execute();
}
