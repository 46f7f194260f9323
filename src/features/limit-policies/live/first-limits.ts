import { type PeopleByDay, readPeopleByDay } from '../../../core/analytics/amounts.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { createCache } from '../../../core/base/cache.ts';
import { takeShortId } from '../../../core/base/text/short-id.ts';
import { dayOf, daysOf, plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import type { Applier } from '../../limits/apply/applier.ts';
import type { PolicyTransaction } from '../store/policy-tables.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { readLimitsOf } from '../../limits/core/ledger.ts';
import { emailsOfActor } from '../../limits/core/access.ts';
import { announceRequest, wasAnnounced, type CardTarget } from '../../limits/core/notify.ts';
import { insertRequest } from '../../limits/core/requests.ts';
import { mayBeDeclared, type PolicyTrigger } from '../rules/decide.ts';
import type { DefaultRules } from '../rules/policy-rules.ts';
import { limitPeriodAround } from '../../../core/base/time/limit-period-days.ts';
import { emailsDecidedBy } from '../store/policy-decisions.ts';
import { listActive, type StoredPolicy } from '../store/policy-store.ts';
import { applyDecision, decideInTurn, isSharedReason } from './decide-request.ts';
import { readOutsideFacts, readSharedFacts } from './outside-facts.ts';

/** People whose first use is in the last days of these are new. */
const DAYS_READ = 90;
const ID_LENGTH = 5;

type DefaultPolicy = StoredPolicy & { rules: DefaultRules };
interface Tools {
  apply: Applier['apply'];
  cardTarget: () => Promise<CardTarget>;
  shared: Awaited<ReturnType<typeof readSharedFacts>>;
}
type Candidate = { email: string; slackId: string; firstSeenOn: Day | undefined };

/** Sets first limits, or prepares them: for people who were just seen, and on the first day of a period. */
export function createFirstLimits(deps: PolicyDeps, { apply, cardTarget }: Omit<Tools, 'shared'>): () => Promise<void> {
  const firstSeen = createCache(deps.clock, HOUR_MS, () => readFirstSeen(deps), {
    isKept: (days) => days !== undefined,
  });
  return async () => {
    if (!deps.config.limitPolicies) return;
    const now = deps.clock.now();
    const policies = (await listActive(deps.db)).filter(
      (policy): policy is DefaultPolicy =>
        policy.rules.kind === 'default' && (!policy.dryRunUntil || policy.dryRunUntil <= now),
    );
    if (policies.length === 0) return;
    const seen = await firstSeen.get('all');
    if (!seen) return;
    const shared = await readSharedFacts(deps);
    const tools = { apply, cardTarget, shared };
    for (const trigger of await triggersNow(deps, policies, now)) {
      const due = policies.filter(({ rules }) => rules.when === trigger);
      for (const candidate of await listCandidates(deps, due, seen)) {
        if (!(await decideFirstLimit(deps, candidate, trigger, tools))) return;
      }
    }
  };
}

async function triggersNow(
  deps: PolicyDeps,
  policies: readonly DefaultPolicy[],
  now: Date,
): Promise<Exclude<PolicyTrigger, 'request'>[]> {
  const period = await readLimitPeriod(deps);
  const isFirstDay = period !== undefined && limitPeriodAround(dayOf(now), period).first === dayOf(now);
  const triggers = new Set(policies.map(({ rules }) => rules.when));
  return [...triggers].filter((trigger) => trigger === 'first_seen' || isFirstDay);
}

/** Returns the first day with use of each person, or that of their seat, by every e-mail; undefined if the figures can’t be read. */
async function readFirstSeen(
  { days, clock, capabilities }: Pick<PolicyDeps, 'days' | 'clock' | 'capabilities'>,
  count = DAYS_READ,
): Promise<ReadonlyMap<string, Day> | undefined> {
  const today = dayOf(clock.now());
  const period = { first: notBeforeFirstDay(plusDays(today, -count)), last: plusDays(today, -1) };
  const read = await readPeopleByDay(days, period, { maxAgeMs: HOUR_MS });
  if (read.kind === 'unreadable') return undefined;
  const seen = firstSeenIn(read.people, period);
  // Somebody with a seat can get a first limit before their first use.
  for (const { email, createdAt } of (await capabilities.readRoster()) ?? [])
    if (createdAt !== undefined && !seen.has(email)) seen.set(email, dayOf(createdAt));
  return seen;
}

export function firstSeenIn({ credits, keyByEmail }: PeopleByDay, period: Period): Map<string, Day> {
  const all = daysOf(period);
  const firstByKey = new Map<string, Day>();
  for (const [key, own] of credits) {
    const place = own.findIndex((amount) => amount > 0);
    const day = place === -1 ? undefined : all[place];
    if (day !== undefined) firstByKey.set(key, day);
  }
  return new Map(
    [...keyByEmail].flatMap(([email, key]) => {
      const day = firstByKey.get(key);
      return day === undefined ? [] : [[email, day] as const];
    }),
  );
}

/** Returns people in Slack that a policy covers, without a known limit and without a decision of that policy. */
async function listCandidates(
  deps: PolicyDeps,
  policies: readonly DefaultPolicy[],
  seen: ReadonlyMap<string, Day>,
): Promise<Candidate[]> {
  const emails = new Set<string>();
  for (const policy of policies) {
    const decided = await emailsDecidedBy(deps.db, policy.id);
    for (const email of await emailsOfSubject(deps, policy, seen)) {
      const person = emailsOfActor(await deps.knownEmails.complete({ slackId: '', email }));
      if (!person.some((each) => decided.has(each))) emails.add(email);
    }
  }
  const known = await readLimitsOf(deps, [...emails]);
  const unknown = [...emails].filter((email) => isUnknown(known(email), seen.get(email)));
  if (unknown.length === 0) return [];
  const inSlack = await deps.people.findByEmails(unknown);
  return unknown.toSorted().flatMap((email) => {
    const slackId = inSlack?.get(email);
    return slackId === undefined ? [] : [{ email, slackId, firstSeenOn: seen.get(email) }];
  });
}

/** A declared limit is known too, so a person decides, also after it was withdrawn. */
function isUnknown(limit: KnownLimit, firstSeenOn: Day | undefined): boolean {
  switch (limit.kind) {
    case 'none':
      return !mayBeDeclared(limit, firstSeenOn);
    case 'shown':
      // A read that is not of now proves nothing.
      return limit.isForEverybody && limit.isCurrent;
    case 'unlimited':
      return limit.isCurrent;
    case 'declared':
    case 'set':
    case 'unclear':
      return false;
    default:
      return limit satisfies never;
  }
}

async function emailsOfSubject(
  { people, clock }: PolicyDeps,
  { rules: { subject, firstSeenDays } }: DefaultPolicy,
  seen: ReadonlyMap<string, Day>,
): Promise<readonly string[]> {
  const earliest = firstSeenDays === null ? undefined : plusDays(dayOf(clock.now()), -firstSeenDays);
  const isNew = (email: string) => earliest === undefined || (seen.get(email) ?? '') >= earliest;
  switch (subject.kind) {
    case 'everybody':
      return [...seen.keys()].filter((email) => isNew(email));
    case 'group':
      return ((await people.teams()).find(({ id }) => id === subject.id)?.emails ?? []).filter((email) => isNew(email));
    case 'person':
      return [(await people.describe(subject.slackId))?.email ?? []].flat().filter((email) => isNew(email));
    default:
      return subject satisfies never;
  }
}

const MAX_WAITING = 20;

async function countWaiting(trx: PolicyTransaction): Promise<number> {
  const { count } = await trx
    .selectFrom('limitRequests')
    .select((select) => select.fn.countAll().as('count'))
    .where((where) => where.and({ kind: 'policy', state: 'pending' }))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns `false` if the next person would get the same answer */
async function decideFirstLimit(
  deps: PolicyDeps,
  candidate: Candidate,
  trigger: Exclude<PolicyTrigger, 'request'>,
  { apply, cardTarget, shared }: Tools,
): Promise<boolean> {
  const outside = await readOutsideFacts(deps, candidate, shared);
  const target = await cardTarget();
  const now = deps.clock.now();
  const result = await deps.db.transaction().execute(async (trx) => {
    const asked = { amount: 0, until: undefined, people: 1, trigger };
    const live = await decideInTurn(trx, deps, asked, outside);
    const { decision } = live;
    if (decision.kind === 'person') return { canContinue: !isSharedReason(decision.reason) };
    // More cards at once would bury the channel.
    if (decision.kind === 'prepare' && (await countWaiting(trx)) >= MAX_WAITING) return { canContinue: false };
    return takeShortId(deps.random, ID_LENGTH, async (id) => {
      const { email, slackId } = candidate;
      const request = {
        id,
        kind: 'policy' as const,
        requester: slackId,
        requesterEmail: email,
        reason: `The policy “${decision.policy.name}”, version ${decision.policy.version}`,
        until: undefined,
        people: [{ email, slackId, to: decision.value }],
      };
      if (await wasAnnounced(trx, id)) return undefined;
      const expiresAt = new Date(now.getTime() + deps.config.limitsExpireHours * HOUR_MS);
      if (!(await insertRequest(trx, request, now, expiresAt))) return undefined;
      await applyDecision(trx, deps, request, live, now);
      if (decision.kind === 'prepare') await announceRequest(trx, { requestId: id }, target, now);
      return { canContinue: true, granted: decision.kind === 'grant' ? id : undefined };
    });
  });
  if ('granted' in result && result.granted !== undefined) await apply({ id: result.granted, people: 1 });
  return result.canContinue;
}
