import { audit } from '../../../core/store/audit.ts';
import type { PolicyDatabase, PolicyTransaction } from './policy-tables.ts';
import { takeTurn } from './turn.ts';

/** The declaration that limits are set nowhere else than here. */
export interface OnlyHere {
  by: string;
  at: Date;
}

export async function readOnlyHere(db: PolicyDatabase): Promise<OnlyHere | undefined> {
  const row = await db.selectFrom('limitPolicySettings').select(['onlyHereBy', 'onlyHereAt']).executeTakeFirst();
  return row?.onlyHereBy && row.onlyHereAt ? { by: row.onlyHereBy, at: new Date(row.onlyHereAt) } : undefined;
}

/** Declares it, or takes the declaration back. @returns `false` if it changes nothing */
export async function declareOnlyHere(
  trx: PolicyTransaction,
  isDeclared: boolean,
  by: string,
  now: Date,
): Promise<boolean> {
  await takeTurn(trx);
  const before = await readOnlyHere(trx);
  if ((before !== undefined) === isDeclared) return false;
  await trx
    .updateTable('limitPolicySettings')
    .set({ onlyHereBy: isDeclared ? by : null, onlyHereAt: isDeclared ? now.toISOString() : null })
    .execute();
  const action = isDeclared ? 'declared that limits are set only here' : 'took back that limits are set only here';
  await audit(trx, { about: 'limits:only-here', actor: by, action, detail: null }, now);
  return true;
}
