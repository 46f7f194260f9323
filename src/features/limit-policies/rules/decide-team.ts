import { dayOf, type Period } from '../../../core/base/time/calendar.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { ROUNDING } from '../../../core/base/text/numbers.ts';
import { limitPeriodAround, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { permanentAmountOf, type KnownLimit } from '../../../core/figures/known-limit.ts';
import {
  canActAlone,
  endOfRaise,
  limitToRaise,
  mayBeDeclared,
  whyUncertain,
  type DecisionFacts,
  type PersonReason,
  type PolicyDecision,
  type RaiseEnd,
} from './decide.ts';
import { poolOf, type ActingPolicy, type TeamPolicy, type TeamRules } from './policy-rules.ts';
import type { Team } from '../../../core/slack/people/directory.ts';

/** A grant that is charged to the pool of a team. */
export interface Charge {
  policyId: string;
  /** Lower case. */
  email: string;
  /** What it releases beyond the permanent limit; all of a first limit. */
  credits: number;
  isFirst: boolean;
  from: Date;
  /** Undefined while it is in effect, or may be. */
  until: Date | undefined;
}

export interface TeamFacts extends DecisionFacts {
  teams: readonly TeamPolicy[];
  charges: readonly Charge[];
}

/** The pool of a team over a period of limits. */
export interface Pool {
  period: Period;
  /** Infinite for a team without a pool. */
  credits: number;
  charged: number;
}

export type TeamDecision =
  | {
      /** A lead may approve it. */
      kind: 'lead';
      policy: TeamPolicy;
      /** Undefined: a first limit, which has no end. */
      end: RaiseEnd | undefined;
      charge: Pick<Charge, 'credits' | 'isFirst'>;
      pool: Pool;
      /** What the pool has left after it. */
      left: number;
    }
  /** An admin decides. `pool` is missing if the team or the period is not known. */
  | { kind: 'up'; reason: PersonReason; policy: TeamPolicy | undefined; pool?: Pool; charge?: Pick<Charge, 'credits'> };

/** In which team a person counts: the first in the order of the admins. Pure. @param groups ids of user groups */
export function teamOf(teams: readonly TeamPolicy[], groups: readonly string[]): TeamPolicy | undefined {
  return teams
    .filter(({ rules: { subject } }) => groups.includes(subject.id))
    .toSorted((a, b) => a.rules.order - b.rules.order || (a.id < b.id ? -1 : 1))[0];
}

/** Leads decide only while they are members of the group, by the account of Slack that acts. Pure. */
export function leadsOf({ subject, leads }: Pick<TeamRules, 'subject' | 'leads'>, groups: readonly Team[]): string[] {
  const group = groups.find(({ id }) => id === subject.id);
  return leads.filter((lead) => group?.members.includes(lead) === true);
}

/** Undefined if Slack doesn’t say who is in the group. Pure. */
export const isLeadOf = (rules: TeamRules, slackId: string, groups: readonly Team[] | undefined): boolean | undefined =>
  groups && leadsOf(rules, groups).includes(slackId);

const up = (reason: PersonReason, policy?: TeamPolicy): TeamDecision => ({ kind: 'up', reason, policy });

/**
 * Whether the leads of a team may approve a request for the requested amount. If anything is unknown, an admin decides.
 * Pure.
 */
export function decideByTeam(facts: TeamFacts): TeamDecision {
  if (!facts.areOn) return up('off');
  if (facts.teams.length === 0) return up('no_policy');
  if (facts.request.people !== 1) return up('several_people');
  if (!facts.person.groups) return up('groups_unknown');
  const policy = teamOf(facts.teams, facts.person.groups);
  if (!policy) return up('no_policy');
  if (policy.isHeld) return up('held', policy);
  if (!facts.period) return up('period_unknown', policy);
  if (policy.period !== facts.period) return up('period_changed', policy);
  const pool = poolIn(policy, facts, facts.period);
  const uncertain = whyUncertain(facts);
  if (uncertain) return { ...up(uncertain, policy), pool };
  const result = withinRules(policy, facts, facts.period);
  if (typeof result === 'string') return { ...up(result, policy), pool };
  const left = pool.credits - chargedAfter(policy, facts, pool.period, result.charge);
  if (left < -pool.credits * ROUNDING) return { ...up('pool', policy), pool, charge: result.charge };
  return { kind: 'lead', policy, ...result, pool, left: Math.max(0, left) };
}

const poolIn = (policy: TeamPolicy, { now, charges }: Pick<TeamFacts, 'now' | 'charges'>, unit: LimitPeriod): Pool => {
  const period = limitPeriodAround(dayOf(now), unit);
  return { period, credits: poolOf(policy.rules), charged: chargedIn(period, ofTeam(policy, charges)) };
};

const ofTeam = ({ id }: TeamPolicy, charges: readonly Charge[]) => charges.filter(({ policyId }) => policyId === id);

/**
 * What is charged to a pool in a period: each raise that was in effect in it, or may have been, counts whole. Raises of
 * one e-mail replace each other, so the highest counts. Pure.
 */
export function chargedIn({ first, last }: Period, charges: readonly Charge[]): number {
  const inPeriod = charges.filter(
    ({ from, until }) => dayOf(from) <= last && (until === undefined || until > new Date(first)),
  );
  const byEmail = Map.groupBy(inPeriod, ({ email }) => email);
  return sumOf([...byEmail.values()], (own) => highest(own, true) + highest(own, false));
}

const highest = (charges: readonly Charge[], isFirst: boolean): number =>
  Math.max(0, ...charges.filter((charge) => charge.isFirst === isFirst).map(({ credits }) => credits));

/** What would be charged in the period with one more grant for the person. Pure. */
function chargedAfter(
  policy: TeamPolicy,
  { now, charges, person }: Pick<TeamFacts, 'now' | 'charges'> & { person: Pick<TeamFacts['person'], 'email'> },
  period: Period,
  charge: Pick<Charge, 'credits' | 'isFirst'>,
): number {
  const next = { ...charge, policyId: policy.id, email: person.email, from: now, until: undefined };
  return chargedIn(period, [...ofTeam(policy, charges), next]);
}

function withinRules(
  { rules, secondAbove }: TeamPolicy,
  facts: TeamFacts,
  period: LimitPeriod,
): { end: RaiseEnd | undefined; charge: Pick<Charge, 'credits' | 'isFirst'> } | PersonReason {
  const { limit, request, person } = facts;
  const { amount } = request;
  if (amount > rules.cap) return 'above_cap';
  if (amount > Math.min(facts.secondAbove ?? Infinity, secondAbove ?? Infinity)) return 'second_approval';
  if (limit.kind === 'none') {
    if (mayBeDeclared(limit, person.firstSeenOn)) return 'withdrawn';
    // It would stay after the end that was requested.
    if (request.until) return 'no_value';
    return canActAlone(facts, amount) ? { end: undefined, charge: chargeFor(limit, amount) } : 'limits_elsewhere';
  }
  const current = limitToRaise(limit);
  if (typeof current === 'string') return current;
  if (amount <= current.value) return 'not_a_raise';
  if (!canActAlone(facts, amount)) return 'limits_elsewhere';
  const end = endOfRaise(facts, period, current);
  return end ? { end, charge: chargeFor(limit, amount) } : 'temporary_limit';
}

/** What a limit of `amount` would cost the pool. Pure. */
function chargeFor(limit: KnownLimit, amount: number): Pick<Charge, 'credits' | 'isFirst'> {
  const permanent = permanentAmountOf(limit);
  return { credits: Math.max(0, amount - (permanent ?? 0)), isFirst: permanent === undefined };
}

/** The pool as a reviewer sees it, whether or not a lead may approve the request. Pure. */
export function poolAtRequest(
  policy: TeamPolicy,
  { now, charges, period }: Pick<TeamFacts, 'now' | 'charges'> & { period: LimitPeriod },
  { email, limit, amount }: { email: string; limit: KnownLimit; amount: number },
): Pool & { asked: number; left: number; isFirst: boolean } {
  const pool = poolIn(policy, { now, charges }, period);
  const charge = chargeFor(limit, amount);
  const left = pool.credits - chargedAfter(policy, { now, charges, person: { email } }, pool.period, charge);
  return { ...pool, asked: charge.credits, left, isFirst: charge.isFirst };
}

export interface ChargedGrant {
  policy: TeamPolicy;
  charge: Pick<Charge, 'credits' | 'isFirst'>;
  /** With the grant. */
  pool: Pick<Pool, 'period' | 'charged'>;
}

/**
 * A policy for the group of a team grants within the pool of that group, also to people who count in another team. Pure.
 *
 * @param policies among which is the one that decided
 */
export function withinPool(
  decision: PolicyDecision,
  policies: readonly ActingPolicy[],
  facts: TeamFacts,
): { decision: PolicyDecision; charged?: ChargedGrant } {
  if (decision.kind !== 'grant') return { decision };
  const { value, end, policy } = decision;
  const subject = policies.find(({ id }) => id === policy.id)?.rules.subject;
  const team = subject?.kind === 'group' ? teamOf(facts.teams, [subject.id]) : undefined;
  if (!team) return { decision };
  const charge = { credits: end ? value - end.returnTo : value, isFirst: end === undefined };
  if (!team.isHeld && facts.period && team.period === facts.period) {
    const period = limitPeriodAround(dayOf(facts.now), facts.period);
    const charged = chargedAfter(team, facts, period, charge);
    if (charged <= poolOf(team.rules) * (1 + ROUNDING))
      return { decision, charged: { policy: team, charge, pool: { period, charged } } };
  }
  return { decision: { kind: 'person', reason: 'pool', policy } };
}
