import { FACTS_MAX_AGE_MS } from '../../../core/analytics/day-facts.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { markup, mention, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { dayOf, formatPeriod, instantsOf, plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround } from '../../../core/base/time/limit-period-days.ts';
import { readGroups } from '../../../core/figures/credit-subjects.ts';
import { amountOf } from '../../../core/figures/known-limit.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import { readLimitsOf, settingsOf } from '../../limits/core/ledger.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { chargedIn } from '../rules/decide-team.ts';
import { teamsIn, type TeamRules } from '../rules/policy-rules.ts';
import { listAgreed, listUnreleased } from '../store/agreements.ts';
import { readCharges } from '../store/charges.ts';
import { findPolicy } from '../store/policy-store.ts';
import { policyNotice, type PolicyNotice } from './policy-notices.ts';

/** Then the figures of the last day no longer change. */
const SETTLED_AFTER_DAYS = 3;

/** Tells the leads and the admins once what became of the pool of each team in the last period of limits. */
export async function sumUpPools(deps: PolicyDeps): Promise<void> {
  const { db } = deps;
  const unit = await readLimitPeriod(deps);
  if (!unit) return;
  const now = await readStoreNow(db);
  const today = dayOf(now);
  const period = limitPeriodAround(today, unit, -1);
  if (today < plusDays(period.last, SETTLED_AFTER_DAYS)) return;
  const { before } = instantsOf(period);
  const begun = (await listUnreleased(db)).filter(({ inForceFrom }) => inForceFrom.toISOString() < before);
  const teams = teamsIn((await listAgreed(db, now)).inForce).filter(
    ({ id, period: agreed }) => agreed === unit && begun.some((version) => version.id === id),
  );
  for (const { id, rules } of teams) {
    if ((await findPolicy(db, id))?.state === 'removed') continue;
    const key = `limit-pool-summary:${id}:${period.first}`;
    const payload = { event: 'summary' as const, id, ...period, pool: rules.pool };
    await db.transaction().execute(async (trx) => {
      await policyNotice.notify(trx, null, { key, payload }, deps.clock.now());
      for (const lead of rules.leads)
        await policyNotice.notify(trx, lead, { key: `${key}:${lead}`, payload }, deps.clock.now());
    });
  }
}

/** From this share of their limit on, a person was near it. */
const NEAR = 0.8;
const MAX_NAMED = 10;

interface Near {
  email: string;
  used: number;
  limit: number;
}

/** The lines, and the e-mails of those whom they name. Single people only for readers who may see them. */
export async function summaryLines(
  deps: PolicyDeps,
  rules: TeamRules,
  { id, first, last, pool }: Extract<PolicyNotice, { event: 'summary' }>,
  reader: Reader,
): Promise<{ lines: Markup[]; named: string[] }> {
  const period = { first, last };
  const own = (await readCharges(deps.db)).filter(({ policyId }) => policyId === id);
  const granted = chargedIn(period, own);
  const of = pool === null ? markup`` : markup` of ${formatShortAmount(pool)}`;
  const head = markup`📒 *The pool of @${rules.subject.handle}, ${formatPeriod(period)}*: ${formatShortAmount(granted)}${of} granted.`;
  if (reader.kind !== 'person' || !reader.seesPeople) return { lines: [head], named: [] };
  const emails = (await deps.people.teams()).find((group) => group.id === rules.subject.id)?.emails ?? [];
  const used = await readUsed(deps, emails, period);
  if (!used) return { lines: [head, markup`What its members used can’t be read now.`], named: [] };
  const near = await readNear(deps, used.byEmail, period);
  const accounts = await deps.people.findByEmails(near.map(({ email }) => email));
  const words = near.map(({ email, used: amount, limit }) => {
    const slackId = accounts?.get(email);
    return markup`•  ${slackId === undefined ? markup`${email}` : mention(slackId)}: ${formatCompact(amount)} of ${formatShortAmount(limit)}`;
  });
  const nobody = markup`Nobody used ${NEAR * 100}% of their limit.`;
  return {
    lines: [
      markup`${head} Its members used ${formatCompact(used.all)}.`,
      ...(near.length === 0
        ? [nobody]
        : [
            markup`${countOf(near.length, 'person', 'people')} used at least ${NEAR * 100}% of their limit:`,
            ...withRest(words, MAX_NAMED, (rest) => markup`•  and ${rest} more`),
          ]),
    ],
    named: near.map(({ email }) => email),
  };
}

async function readUsed(
  { days }: Pick<PolicyDeps, 'days'>,
  emails: readonly string[],
  { first, last }: Period,
): Promise<{ all: number; byEmail: ReadonlyMap<string, number> } | undefined> {
  const groups = new Map([['', emails], ...emails.map((email) => [email, [email]] as const)]);
  const read = { first: notBeforeFirstDay(first), last };
  const parts = await readGroups(days, groups, read, { maxAgeMs: FACTS_MAX_AGE_MS });
  const sums = new Map<string, number>();
  for (const [key, part] of parts) {
    if (part.kind === 'unreadable') return undefined;
    sums.set(
      key,
      sumOf(part.rows, (row) => row.billable_tokens),
    );
  }
  const all = sums.get('') ?? 0;
  sums.delete('');
  return { all, byEmail: sums };
}

/** Those with the highest share first, by the limit that they had when the period ended. */
async function readNear(deps: PolicyDeps, used: ReadonlyMap<string, number>, period: Period): Promise<Near[]> {
  const emails = [...used.keys()];
  const { before } = instantsOf(period);
  const settings = await settingsOf(deps.db, emails);
  const known = await readLimitsOf(deps, emails);
  const limitOf = (email: string) => {
    const own = settings.get(email);
    // A limit that never was set here may have been in effect before.
    if (!own) return amountOf(known(email));
    const last = own.findLast(({ setAt }) => setAt < before);
    return last?.removed === 1 ? undefined : last?.value;
  };
  return [...used]
    .flatMap(([email, amount]) => {
      const limit = limitOf(email);
      return limit !== undefined && limit > 0 && amount >= limit * NEAR ? [{ email, used: amount, limit }] : [];
    })
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit);
}
