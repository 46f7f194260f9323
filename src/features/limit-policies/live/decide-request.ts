import type { PolicyDatabase, PolicyTransaction } from '../store/policy-tables.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { BOT_ACTOR, audit } from '../../../core/store/audit.ts';
import { readStoreNow, storeNow } from '../../../core/store/lease.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { readApproverRules } from '../../limits/approvers/approver-rules.ts';
import { auditSubject } from '../../limits/core/ids.ts';
import type { LimitDatabase } from '../../limits/core/limit-tables.ts';
import { anyLimitOf, limitOf, openElsewhere } from '../../limits/core/ledger.ts';
import { readCapability } from '../../../core/platform/capabilities/capability-store.ts';
import { shownBefore } from '../../limits/core/person-text.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import type { NewRequest } from '../../limits/core/requests.ts';
import { queuePeople } from '../../limits/decide/approve.ts';
import {
  decideByPolicy,
  isAtCap,
  referenceOf,
  type DecisionFacts,
  type PersonReason,
  type PolicyDecision,
  type PolicyFacts,
  type PolicyTrigger,
} from '../rules/decide.ts';
import { actingOf, isRaiseRules, teamsIn, type ActingPolicy, type AgreedPolicy } from '../rules/policy-rules.ts';
import {
  decideByTeam,
  withinPool,
  type ChargedGrant,
  type TeamDecision,
  type TeamFacts,
} from '../rules/decide-team.ts';
import type { PauseReason } from '../rules/policy-states.ts';
import { capPeriod, undoEndOf } from '../rules/windows.ts';
import { pauseAll } from './pause.ts';
import { readOnlyHere } from '../store/only-here.ts';
import { insertDecision, readPastGrants, type DryRun, type NewDecision } from '../store/policy-decisions.ts';
import { listAgreed } from '../store/agreements.ts';
import { listActive, type StoredPolicy } from '../store/policy-store.ts';
import { insertCharge, readCharges } from '../store/charges.ts';
import { warnAboutPool } from '../messages/policy-notices.ts';
import { takeTurn } from '../store/turn.ts';
import type { OutsideFacts } from './outside-facts.ts';

/** The back-test replays the same function; a test asserts it. */
export const LIVE_DECISION = decideByPolicy;

export interface DecidedRequest {
  amount: number;
  until: Date | undefined;
  people: number;
  trigger: PolicyTrigger;
  /** Its own row does not count as another open request. */
  id?: string;
}

export interface LiveDecision {
  decision: PolicyDecision;
  dryRun: DryRun | undefined;
  /** By the clock of the store. */
  at: Date;
  /** What the platform shows of the limit of the person. */
  shown: string | undefined;
  /** Whether the leads of a team may decide instead of a policy; undefined without a request. */
  team: TeamDecision | undefined;
  /** What the pool of a team pays for the grant. */
  charged: ChargedGrant | undefined;
}

/**
 * Decides in the transaction that creates the request. Only one transaction at a time does so, on all replicas, so the
 * caps count every earlier grant. At a cap, and after a gap in the store, the policies pause.
 */
export async function decideInTurn(
  trx: PolicyTransaction,
  deps: Pick<PolicyDeps, 'config'>,
  request: DecidedRequest,
  outside: OutsideFacts,
): Promise<LiveDecision> {
  await takeTurn(trx);
  const at = await readStoreNow(trx);
  const active = await listActive(trx);
  const { inForce, withDryRuns } = await listAgreed(trx, at);
  const facts = await readFacts(trx, deps, request, outside, [...inForce, ...withDryRuns], at);
  const hasGap = active.some((policy) => isBeforeGap(policy, outside));
  const teams = { ...forPeople(facts, teamsIn(inForce), outside, hasGap), ...(await readTeams(trx, inForce)) };
  const policies = actingOf(inForce);
  const alone = LIVE_DECISION({ ...forPeople(facts, policies, outside, hasGap), grants: facts.grants, policies });
  const { decision, charged } = withinPool(alone, policies, teams);
  const reason = pauseReasonOf(decision, hasGap);
  const acting = policies.filter(({ isHeld }) => !isHeld);
  if (reason) await pauseAll(trx, reason === 'gap' ? active : acting, { by: null, reason }, at);
  const dryRuns = actingOf(withDryRuns);
  const dry = LIVE_DECISION({
    ...forPeople(facts, dryRuns, outside, hasGap),
    grants: facts.grants,
    policies: dryRuns,
  });
  const shown = shownBefore(facts.limit);
  const team = request.trigger === 'request' ? decideByTeam(teams) : undefined;
  return { decision, dryRun: dryRunIn(dry, policies), at, shown, team, charged };
}

