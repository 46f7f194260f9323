import { TZDate } from '@date-fns/tz';
import { ROUNDING } from '../../../core/base/text/numbers.ts';
import { dayOf, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { getISODay } from '../../../core/base/time/date-fns.ts';
import {
  amountOf,
  permanentAmountOf,
  type KnownLimit,
  type SetLimit,
  type ShownLimit,
} from '../../../core/figures/known-limit.ts';
import {
  isRaiseRules,
  type ActingPolicy,
  type DefaultRules,
  type PolicyReference,
  type PolicyVersion,
  type RaiseRules,
} from './policy-rules.ts';
import { capPeriod } from './windows.ts';

/** Nothing else makes a policy act. The announced end of a raise is part of its grant. */
export type PolicyTrigger = 'request' | 'first_seen' | 'period_start';

/** An earlier grant of any policy. It counts whatever its outcome was. */
export interface PastGrant {
  email: string;
  slackId: string | null;
  at: Date;
  credits: number;
  /** It set no first limit. */
  isRaise: boolean;
}

/** What is known of a request, whoever may decide it without an admin. */
export interface DecisionFacts {
  now: Date;
  timeZone: string;
  trigger: PolicyTrigger;
  /** `LIMIT_POLICIES` and the admins let policies act. */
  areOn: boolean;
  /** An admin declared that limits are set nowhere else. */
  areLimitsOnlyHere: boolean;
  /** Above this limit two admins have to approve, so no policy sets it; undefined if one admin is always enough. */
  secondAbove: number | undefined;
  /** The store may lack what was set before this policy was last confirmed. */
  hasGap: boolean;
  /** How many people it is for, the requested limit and the requested end. */
  request: { people: number; amount: number; until: Date | undefined };
  person: {
    email: string;
    /** Every e-mail of the person, with this one. */
    emails: readonly string[];
    /** Of every account of the person, as far as Slack knows one. */
    slackIds: readonly string[];
    /** Undefined if Slack or the figures did not say. */
    isAdmin: boolean | undefined;
    /** Ids of user groups; undefined if Slack did not return every group of a policy. */
    groups: readonly string[] | undefined;
    firstSeenOn: Day | undefined;
  };
  limit: KnownLimit;
  /** `read`: the platform showed the limits in force in the same turn. `failed`: it shows them, but not now. */
  shownLimits: 'read' | 'not_shown' | 'failed';
  figuresUntil: Day | undefined;
  hasOpenRequest: boolean;
  hasUnknownOutcome: boolean;
  /** Over which a limit counts; undefined if it is not known. */
  period: LimitPeriod | undefined;
}

export interface PolicyFacts extends DecisionFacts {
  /** Of all policies, as far back as any window reaches; of this person, all of them. */
  grants: readonly PastGrant[];
  policies: readonly ActingPolicy[];
}

export type PersonReason =
  | 'off'
  | 'no_policy'
  | 'several_people'
  | 'groups_unknown'
  | 'gap'
  | 'held'
  | 'period_changed'
  | 'admin'
  | 'admin_unknown'
  | 'open_request'
  | 'unknown_outcome'
  | 'old_figures'
  | 'no_value'
  | 'declared'
  | 'withdrawn'
  | 'has_value'
  | 'not_new'
  | 'period_unknown'
  | 'not_a_raise'
  | 'limit_unclear'
  | 'temporary_limit'
  | 'above_percent'
  | 'above_cap'
  | 'times'
  | 'outside_hours'
  | 'second_approval'
  | 'grants_a_day'
  | 'credits_a_period'
  | 'limits_elsewhere'
  | 'pool';

export type PolicyDecision =
  | {
      /** `prepare`: a person approves it with one click, because limits may be set elsewhere. */
      kind: 'grant' | 'prepare';
      policy: PolicyReference;
      value: number;
      /** When the raise ends, and the limit afterwards. */
      end: RaiseEnd | undefined;
      /** How much it releases. */
      credits: number;
    }
  | { kind: 'person'; reason: PersonReason; policy: PolicyReference | undefined };

/** At these, all policies pause. */
export const isAtCap = (decision: PolicyDecision): boolean =>
  decision.kind === 'person' && (decision.reason === 'grants_a_day' || decision.reason === 'credits_a_period');

const MAX_FIGURES_AGE_DAYS = 2;

/**
 * Decides by at most one policy: the one with the most specific subject, then the lowest result. If anything is
 * unknown, a person decides. The back-test replays this function. Pure.
 */
export function decideByPolicy(facts: PolicyFacts): PolicyDecision {
  const person = (reason: PersonReason, policy?: PolicyVersion): PolicyDecision => ({
    kind: 'person',
    reason,
    policy: policy && referenceOf(policy),
  });
  if (!facts.areOn) return person('off');
  const fitting = facts.policies.filter(({ rules }) => fitsTrigger(rules, facts.trigger));
  if (fitting.length === 0) return person('no_policy');
  if (facts.request.people !== 1) return person('several_people');
  if (!facts.person.groups && fitting.some(({ rules }) => rules.subject.kind === 'group'))
    return person('groups_unknown');
  const policy = choose(fitting, facts);
  if (!policy) return person('no_policy');
  if (policy.isHeld) return person('held', policy);
  if (policy.period !== facts.period) return person('period_changed', policy);
  const unknown = whyUncertain(facts);
  if (unknown) return person(unknown, policy);
  const { rules } = policy;
  const result = isRaiseRules(rules) ? decideRaise(rules, facts) : decideDefault(rules, facts);
  if (typeof result === 'string') return person(result, policy);
  const granted = { policy: referenceOf(policy), ...result };
  if (!canActAlone(facts, result.value)) return { kind: 'prepare', ...granted };
  // One admin can change that amount, but not for a policy on which two agreed.
  const secondAbove = Math.min(facts.secondAbove ?? Infinity, policy.secondAbove ?? Infinity);
  if (result.value > secondAbove) return person('second_approval', policy);
  const full = fullCap(facts, result.credits);
  return full ? person(full, policy) : { kind: 'grant', ...granted };
}

/** A limit is set without an admin only if nothing that nobody saw is lowered. */
export function canActAlone({ shownLimits, areLimitsOnlyHere, limit }: DecisionFacts, value: number): boolean {
  switch (shownLimits) {
    case 'failed':
      return false;
    case 'not_shown':
      return areLimitsOnlyHere;
    case 'read':
      return limit.kind !== 'unlimited' && (amountOf(limit) ?? Infinity) < value;
    default:
      return shownLimits satisfies never;
  }
}

export const referenceOf = ({ id, name, version }: PolicyVersion): PolicyReference => ({ id, name, version });

function fitsTrigger(rules: ActingPolicy['rules'], trigger: PolicyTrigger): boolean {
  return rules.kind === 'default' ? rules.when === trigger : trigger === 'request';
}

const SPECIFICITY = { everybody: 0, group: 1, person: 2 } as const;

function choose(policies: readonly ActingPolicy[], facts: PolicyFacts): ActingPolicy | undefined {
  return policies
    .filter(({ rules: { subject } }) => {
      if (subject.kind === 'everybody') return true;
      return subject.kind === 'person'
        ? facts.person.slackIds.includes(subject.slackId)
        : facts.person.groups?.includes(subject.id) === true;
    })
    .toSorted(
      (a, b) =>
        SPECIFICITY[b.rules.subject.kind] - SPECIFICITY[a.rules.subject.kind] ||
        highestOf(a, facts) - highestOf(b, facts) ||
        (a.id < b.id ? -1 : 1),
    )[0];
}

/** The highest limit that a policy would set for the person. */
function highestOf({ rules }: ActingPolicy, { limit }: PolicyFacts): number {
  return isRaiseRules(rules) ? Math.min(rules.cap, raised(permanentAmountOf(limit) ?? Infinity, rules)) : rules.limit;
}

const raised = (value: number, { percent }: RaiseRules) => (value * (100 + percent)) / 100;

/** What sends a request to an admin, whatever the rules say. */
export function whyUncertain(facts: DecisionFacts): PersonReason | undefined {
  const { person, figuresUntil } = facts;
  if (facts.hasGap) return 'gap';
  if (person.isAdmin === undefined) return 'admin_unknown';
  if (person.isAdmin) return 'admin';
  if (facts.hasUnknownOutcome) return 'unknown_outcome';
  if (facts.hasOpenRequest) return 'open_request';
  if (figuresUntil === undefined || figuresUntil < plusDays(dayOf(facts.now), -MAX_FIGURES_AGE_DAYS))
    return 'old_figures';
  return undefined;
}

type Result = Pick<Extract<PolicyDecision, { kind: 'grant' | 'prepare' }>, 'value' | 'end' | 'credits'>;

function decideDefault(rules: DefaultRules, { limit, grants, person, now }: PolicyFacts): Result | PersonReason {
  switch (limit.kind) {
    case 'none':
      if (mayBeDeclared(limit, person.firstSeenOn)) return 'withdrawn';
      break;
    case 'declared':
      return 'declared';
    case 'shown':
      if (!limit.isForEverybody) return 'has_value';
      break;
    case 'unlimited':
      break;
    case 'unclear':
      return 'limit_unclear';
    case 'set':
      return 'has_value';
    default:
      return limit satisfies never;
  }
  // A grant without a known outcome may have set a value.
  if (grants.some((grant) => isOf(grant, person))) return 'has_value';
  const { firstSeenDays } = rules;
  if (firstSeenDays !== null) {
    const earliest = plusDays(dayOf(now), -firstSeenDays);
    if (person.firstSeenOn === undefined || person.firstSeenOn < earliest) return 'not_new';
  }
  return { value: rules.limit, end: undefined, credits: rules.limit };
}

/** Whoever used the platform before a declaration was withdrawn may still have the declared limit there. */
export const mayBeDeclared = (
  { withdrawnAt }: Extract<KnownLimit, { kind: 'none' }>,
  firstSeenOn: Day | undefined,
): boolean => withdrawnAt !== undefined && (firstSeenOn === undefined || firstSeenOn <= dayOf(withdrawnAt));

/** The limit from which a raise can start, or why there is none. Pure. */
export function limitToRaise(limit: KnownLimit): SetLimit | ShownLimit | PersonReason {
  switch (limit.kind) {
    case 'none':
      return 'no_value';
    case 'declared':
      return 'declared';
    case 'unlimited':
      return 'not_a_raise';
    case 'unclear':
      return 'limit_unclear';
    case 'shown':
    case 'set':
      return limit;
    default:
      return limit satisfies never;
  }
}

function decideRaise(rules: RaiseRules, facts: PolicyFacts): Result | PersonReason {
  const { limit, period, request, now, grants, person } = facts;
  const current = limitToRaise(limit);
  if (typeof current === 'string') return current;
  if (!period) return 'period_unknown';
  const { amount } = request;
  const { value, permanent } = current;
  if (amount <= value) return 'not_a_raise';
  if (amount > rules.cap) return 'above_cap';
  if (amount > raised(permanent, rules) * (1 + ROUNDING)) return 'above_percent';
  if (rules.kind === 'schedule' && !isWithinHours(rules, now, facts.timeZone)) return 'outside_hours';
  const since = now.getTime() - rules.days * DAY_MS;
  const own = grants.filter((grant) => isOf(grant, person) && grant.at.getTime() > since);
  if (own.length >= rules.times) return 'times';
  const end = endOfRaise(facts, period, current);
  if (!end) return 'temporary_limit';
  const { first } = limitPeriodAround(dayOf(now), period);
  const released = sumOf(
    grants.filter(({ isRaise, email, at }) => isRaise && email === person.email && dayOf(at) >= first),
    ({ credits }) => credits,
  );
  // Raises of one period replace each other, so that together they release what the highest one does.
  return { value: amount, end, credits: Math.max(0, amount - permanent - released) };
}

export interface RaiseEnd {
  until: Date;
  /** The limit afterwards. */
  returnTo: number;
  returnsToNone?: boolean;
}

/**
 * A raise ends with the period of limits, or sooner if requested. Undefined if it would outlive or cut a temporary limit
 * in effect. Pure.
 */
export function endOfRaise(
  { now, request }: Pick<DecisionFacts, 'now' | 'request'>,
  period: LimitPeriod,
  limit: SetLimit | ShownLimit,
): RaiseEnd | undefined {
  const { permanent: returnTo, until: currentEnd } = limit;
  const periodEnd = new Date(`${plusDays(limitPeriodAround(dayOf(now), period).last, 1)}T00:00:00.000Z`);
  const until = earliest(periodEnd, request.until, currentEnd);
  // Otherwise the limit would return to the permanent one before the end that a person approved, or long after it.
  if (currentEnd && (until < currentEnd || currentEnd <= now)) return undefined;
  const returnsToNone = limit.kind === 'shown' && limit.isWithoutOwn;
  return { until, returnTo, ...(returnsToNone ? { returnsToNone } : {}) };
}

const earliest = (end: Date, ...others: readonly (Date | undefined)[]): Date =>
  new Date(Math.min(end.getTime(), ...others.flatMap((other) => other?.getTime() ?? [])));

/** A person keeps their Slack id when their e-mail changes, and can have several e-mails on the platform. */
const isOf = ({ email, slackId }: PastGrant, person: PolicyFacts['person']): boolean =>
  person.emails.includes(email) || (slackId !== null && person.slackIds.includes(slackId));

/** In local time, so that a clock change moves neither end. Hours that begin late may end the next morning. */
export function isWithinHours(
  { weekdays, from, to }: Pick<Extract<RaiseRules, { kind: 'schedule' }>, 'weekdays' | 'from' | 'to'>,
  now: Date,
  timeZone: string,
): boolean {
  const local = new TZDate(now.getTime(), timeZone);
  const time = `${String(local.getHours()).padStart(2, '0')}:${String(local.getMinutes()).padStart(2, '0')}`;
  const today = getISODay(local);
  const yesterday = today === 1 ? 7 : today - 1;
  if (from < to) return weekdays.includes(today) && time >= from && time < to;
  return (weekdays.includes(today) && time >= from) || (weekdays.includes(yesterday) && time < to);
}

/** Each policy counts over the period that its admins agreed under. */
function fullCap({ policies, grants, now }: PolicyFacts, credits: number): PersonReason | undefined {
  const inDay = grants.filter(({ at }) => at.getTime() > now.getTime() - DAY_MS);
  if (policies.some(({ rules }) => inDay.length + 1 > rules.grantsADay)) return 'grants_a_day';
  const isFull = policies.some(({ rules, period }) => {
    const { first } = capPeriod(now, period);
    const released = sumOf(
      grants.filter(({ at }) => dayOf(at) >= first),
      (grant) => grant.credits,
    );
    return released + credits > rules.creditsAPeriod * (1 + ROUNDING);
  });
  return isFull ? 'credits_a_period' : undefined;
}
