import { z } from 'zod';
import type { Period } from '../../../base/time/calendar.ts';
import { permanentAmountOf, type KnownLimit } from '../../../figures/known-limit.ts';
import { isRaiseRules, type PolicyRules } from '../core/policy-rules.ts';
import type { ReplayedCase } from './replay.ts';

/** With fewer, the past says little: only the worst case is shown, and the dry run is longer. */
const FEWEST_CASES = 20;
const MAX_NAMED = 20;
const FEW_DRY_RUN_DAYS = 14;
const DAYS_IN_A_MONTH = 31;

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
  worst: z.object({ people: z.number(), times: z.number(), credits: z.number() }),
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
export const dryRunDaysOf = ({ dryRunDays }: PolicyRules, { isFew }: BackTest): number =>
  isFew ? Math.max(dryRunDays, FEW_DRY_RUN_DAYS) : dryRunDays;

/**
 * Returns the credits released if each person takes every grant of a month. People without a limit from here get no
 * raise. Pure.
 *
 * @param limits of each person of the subject
 */
export function worstCaseOf(rules: PolicyRules, limits: readonly KnownLimit[]): BackTest['worst'] {
  if (!isRaiseRules(rules)) {
    const people = limits.filter(({ kind }) => kind === 'none').length;
    return { people, times: 1, credits: people * rules.limit };
  }
  const times = rules.times * Math.ceil(DAYS_IN_A_MONTH / rules.days);
  const known = limits.flatMap((limit) => permanentAmountOf(limit) ?? []);
  const credits = known.reduce((sum, limit) => {
    const highest = Math.min(rules.cap, limit * (1 + rules.percent / 100) ** times);
    return sum + Math.max(0, highest - limit);
  }, 0);
  return { people: known.length, times, credits: Math.round(credits) };
}