/** The teams on which two admins agreed, and what is charged to their pools. */
export async function readTeams(
  db: PolicyDatabase,
  inForce: readonly AgreedPolicy[],
): Promise<Pick<TeamFacts, 'teams' | 'charges'>> {
  const teams = teamsIn(inForce);
  return { teams, charges: teams.length === 0 ? [] : await readCharges(db) };
}

/** A store that was restored may lack a limit, or that a policy was stopped. */
export const isBeforeGap = ({ confirmedAt }: StoredPolicy, { gapUntil }: OutsideFacts) =>
  gapUntil !== undefined && (confirmedAt === undefined || confirmedAt <= gapUntil);

function pauseReasonOf(decision: PolicyDecision, hasGap: boolean): PauseReason | undefined {
  if (hasGap) return 'gap';
  if (!isAtCap(decision) || decision.kind !== 'person') return undefined;
  return decision.reason === 'grants_a_day' ? 'grants_a_day' : 'credits_a_period';
}

/** @param policies whose groups have to be known */
export function forPeople(
  facts: Omit<DecisionFacts, 'person' | 'hasGap'>,
  policies: readonly AgreedPolicy[],
  { email, emails, slackIds, isAdmin, groups, knownGroups, firstSeenOn }: OutsideFacts,
  hasGap: boolean,
): DecisionFacts {
  const areGroupsKnown = policies.every(
    ({ rules: { subject } }) => subject.kind !== 'group' || knownGroups.has(subject.id),
  );
  return {
    ...facts,
    hasGap,
    person: { email, emails, slackIds, isAdmin, groups: areGroupsKnown ? groups : undefined, firstSeenOn },
  };
}

/** What a policy in its dry run would have done; undefined if another policy decides in any case. */
function dryRunIn(dry: PolicyDecision, inForce: readonly ActingPolicy[]): DryRun | undefined {
  const { policy } = dry;
  if (!policy || inForce.some(({ id, version }) => id === policy.id && version === policy.version)) return undefined;
  const reason = dry.kind === 'person' ? dry.reason : null;
  return { name: policy.name, version: policy.version, outcome: dry.kind, reason };
}

export async function readFacts(
  trx: PolicyDatabase,
  { config }: Pick<PolicyDeps, 'config'>,
  { id, amount, until, people, trigger }: DecidedRequest,
  outside: OutsideFacts,
  policies: readonly AgreedPolicy[],
  now: Date,
): Promise<Omit<PolicyFacts, 'policies' | 'person' | 'hasGap'>> {
  const { email, emails, slackIds, figuresUntil, period, limitsInForce } = outside;
  // A first limit is for a person without any; a raise starts from the limit of this very e-mail.
  const limit = trigger === 'request' ? await limitOf(trx, email) : await anyLimitOf(trx, emails);
  const open = (await openElsewhere(trx, emails)).filter(({ requestId }) => requestId !== id);
  return {
    now,
    timeZone: config.timeZone,
    trigger,
    areOn: config.limitPolicies,
    shownLimits: await shownLimitsNow(trx, limitsInForce),
    areLimitsOnlyHere: (await readOnlyHere(trx)) !== undefined,
    secondAbove: (await readApproverRules(trx))?.secondAbove,
    request: { people, amount, until },
    limit,
    figuresUntil,
    hasOpenRequest: open.length > 0,
    hasUnknownOutcome: await hasUnknownOutcome(trx, emails),
    period,
    grants: await readPastGrants(trx, { since: earliestWindow(policies, now), emails, slackIds }),
  };
}

/** Another process may have got another answer since. */
async function shownLimitsNow(
  db: LimitDatabase,
  read: OutsideFacts['limitsInForce'],
): Promise<PolicyFacts['shownLimits']> {
  const state = (await readCapability(db, 'limits'))?.state;
  switch (state) {
    case undefined:
    case 'none':
    case 'refused':
      return 'not_shown';
    case 'lost':
    case 'failed':
      return 'failed';
    case 'reads':
      return read === 'read' ? 'read' : 'failed';
    default:
      return state satisfies never;
  }
}

