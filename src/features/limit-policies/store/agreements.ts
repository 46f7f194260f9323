import { limitPeriodSchema, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';
import type { PolicyDatabase, PolicyTransaction } from './policy-tables.ts';
import { rulesSchema, type AgreedPolicy } from '../rules/policy-rules.ts';

const rulesColumn = jsonColumn(rulesSchema);

/** Stored for a policy that two admins activated while the period of limits was not known. */
const UNKNOWN_PERIOD = 'unknown';

/** What two admins agree on with a version, besides its rules. */
export interface Agreement {
  inForceFrom: Date;
  period: LimitPeriod | undefined;
  secondAbove: number | undefined;
}

export interface AgreedVersions {
  /** The versions that decide or hold now: the newest of each policy whose dry run is over. */
  inForce: AgreedPolicy[];
  /** The same, as if every dry run were over. */
  withDryRuns: AgreedPolicy[];
}

interface AgreedRow extends AgreedPolicy {
  inForceFrom: Date;
}

export async function listAgreed(db: PolicyDatabase, now: Date): Promise<AgreedVersions> {
  const rows = await listUnreleased(db);
  const isInForce = ({ inForceFrom }: AgreedRow) => inForceFrom <= now;
  return {
    inForce: newestOf(rows.filter((row) => isInForce(row))),
    withDryRuns: newestOf(rows.filter((row) => isInForce(row) || !row.isHeld)),
  };
}

/** A version replaces the earlier ones of its policy as soon as it is in force. */
function newestOf(rows: readonly AgreedRow[]): AgreedPolicy[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Every version that two admins agreed on and that was not released, by policy and version. */
export async function listUnreleased(db: PolicyDatabase): Promise<AgreedRow[]> {
  const rows = await db
    .selectFrom('limitPolicyVersions as version')
    .innerJoin('limitPolicies as policy', 'policy.id', 'version.policyId')
    .select(['policy.id', 'policy.name', 'policy.state', 'policy.version as newest', 'policy.dryRunUntil'])
    .select(['version.version', 'version.rules', 'version.inForceFrom', 'version.agreedPeriod'])
    .select('version.agreedSecondAbove')
    .where('version.releasedAt', 'is', null)
    .orderBy('policy.id')
    .orderBy('version.version')
    .execute();
  return rows.flatMap((row): AgreedRow[] => {
    const isActive = row.state === 'active' && row.version === row.newest;
    // A process of an earlier version activates a policy without recording the agreement.
    const inForceFrom = row.inForceFrom ?? (isActive ? (row.dryRunUntil ?? '') : undefined);
    if (inForceFrom === undefined) return [];
    return [
      {
        id: row.id,
        name: row.name,
        version: row.version,
        rules: rulesColumn.read(row.rules),
        isHeld: !isActive,
        period: limitPeriodSchema.safeParse(row.agreedPeriod).data,
        secondAbove: row.agreedSecondAbove ?? undefined,
        inForceFrom: new Date(inForceFrom === '' ? 0 : inForceFrom),
      },
    ];
  });
}

export async function recordAgreement(
  trx: PolicyTransaction,
  { id, version }: { id: string; version: number },
  { inForceFrom, period, secondAbove }: Agreement,
): Promise<void> {
  await trx
    .updateTable('limitPolicyVersions')
    .set({
      inForceFrom: inForceFrom.toISOString(),
      agreedPeriod: period ?? UNKNOWN_PERIOD,
      agreedSecondAbove: secondAbove ?? null,
      releasedBy: null,
      releasedAt: null,
    })
    .where((where) => where.and({ policyId: id, version }))
    .execute();
}

/** Versions of before Quartermaster recorded the period were agreed on under the present one. */
export async function recordMissingPeriods(db: PolicyDatabase, period: LimitPeriod | undefined): Promise<void> {
  await db
    .updateTable('limitPolicyVersions')
    .set({ agreedPeriod: period ?? UNKNOWN_PERIOD })
    .where('agreedPeriod', 'is', null)
    .execute();
}

/** Its people and caps are free again. @returns `false` if no version of the policy was agreed on */
export async function storeRelease(trx: PolicyTransaction, policyId: string, by: string, now: Date): Promise<boolean> {
  const released = await trx
    .updateTable('limitPolicyVersions')
    .set({ releasedBy: by, releasedAt: now.toISOString() })
    .where((where) => where.and({ policyId }))
    .where('inForceFrom', 'is not', null)
    .where('releasedAt', 'is', null)
    .executeTakeFirst();
  return released.numUpdatedRows > 0n;
}
