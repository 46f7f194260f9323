import type { Selectable } from 'kysely';
import { readStoreNow } from '../../../core/store/lease.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';
import type { LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { rulesSchema, type PolicyRules } from '../rules/policy-rules.ts';
import type { Hold, PauseReason, PolicyState } from '../rules/policy-states.ts';
import type { PolicyDatabase, PolicyTables, PolicyTransaction } from './policy-tables.ts';
import { listUnreleased } from './agreements.ts';

const rulesColumn = jsonColumn(rulesSchema);

export interface StoredPolicy {
  id: string;
  name: string;
  version: number;
  state: PolicyState;
  rules: PolicyRules;
  draftedBy: string;
  draftedAt: Date;
  /** JSON. */
  backTest: string | null;
  backTestedAt: Date | undefined;
  activatedBy: string | null;
  activatedAt: Date | undefined;
  isActivatedAlone: boolean;
  dryRunUntil: Date | undefined;
  confirmedAt: Date | undefined;
  pausedBy: string | null;
  pausedAt: Date | undefined;
  pauseReason: PauseReason | null;
  /** The version that holds its people and caps: agreed on, no longer acting, and not released. */
  held: { version: number; rules: PolicyRules } | undefined;
  hold: Hold | undefined;
  /** Of the version that acts: the period of limits that its admins agreed under, unless it was not known. */
  agreedPeriod: LimitPeriod | undefined;
}

type PolicyRow = Selectable<PolicyTables['limitPolicies']> &
  Pick<
    Selectable<PolicyTables['limitPolicyVersions']>,
    'rules' | 'draftedBy' | 'draftedAt' | 'backTest' | 'backTestedAt'
  >;

const dateOf = (at: string | null) => (at === null ? undefined : new Date(at));

const policyOf = (row: PolicyRow): StoredPolicy => ({
  id: row.id,
  name: row.name,
  version: row.version,
  state: row.state,
  rules: rulesColumn.read(row.rules),
  draftedBy: row.draftedBy,
  draftedAt: new Date(row.draftedAt),
  backTest: row.backTest,
  backTestedAt: dateOf(row.backTestedAt),
  activatedBy: row.activatedBy,
  activatedAt: dateOf(row.activatedAt),
  isActivatedAlone: row.activatedAlone === 1,
  dryRunUntil: dateOf(row.dryRunUntil),
  confirmedAt: dateOf(row.confirmedAt),
  pausedBy: row.pausedBy,
  pausedAt: dateOf(row.pausedAt),
  pauseReason: row.pauseReason,
  held: undefined,
  hold: undefined,
  agreedPeriod: undefined,
});

const rowsOf = (db: PolicyDatabase) =>
  db
    .selectFrom('limitPolicies as policy')
    .innerJoin('limitPolicyVersions as version', (join) =>
      join.onRef('version.policyId', '=', 'policy.id').onRef('version.version', '=', 'policy.version'),
    )
    .selectAll('policy')
    .select(['version.rules', 'version.draftedBy', 'version.draftedAt', 'version.backTest', 'version.backTestedAt']);

/** Oldest first, without removed ones that hold nothing. */
export async function listPolicies(db: PolicyDatabase): Promise<StoredPolicy[]> {
  const rows = await rowsOf(db).orderBy('policy.createdAt').orderBy('policy.id').execute();
  const policies = await withHolds(db, rows);
  return policies.filter(({ state, held }) => state !== 'removed' || held);
}

/** Adds which version still holds people and caps. */
async function withHolds(db: PolicyDatabase, rows: readonly PolicyRow[]): Promise<StoredPolicy[]> {
  const agreed = await listUnreleased(db);
  const now = await readStoreNow(db);
  return rows.map((row) => {
    const own = agreed.filter(({ id }) => id === row.id);
    const isActing = own.some(({ isHeld, inForceFrom }) => !isHeld && inForceFrom <= now);
    const policy = { ...policyOf(row), agreedPeriod: own.find(({ isHeld }) => !isHeld)?.period };
    const held = isActing ? undefined : own.findLast(({ isHeld }) => isHeld);
    return held ? { ...policy, held, hold: holdOf(row) } : policy;
  });
}

function holdOf({ state, pausedBy, pausedAt, removedBy, removedAt, draftedBy, draftedAt }: PolicyRow): Hold {
  switch (state) {
    case 'paused':
      return { by: pausedBy, at: new Date(pausedAt ?? 0) };
    case 'removed':
      return { by: removedBy, at: new Date(removedAt ?? 0) };
    // The earlier version holds its people until the dry run of this one is over.
    case 'active':
    case 'draft':
      return { by: draftedBy, at: new Date(draftedAt) };
    default:
      return state satisfies never;
  }
}

/** Policies that decide, or say what they would do. */
export async function listActive(db: PolicyDatabase): Promise<StoredPolicy[]> {
  const rows = await rowsOf(db).where('policy.state', '=', 'active').orderBy('policy.id').execute();
  return rows.map((row) => policyOf(row));
}

export async function hasActive(db: PolicyDatabase): Promise<boolean> {
  const row = await db
    .selectFrom('limitPolicies')
    .select('id')
    .where('state', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPolicy(db: PolicyDatabase, id: string): Promise<StoredPolicy | undefined> {
  const [policy] = await withHolds(db, await rowsOf(db).where('policy.id', '=', id).execute());
  return policy;
}

export interface Draft {
  name: string;
  rules: PolicyRules;
}

/** @returns `false` if the id is taken */
export async function insertPolicy(
  trx: PolicyTransaction,
  id: string,
  draft: Draft,
  by: string,
  now: Date,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('limitPolicies')
    .values({ id, name: draft.name, state: 'draft', version: 1, createdAt: now.toISOString() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  if (!inserted.numInsertedOrUpdatedRows) return false;
  await insertVersion(trx, { id, version: 1 }, draft, by, now);
  return true;
}

async function insertVersion(
  trx: PolicyTransaction,
  { id: policyId, version }: { id: string; version: number },
  { rules }: Draft,
  by: string,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('limitPolicyVersions')
    .values({ policyId, version, rules: rulesColumn.write(rules), draftedBy: by, draftedAt: now.toISOString() })
    .execute();
}

export const NOT_ACTIVATED = {
  activatedBy: null,
  activatedAt: null,
  activatedAlone: null,
  dryRunUntil: null,
  confirmedAt: null,
  pausedBy: null,
  pausedAt: null,
  pauseReason: null,
} as const;

/** Adds a version, as a draft. @returns `false` if another admin changed it first */
export async function replaceRules(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  draft: Draft,
  by: string,
  now: Date,
): Promise<boolean> {
  const next = version + 1;
  const updated = await trx
    .updateTable('limitPolicies')
    .set({
      name: draft.name,
      state: 'draft',
      version: next,
      ...NOT_ACTIVATED,
    })
    .where((where) => where.and({ id, version }))
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await insertVersion(trx, { id, version: next }, draft, by, now);
  return true;
}

/**
 * Adds a version that acts at once under the agreement of the earlier one, because it only allows less. Its author stays
 * the admin who wrote it, so that this admin still can't activate it. @returns `false` if somebody changed it first
 */
export async function tightenRules(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  rules: PolicyRules,
): Promise<boolean> {
  const updated = await trx
    .updateTable('limitPolicies')
    .set({ version: version + 1 })
    .where((where) => where.and({ id, version, state: 'active' }))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  const agreed = await trx
    .selectFrom('limitPolicyVersions')
    .select(['draftedBy', 'draftedAt', 'inForceFrom', 'agreedPeriod', 'agreedSecondAbove'])
    .where((where) => where.and({ policyId: id, version }))
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('limitPolicyVersions')
    .values({ policyId: id, version: version + 1, rules: rulesColumn.write(rules), ...agreed })
    .execute();
  return true;
}

/** @returns `false` if the version is no longer the newest one */
export async function keepBackTest(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  backTest: string,
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('limitPolicyVersions')
    .set({ backTest, backTestedAt: now.toISOString() })
    .where((where) => where.and({ policyId: id, version }))
    .where('version', '=', trx.selectFrom('limitPolicies').select('version').where('id', '=', id))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
