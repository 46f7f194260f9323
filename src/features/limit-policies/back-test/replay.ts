import type { LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { dayOf, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { amountOf, permanentAmountOf, type KnownLimit } from '../../../core/figures/known-limit.ts';
import {
  decideByPolicy,
  referenceOf,
  type DecisionFacts,
  type PastGrant,
  type PersonReason,
  type PolicyDecision,
  type PolicyFacts,
  type PolicyTrigger,
} from '../rules/decide.ts';
import { decideByTeam, type Charge } from '../rules/decide-team.ts';
import {
  isTeamRules,
  type ActingRules,
  type AgreedPolicy,
  type PolicyRules,
  type PolicyVersion,
  type TeamRules,
} from '../rules/policy-rules.ts';

/** The live engine decides with the same function; a test asserts it. */
export const REPLAYED_DECISION = decideByPolicy;

/** What admins decided about a past request: all of it, less or nothing; undefined if no admin decided. */
export type AdminDecision = 'as_requested' | 'less' | undefined;

/** A past request, or a person who was first seen. */
export interface PastCase {
  at: Date;
  email: string;
  /** Every e-mail of the person. */
  emails: readonly string[];
  slackId: string | undefined;
  amount: number;
  until: Date | undefined;
  /** What was known of the limit before. */
  limit: KnownLimit;
  /** The limit that the past request led to, by whomever it was granted; missing if to none. */
  decided?: { value: number; until: Date | undefined } | undefined;
  firstSeenOn: Day | undefined;
  isAdmin: boolean;
  /** Those of today: Slack does not show earlier ones. */
  groups: readonly string[];
  /** Undefined for a person who was first seen. */
  requestId: string | undefined;
  /** The earlier requests of the person that were open in the past at this time. */
  openRequests: readonly string[];
  admins: AdminDecision;
}

export interface ReplaySettings {
  timeZone: string;
  /** The next two as they are set today. */
  period: LimitPeriod | undefined;
  secondAbove: number | undefined;
}

export interface ReplayedCase {
  /** With the limit as the replay left it. */
  past: PastCase;
  grant: PastGrant | undefined;
  reason: PersonReason | undefined;
  /** Whether the subject of the policy covers it. */
  isCovered: boolean;
}

/** What the replay granted before a case. */
export interface ReplayedGrants {
  grants: readonly PastGrant[];
  /** Their requests: a grant ends a request at once, however long it was open in the past. */
  grantedRequests: ReadonlySet<string>;
}

/** The facts of a past case, as the live engine would have had them. */
export function factsOfPast(
  past: PastCase,
  policy: PolicyVersion<ActingRules>,
  settings: ReplaySettings,
  { grants, grantedRequests }: ReplayedGrants,
): PolicyFacts {
  const { rules } = policy;
  const trigger = rules.kind === 'default' ? rules.when : 'request';
  return {
    ...commonFacts(past, trigger, settings, grantedRequests),
    grants,
    policies: [agreedOn(policy, settings)],
  };
}

const agreedOn = <Rules extends PolicyRules>(
  policy: PolicyVersion<Rules>,
  { period, secondAbove }: ReplaySettings,
): AgreedPolicy<Rules> => ({ ...policy, isHeld: false, period, secondAbove });

function commonFacts(
  past: PastCase,
  trigger: PolicyTrigger,
  { timeZone, period, secondAbove }: ReplaySettings,
  grantedRequests: ReadonlySet<string>,
): DecisionFacts {
  return {
    now: past.at,
    timeZone,
    trigger,
    areOn: true,
    areLimitsOnlyHere: true,
    shownLimits: 'not_shown',
    secondAbove,
    hasGap: false,
    request: { people: 1, amount: past.amount, until: past.until },
    person: {
      email: past.email,
      emails: past.emails,
      slackIds: past.slackId === undefined ? [] : [past.slackId],
      isAdmin: past.isAdmin,
      groups: past.groups,
      firstSeenOn: past.firstSeenOn,
    },
    limit: past.limit,
    figuresUntil: plusDays(dayOf(past.at), -1),
    hasOpenRequest: past.openRequests.some((id) => !grantedRequests.has(id)),
    hasUnknownOutcome: false,
    period,
  };
}

/** What leads could have approved, charged to the pool of the team. */
function replayedByTeam(
  past: PastCase,
  team: PolicyVersion<TeamRules>,
  settings: ReplaySettings,
  grantedRequests: ReadonlySet<string>,
  charges: Charge[],
): PolicyDecision {
  const facts = commonFacts(past, 'request', settings, grantedRequests);
  const decision = decideByTeam({ ...facts, teams: [agreedOn(team, settings)], charges });
  const policy = decision.policy && referenceOf(decision.policy);
  if (decision.kind === 'up' || !policy)
    return { kind: 'person', reason: decision.kind === 'up' ? decision.reason : 'no_policy', policy };
  const { end, charge } = decision;
  charges.push({ ...charge, policyId: team.id, email: past.email, from: past.at, until: end?.until });
  return { kind: 'grant', policy, value: past.amount, end, credits: charge.credits };
}

/** The limit of each person as the past left it, and as the replay did. */
function createReplayedLimits() {
  const left = new Map<string, { inPast: KnownLimit; inReplay: KnownLimit }>();
  return {
    before: ({ email, at, limit }: PastCase): KnownLimit => {
      const last = left.get(email);
      // A limit that the past requests do not explain was set in another way, which the replay cannot undo.
      if (!last || amountOf(atTime(last.inPast, at)) !== amountOf(limit)) return limit;
      return atTime(last.inReplay, at);
    },
    record: (past: PastCase, replayed: KnownLimit, decision: PolicyDecision): void => {
      const inReplay =
        decision.kind === 'person' ? past.decided : { value: decision.value, until: decision.end?.until };
      left.set(past.email, {
        inPast: changedLimit(past, past.limit, past.decided),
        inReplay: changedLimit(past, replayed, inReplay),
      });
    },
  };
}

function changedLimit({ at }: PastCase, before: KnownLimit, change: PastCase['decided']): KnownLimit {
  if (!change) return before;
  const { value, until } = change;
  const permanent = until === undefined ? value : Math.min(value, permanentAmountOf(before) ?? value);
  return { kind: 'set', value, permanent, until, at, requestId: '' };
}

/** A temporary limit ends by itself. */
const atTime = (limit: KnownLimit, at: Date): KnownLimit =>
  (limit.kind === 'set' || limit.kind === 'shown') && limit.until !== undefined && limit.until <= at
    ? { ...limit, value: limit.permanent, until: undefined }
    : limit;

/**
 * Replays the live decision over past cases, oldest first. Grants of the replay count in its caps, end their requests,
 * and each request begins at the limit that the replay left. Pure.
 */
export function replay(cases: readonly PastCase[], policy: PolicyVersion, settings: ReplaySettings): ReplayedCase[] {
  const grants: PastGrant[] = [];
  const { rules } = policy;
  const charges: Charge[] = [];
  const grantedRequests = new Set<string>();
  const limits = createReplayedLimits();
  return cases
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.email < b.email ? -1 : 1))
    .map((recorded): ReplayedCase => {
      const past = { ...recorded, limit: limits.before(recorded) };
      const decision = isTeamRules(rules)
        ? replayedByTeam(past, { ...policy, rules }, settings, grantedRequests, charges)
        : REPLAYED_DECISION(factsOfPast(past, { ...policy, rules }, settings, { grants, grantedRequests }));
      limits.record(recorded, past.limit, decision);
      if (decision.kind === 'person')
        return { past, grant: undefined, reason: decision.reason, isCovered: decision.policy !== undefined };
      const grant: PastGrant = {
        email: past.email,
        slackId: past.slackId ?? null,
        at: past.at,
        credits: decision.credits,
        isRaise: decision.end !== undefined,
      };
      grants.push(grant);
      if (past.requestId !== undefined) grantedRequests.add(past.requestId);
      return { past, grant, reason: undefined, isCovered: true };
    });
}
