import { z } from 'zod';
import { jsonColumn } from '../../../core/store/json-column.ts';
import type { PastGrant } from '../rules/decide.ts';
import type { PolicyReference } from '../rules/policy-rules.ts';
import { withPolicies, type PolicyDatabase, type PolicyDecisionRow, type PolicyTransaction } from './policy-tables.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { Database } from '../../../core/store/tables.ts';

/** What a policy in its dry run would have done with a request. */
const dryRunSchema = z.object({
  name: z.string(),
  version: z.int(),
  outcome: z.enum(['grant', 'prepare', 'person']),
  reason: z.string().nullable(),
});
export type DryRun = z.infer<typeof dryRunSchema>;
const dryRunColumn = jsonColumn(dryRunSchema);

export const dryRunOf = ({ dryRun }: Pick<PolicyDecisionRow, 'dryRun'>): DryRun | undefined =>
  dryRunColumn.readIfKnown(dryRun);

export interface NewDecision extends Pick<
  PolicyDecisionRow,
  'requestId' | 'email' | 'slackId' | 'outcome' | 'reason' | 'credits' | 'requestedUntil' | 'requestedReturn'
> {
  policy: PolicyReference | undefined;
  dryRun: DryRun | undefined;
}

export async function insertDecision(
  trx: PolicyTransaction,
  { policy, dryRun, ...decision }: NewDecision,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('limitPolicyDecisions')
    .values({
      ...decision,
      policyId: policy?.id ?? null,
      policyName: policy?.name ?? null,
      policyVersion: policy?.version ?? null,
      dryRun: dryRun ? dryRunColumn.write(dryRun) : null,
      at: now.toISOString(),
    })
    .execute();
}

export async function findDecision(db: PolicyDatabase, requestId: string): Promise<PolicyDecisionRow | undefined> {
  return db.selectFrom('limitPolicyDecisions').selectAll().where('requestId', '=', requestId).executeTakeFirst();
}

/** Returns the decisions about these requests, by their ids. */
export async function decisionsOf(
  db: PolicyDatabase,
  requestIds: readonly string[],
): Promise<Map<string, PolicyDecisionRow>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db.selectFrom('limitPolicyDecisions').selectAll().where('requestId', 'in', requestIds).execute();
  return new Map(rows.map((row) => [row.requestId, row]));
}

/** Returns the grants of all policies since an instant, and all those of one person by any identity. */
export async function readPastGrants(
  db: PolicyDatabase,
  { since, emails, slackIds }: { since: Date; emails: readonly string[]; slackIds: readonly string[] },
): Promise<PastGrant[]> {
  const rows = await db
    .selectFrom('limitPolicyDecisions as decision')
    .leftJoin('limitRequests as request', 'request.id', 'decision.requestId')
    .select(['decision.email', 'decision.slackId', 'decision.at', 'decision.credits', 'request.kind'])
    .where('decision.outcome', '=', 'grant')
    .where((where) =>
      where.or([
        where('decision.at', '>=', since.toISOString()),
        where('decision.email', 'in', emails),
        ...(slackIds.length === 0 ? [] : [where('decision.slackId', 'in', slackIds)]),
      ]),
    )
    .execute();
  return rows.map(({ kind, at, ...grant }) => ({ ...grant, at: new Date(at), isRaise: kind === 'ask' }));
}

/** Oldest first. */
export async function listGrants(
  db: PolicyDatabase,
  { after, until }: { after: Date; until: Date },
): Promise<PolicyDecisionRow[]> {
  return db
    .selectFrom('limitPolicyDecisions')
    .selectAll()
    .where('outcome', '=', 'grant')
    .where('at', '>', after.toISOString())
    .where('at', '<=', until.toISOString())
    .orderBy('at')
    .orderBy('requestId')
    .execute();
}

/** E-mails about which a policy decided after a trigger without a request, so that none is decided twice. */
export async function emailsDecidedBy(db: PolicyDatabase, policyId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('limitPolicyDecisions')
    .select('email')
    .distinct()
    .where('policyId', '=', policyId)
    .execute();
  return new Set(rows.map(({ email }) => email));
}

/** Returns how many limits policies and leads granted in the last 24 hours, and how many policies there are by state. */
export async function countPolicies(
  database: Database,
): Promise<{ grants: number; grantsOfLeads: number; states: Map<string, number> }> {
  const db = withPolicies(database);
  const since = new Date((await readStoreNow(db)).getTime() - DAY_MS).toISOString();
  const { count: grants } = await db
    .selectFrom('limitPolicyDecisions')
    .select((select) => select.fn.countAll().as('count'))
    .where('outcome', '=', 'grant')
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  const { count: grantsOfLeads } = await db
    .selectFrom('limitTeamCharges')
    .select((select) => select.fn.countAll().as('count'))
    .where('chargedBy', 'is not', null)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('limitPolicies')
    .select((select) => ['state', select.fn.countAll().as('count')] as const)
    .groupBy('state')
    .execute();
  return {
    grants: Number(grants),
    grantsOfLeads: Number(grantsOfLeads),
    states: new Map(rows.map(({ state, count }) => [state, Number(count)])),
  };
}
