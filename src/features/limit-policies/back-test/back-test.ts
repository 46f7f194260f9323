import { z } from 'zod';
import { unitOf, type LimitPeriod, type PeriodUnit } from '../../../core/base/time/limit-period-days.ts';
import type { Period } from '../../../core/base/time/calendar.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { permanentAmountOf, type KnownLimit } from '../../../core/figures/known-limit.ts';
import {
  isRaiseRules,
  isTeamRules,
  type DefaultRules,
  type PolicyRules,
  type RaiseRules,
} from '../rules/policy-rules.ts';
import type { ReplayedCase } from './replay.ts';

/** With fewer, the past says little: only the worst case is shown, and the dry run is longer. */
const FEWEST_CASES = 20;
const MAX_NAMED = 20;
const FEW_DRY_RUN_DAYS = 14;
/** The worst case is that of any days in a row, as many as these. */
const DAYS = 31;

export const backTestSchema = z.object({
  first: z.string(),
  last: z.string(),
  /** Requests, or people who were first seen, that its subject covers. */
  cases: z.number(),
  isFew: z.boolean(),
  grants: z.number(),
  people: z.number(),
  credits: z.number(),
  /** Slack ids, or e-mails of people who are not in Slack; those with the most credits. */
  touched: z.array(z.object({ who: z.string(), grants: z.number(), credits: z.number() })),
  reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
  /** How often admins approved what it grants, gave less, and approved what it leaves to a person. */
  compared: z.object({ agreed: z.number(), stricter: z.number(), looser: z.number() }),
  /** Without `periods`, an earlier version worked it out for one climb of each person. */
  worst: z.object({ people: z.number(), times: z.number(), credits: z.number(), periods: z.number().optional() }),
});
export type BackTest = z.infer<typeof backTestSchema>;

/** Sums up a replay. Pure. */
export function backTestOf(
  replayed: readonly ReplayedCase[],
  { first, last }: Period,
  worst: BackTest['worst'],
): BackTest {
  const covered = replayed.filter(({ isCovered }) => isCovered);
  const granted = covered.flatMap(({ past, grant }) => (grant ? [{ past, grant }] : []));
  const byPerson = Map.groupBy(granted, ({ past }) => past.slackId ?? past.email);
  const touched = [...byPerson].map(([who, own]) => ({
    who,
    grants: own.length,
    credits: own.reduce((sum, { grant }) => sum + grant.credits, 0),
  }));
  const reasons = Map.groupBy(
    covered.flatMap(({ reason }) => reason ?? []),
    (reason) => reason,
  );
  return {
    first,
    last,
    cases: covered.length,
    isFew: covered.length < FEWEST_CASES,
    grants: granted.length,
    people: byPerson.size,
    credits: granted.reduce((sum, { grant }) => sum + grant.credits, 0),
    touched: touched.toSorted((a, b) => b.credits - a.credits || (a.who < b.who ? -1 : 1)).slice(0, MAX_NAMED),
    reasons: [...reasons]
      .map(([reason, all]) => ({ reason, count: all.length }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    compared: {
      agreed: granted.filter(({ past }) => past.admins === 'as_requested').length,
      stricter: granted.filter(({ past }) => past.admins === 'less').length,
      looser: covered.filter(({ past, grant }) => !grant && past.admins === 'as_requested').length,
    },
    worst,
  };
}

/** A week, or as chosen; two weeks if the past says little. */
export const dryRunDaysOf = (rules: PolicyRules, { isFew }: BackTest): number => {
  // Under the rules of a team, people decide.
  if (rules.kind === 'team') return 0;
  return isFew ? Math.max(rules.dryRunDays, FEW_DRY_RUN_DAYS) : rules.dryRunDays;
};

/** How many periods of limits any 31 days can touch: from 31 January to 2 March they touch three months. */
const PERIODS_TOUCHED: Readonly<Record<PeriodUnit, number>> = { week: 6, month: 3, quarter: 2, year: 2 };

/**
 * Returns the most credits that the policy can release in any 31 days, if everybody takes all that it grants and admins
 * resume the policies at each cap. It assumes that permanent limits and the people of the subject stay as they are.
 * Raises end with the period of limits and begin again in the next one; within a period, the highest one counts. Pure.
 *
 * @param people the limits of each person, one for each of their e-mails
 */
export function worstCaseOf(
  rules: PolicyRules,
  people: readonly (readonly KnownLimit[])[],
  period: LimitPeriod | undefined,
): BackTest['worst'] {
  const periods = PERIODS_TOUCHED[unitOf(period ?? 'month')];
  if (isTeamRules(rules))
    // What was granted in one period ends with it.
    return { people: people.length, times: 0, credits: (rules.pool ?? rules.cap * people.length) * periods, periods };
  const grants = people.map((limits) =>
    isRaiseRules(rules) ? raisesOf(rules, limits, period) : firstLimitsOf(rules, limits),
  );
  const most = grants.flat().toSorted((a, b) => b - a);
  const credits = sumOf(most.slice(0, rules.grantsADay * DAYS), (one) => one);
  return {
    people: grants.filter((own) => own.length > 0).length,
    times: Math.max(0, ...grants.map((own) => own.length)),
    credits: Math.ceil(Math.min(credits, rules.creditsAPeriod * periods)),
    periods,
  };
}

/** Only a person without any known limit gets a first one. */
const firstLimitsOf = ({ limit }: DefaultRules, limits: readonly KnownLimit[]): number[] =>
  limits.every((each) => each.kind === 'none' || each.kind === 'unlimited' || isEverybodys(each)) ? [limit] : [];

const isEverybodys = (limit: KnownLimit) => limit.kind === 'shown' && limit.isForEverybody;

/** The credits that each grant of a person can release, the largest first. */
function raisesOf(rules: RaiseRules, limits: readonly KnownLimit[], period: LimitPeriod | undefined): number[] {
  if (!period) return [];
  const times = rules.times * Math.ceil(DAYS / rules.days);
  return limits
    .flatMap((limit) => {
      const permanent = permanentAmountOf(limit);
      if (permanent === undefined) return [];
      const released = Math.min(rules.cap, (permanent * (100 + rules.percent)) / 100) - permanent;
      return released > 0 ? Array.from({ length: PERIODS_TOUCHED[unitOf(period)] }, () => released) : [];
    })
    .toSorted((a, b) => b - a)
    .slice(0, times);
}