async function hasUnknownOutcome(trx: PolicyDatabase, emails: readonly string[]): Promise<boolean> {
  const row = await trx
    .selectFrom('limitRequestPeople')
    .select('requestId')
    .where('email', 'in', emails)
    .where('state', 'in', ['sending', 'unknown'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined || (await hasUndecidedEnd(trx, emails));
}

/** A raise that may have been set ended, and no request about its end was made yet. */
async function hasUndecidedEnd(trx: PolicyDatabase, emails: readonly string[]): Promise<boolean> {
  const row = await trx
    .selectFrom('limitRequestPeople as person')
    .select('person.requestId')
    .where('person.email', 'in', emails)
    .where((where) => where.and({ 'person.state': 'superseded', 'person.mayBeSet': 1 }))
    .where('person.returnValue', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('limitRequests as back')
            .select('back.id')
            .whereRef('back.parentId', '=', 'person.requestId')
            .where('back.kind', '=', 'return'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function earliestWindow(policies: readonly AgreedPolicy[], now: Date): Date {
  const windows = policies.flatMap(({ rules, period }) => [
    Date.parse(capPeriod(now, period).first),
    now.getTime() - (isRaiseRules(rules) ? rules.days : 1) * DAY_MS,
  ]);
  return new Date(Math.min(now.getTime(), ...windows));
}

/** Stores the decision about a request, and approves the request if the policy grants it. */
export async function applyDecision(
  trx: PolicyTransaction,
  deps: Pick<PolicyDeps, 'config'>,
  request: Pick<NewRequest, 'id' | 'until' | 'people'>,
  live: LiveDecision,
  now: Date,
): Promise<void> {
  const { decision, dryRun, at, shown, charged } = live;
  const [person] = request.people;
  const stored = storedDecision(live);
  const isUnrelated = stored.outcome === 'person' && !stored.policy;
  if (!person || (isUnrelated && !dryRun)) return;
  await insertDecision(
    trx,
    {
      requestId: request.id,
      email: person.email,
      slackId: person.slackId ?? null,
      ...stored,
      dryRun,
      requestedUntil: request.until?.toISOString() ?? null,
      requestedReturn: person.returnTo ?? null,
    },
    at,
  );
  // The decision was made against this limit, whatever the request says.
  if (shown !== undefined)
    await trx
      .updateTable('limitRequestPeople')
      .set({ shownBefore: shown })
      .where('requestId', '=', request.id)
      .execute();
  if (decision.kind !== 'grant') return;
  await grant(trx, deps, request.id, decision, now);
  if (!charged) return;
  const { email, slackId = null } = person;
  const until = decision.end?.until;
  const charge = { ...charged.charge, requestId: request.id, email, slackId, until, by: null };
  await insertCharge(trx, charged.policy, charge, at);
  await warnAboutPool(trx, charged.policy, charged.pool, now);
}

/** The leads of a team are asked if no policy grants or prepares it. */
function storedDecision({
  decision,
  team,
}: LiveDecision): Pick<NewDecision, 'outcome' | 'reason' | 'credits' | 'policy'> {
  if (decision.kind !== 'person') {
    const { kind: outcome, credits, policy } = decision;
    return { outcome, reason: null, credits, policy };
  }
  const policy = team?.policy && referenceOf(team.policy);
  if (team?.kind === 'lead') return { outcome: 'lead', reason: null, credits: 0, policy };
  if (team?.kind === 'up' && policy) return { outcome: 'person', reason: team.reason, credits: 0, policy };
  return { outcome: 'person', reason: decision.reason, credits: 0, policy: decision.policy };
}

type Grant = Extract<PolicyDecision, { kind: 'grant' | 'prepare' }>;

/** Approves a pending request, by a conditional update. */
async function grant(
  trx: PolicyTransaction,
  { config }: Pick<PolicyDeps, 'config'>,
  id: string,
  { policy, value, end }: Grant,
  now: Date,
): Promise<void> {
  const approved = await trx
    .updateTable('limitRequests')
    .set((set) => ({
      state: 'approved',
      version: set('version', '+', 1),
      decidedBy: BOT_ACTOR,
      decidedAt: now.toISOString(),
      until: end?.until.toISOString() ?? null,
      nextAttemptAt: storeNow(trx),
      policyId: policy.id,
      policyName: policy.name,
      policyVersion: policy.version,
      undoUntil: undoEndOf(now, config.timeZone).toISOString(),
    }))
    .where((where) => where.and({ id, state: 'pending' }))
    .where('expiresAt', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst();
  if (!approved) throw new Error('A policy decided a request that no longer waits');
  await trx
    .updateTable('limitRequestPeople')
    .set({ returnValue: end?.returnTo ?? null, returnsToNone: end?.returnsToNone ? 1 : null })
    .where('requestId', '=', id)
    .execute();
  await queuePeople(trx, approved, AS_REQUESTED);
  const detail = `Policy “${policy.name}” (${policy.id}), version ${policy.version}: ${formatAmount(value)}`;
  await audit(trx, { about: auditSubject(id), actor: BOT_ACTOR, action: 'granted by a policy', detail }, now);
}

const AS_REQUESTED = { lowered: new Map(), leftOut: new Set<string>(), returns: new Map(), highestReturn: undefined };

/** Reasons that are the same for every person, so that a loop over people can end. */
const SHARED_REASONS: ReadonlySet<PersonReason> = new Set([
  'off',
  'no_policy',
  'groups_unknown',
  'gap',
  'old_figures',
  'grants_a_day',
  'credits_a_period',
]);

export const isSharedReason = (reason: PersonReason): boolean => SHARED_REASONS.has(reason);
