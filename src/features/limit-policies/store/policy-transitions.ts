import type { PolicyTransaction } from './policy-tables.ts';
import type { PauseReason } from '../rules/policy-states.ts';
import { recordAgreement, type Agreement } from './agreements.ts';
import { NOT_ACTIVATED, type StoredPolicy } from './policy-store.ts';

export interface Activation extends Agreement {
  by: string;
  isAlone: boolean;
}

/** @returns `false` if it is no longer this draft */
export async function storeActivation(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  { by, isAlone, ...agreement }: Activation,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const tested = trx
    .selectFrom('limitPolicyVersions')
    .select('version')
    .where('policyId', '=', id)
    .where('backTestedAt', 'is not', null);
  const updated = await trx
    .updateTable('limitPolicies')
    .set({
      state: 'active',
      activatedBy: by,
      activatedAt: at,
      activatedAlone: isAlone ? 1 : null,
      dryRunUntil: agreement.inForceFrom.toISOString(),
      confirmedAt: at,
    })
    .where((where) => where.and({ id, version }))
    .where('version', 'in', tested)
    .where('state', '=', 'draft')
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await recordAgreement(trx, { id, version }, agreement);
  return true;
}

export interface Pause {
  /** Null: Quartermaster. */
  by: string | null;
  reason: PauseReason;
}

/** Pauses active policies; except at a cap, their unsent requests go to a person. @returns the paused policies */
export async function pausePolicies(
  trx: PolicyTransaction,
  ids: readonly string[],
  { by, reason }: Pause,
  now: Date,
): Promise<{ id: string; name: string; version: number }[]> {
  if (ids.length === 0) return [];
  const at = now.toISOString();
  const paused = await trx
    .updateTable('limitPolicies')
    .set({ state: 'paused', pausedBy: by, pausedAt: at, pauseReason: reason })
    .where('id', 'in', ids)
    .where('state', '=', 'active')
    .returning(['id', 'name', 'version'])
    .execute();
  const pausedIds = paused.map(({ id }) => id);
  if (!isCap(reason)) await haltVersions(trx, pausedIds, now);
  return paused;
}

/** Grants before a cap was reached are within it. */
const isCap = (reason: PauseReason) => reason === 'grants_a_day' || reason === 'credits_a_period';

/** Requests that any version of these policies approved until now are no longer sent by themselves. */
async function haltVersions(trx: PolicyTransaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('limitPolicyVersions')
    .set({ haltedAt: now.toISOString() })
    .where('policyId', 'in', ids)
    .execute();
}

/** Earlier approvals stay halted. @returns `false` if it is not paused in this version */
export async function storeResumption(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('limitPolicies')
    .set({ state: 'active', confirmedAt: now.toISOString(), pausedBy: null, pausedAt: null, pauseReason: null })
    .where((where) => where.and({ id, version, state: 'paused' }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function storeRemoval(trx: PolicyTransaction, id: string, by: string, now: Date): Promise<boolean> {
  const updated = await trx
    .updateTable('limitPolicies')
    .set({ state: 'removed', removedBy: by, removedAt: now.toISOString() })
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await haltVersions(trx, [id], now);
  return true;
}

/** A paused policy becomes a draft, so that a second admin has to activate it again. */
export async function storeReleasedState(trx: PolicyTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limitPolicies')
    .set({ state: 'draft', ...NOT_ACTIVATED })
    .where((where) => where.and({ id, state: 'paused' }))
    .execute();
}
