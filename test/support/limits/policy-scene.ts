import { createRequestPolicies } from '../../../src/features/limit-policies/request-policies.ts';
import type { FoldedDays } from '../../../src/core/analytics/days.ts';
import { noCheckpoint, type Checkpoint } from '../../../src/core/base/checkpoint.ts';
import { dayOf, daysOf, type Day, type Period } from '../../../src/core/base/time/calendar.ts';
import type { LimitPeriod } from '../../../src/core/base/time/limit-period-days.ts';
import { createApplier, type Applier } from '../../../src/features/limits/apply/applier.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { beforeOf } from '../../../src/features/limits/ask/validate-input.ts';
import { permanentAmountOf } from '../../../src/core/figures/known-limit.ts';
import { limitOf } from '../../../src/features/limits/core/ledger.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { beginReturns } from '../../../src/features/limits/decide/returns.ts';
import type { DefaultRules, PolicyRules, RaiseRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { createFirstLimits } from '../../../src/features/limit-policies/live/first-limits.ts';
import { createKnownEmails } from '../../../src/features/limits/core/known-emails.ts';
import { pauseAfterGap } from '../../../src/features/limit-policies/live/run-policies.ts';
import { activatePolicy, createPolicy } from '../../../src/features/limit-policies/manage/change-policy.ts';
import { backTestColumn } from '../../../src/features/limit-policies/back-test/read-past.ts';
import { declareOnlyHere } from '../../../src/features/limit-policies/store/only-here.ts';
import {
  findPolicy,
  keepBackTest,
  type StoredPolicy,
} from '../../../src/features/limit-policies/store/policy-store.ts';
import type { MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import type { FreshPerson } from '../../../src/core/slack/people/people.ts';
import { readStoreNow } from '../../../src/core/store/lease.ts';
import type { LimitsResult } from '../../../src/core/platform/endpoints/limits.ts';
import { limitParts, numbersIn, PLACE } from './limit-model.ts';
import { creditsColumns } from '../credits-columns.ts';

/** Two admins, and members by their numbers. */
export const ADMINS = ['UADA', 'UNORA'] as const;
export const emailOf = (slackId: string) => `${slackId.toLowerCase()}@acme.example`;
export const memberId = (index: number) => `U${index}`;

export const policyPerson = (slackId: string, admins: readonly string[] = ADMINS): FreshPerson => ({
  slackId,
  name: slackId,
  email: emailOf(slackId),
  timeZone: 'UTC',
  role: admins.includes(slackId) ? 'admin' : 'member',
  seesPeople: true,
  isRoleFresh: true,
});

export const RAISES: RaiseRules = {
  kind: 'automatic',
  subject: { kind: 'everybody' },
  percent: 50,
  cap: 10_000,
  times: 2,
  days: 7,
  grantsADay: 100,
  creditsAPeriod: 1_000_000,
  dryRunDays: 0,
};

export const FIRST_LIMITS: DefaultRules = {
  kind: 'default',
  subject: { kind: 'everybody' },
  limit: 1_000,
  firstSeenDays: 7,
  when: 'first_seen',
  grantsADay: 1_000,
  creditsAPeriod: 1_000_000,
  dryRunDays: 0,
};

/** What Slack, the figures and the store say in a test. */
export interface PolicyWorld {
  admins: readonly string[];
  fourEyes: 'required' | 'when-possible';
  teams: { id: string; handle: string; members: string[]; emails: string[] }[];
  /** The first day with use of each member. */
  seen: Map<string, Day>;
  /** Further e-mails of a member in the figures. */
  aliases: Map<string, string[]>;
  /** How many days the figures are late. */
  figuresAgeDays: number;
  areOn: boolean;
  /** `LIMIT_PERIOD`. */
  period: LimitPeriod;
  gap: { since: Date; until: Date } | undefined;
  /** What was read up to an hour ago, if it is something else. */
  cachedTeams?: PolicyWorld['teams'];
  /** Slack does not say who is in which group now. */
  isSlackSilent?: boolean;
  /** Sees each answer of Slack about the groups as they are now. */
  onTeamsRead?: (answer: PolicyWorld['teams'] | undefined) => void;
}

export const worldOf = (change: Partial<PolicyWorld> = {}): PolicyWorld => ({
  admins: ADMINS,
  fourEyes: 'required',
  teams: [{ id: 'S1', handle: 'web-team', members: [memberId(1)], emails: [emailOf(memberId(1))] }],
  seen: new Map(),
  aliases: new Map(),
  figuresAgeDays: 1,
  areOn: true,
  period: 'month',
  gap: undefined,
  ...change,
});

type SetLimits = (limits: readonly { email: string; limit: number }[]) => Promise<LimitsResult>;

/** The parts of one replica. */
export function policyReplica(
  db: PolicyDatabase,
  clock: MovableClock,
  world: PolicyWorld,
  setLimits: SetLimits,
  checkpoint: Checkpoint = noCheckpoint,
  inForce: Partial<Pick<LimitDeps, 'platform' | 'capabilities'>> = {},
): { deps: LimitDeps; applier: Applier; runFirstLimits: () => Promise<void> } {
  const base = limitParts(db, clock, {
    platform: { limits: { setUserLimits: (limits) => setLimits(numbersIn(limits)) } },
    checkpoint,
    ...inForce,
  });
  const days: LimitDeps['days'] = {
    ...base.days,
    peopleCredits: figuresOf(world, clock),
    dailyCredits: (period) => {
      const rows = daysOf(period).map((date) => ({ date, billable_tokens: world.seen.size }));
      return Promise.resolve({ kind: 'read', rows, readAt: clock.now() });
    },
  };
  const withoutPolicies: Omit<LimitDeps, 'policies'> = {
    ...base,
    config: {
      ...base.config,
      get limitPeriod() {
        return world.period;
      },
      get fourEyes() {
        return world.fourEyes;
      },
      get limitPolicies() {
        return world.areOn;
      },
    },
    people: {
      ...base.people,
      admins: () => Promise.resolve([...world.admins]),
      describe: (id) => Promise.resolve({ name: id, email: emailOf(id) }),
      identifyAfresh: (id) => Promise.resolve({ kind: 'known', person: policyPerson(id, world.admins) }),
      teams: () => Promise.resolve(world.cachedTeams ?? world.teams),
      teamsNow: () => {
        const answer = world.isSlackSilent ? undefined : structuredClone(world.teams);
        world.onTeamsRead?.(answer);
        return Promise.resolve(answer);
      },
      findByEmails: (emails) =>
        Promise.resolve(
          // The figures also know people by ids of the platform, which Slack does not know.
          new Map(
            emails
              .filter((email) => email.includes('@'))
              .map((email) => [email, (email.split('@')[0] ?? '').toUpperCase()]),
          ),
        ),
    },
    days,
    knownEmails: createKnownEmails({ days, clock, log: base.log }),
    readDataGap: () => Promise.resolve(world.gap && { reason: 'was_away', ...world.gap }),
  };
  const deps = { ...withoutPolicies, policies: createRequestPolicies(withoutPolicies) };
  const cardTarget = () => Promise.resolve(PLACE);
  const applier = createApplier(deps, cardTarget);
  const apply: Applier['apply'] = (request) => applier.apply(request);
  return { deps, applier, runFirstLimits: createFirstLimits(deps, { apply, cardTarget }) };
}

/** Days on which each seen member used one credit a day. */
function figuresOf(world: PolicyWorld, clock: MovableClock): LimitDeps['days']['peopleCredits'] {
  return (period: Period, fold) => {
    const last = dayOf(new Date(clock.now().getTime() - world.figuresAgeDays * 86_400_000));
    const published = daysOf(period).filter((day) => day <= last);
    for (const date of published) {
      const people = [...world.seen]
        .filter(([, first]) => first <= date)
        .flatMap(([id]) =>
          [emailOf(id), ...(world.aliases.get(id) ?? [])].map((email) => ({
            user_id: id,
            user_email: email,
            billable_tokens: 1,
          })),
        );
      fold(creditsColumns(date, people));
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the published days are read
    return Promise.resolve({ kind: 'read', rows: published } as unknown as FoldedDays & { kind: 'read' });
  };
}

const FEW_CASES = backTestColumn.write({
  first: '2026-01-01',
  last: '2026-03-31',
  cases: 30,
  isFew: false,
  grants: 0,
  people: 0,
  credits: 0,
  touched: [],
  reasons: [],
  compared: { agreed: 0, stricter: 0, looser: 0 },
  worst: { people: 0, times: 1, credits: 0 },
});

/** Stores a back-test without a past. */
export async function storeTest({ db }: LimitDeps, { id, version }: Pick<StoredPolicy, 'id' | 'version'>) {
  return db
    .transaction()
    .execute(async (trx) => keepBackTest(trx, { id, version }, FEW_CASES, await readStoreNow(trx)));
}

/** Ada writes it, Nora activates it. */
export async function activeOf(deps: LimitDeps, rules: PolicyRules, name = 'Small raises'): Promise<StoredPolicy> {
  const { id } = await createPolicy(deps, { name, rules }, ADMINS[0]);
  await storeTest(deps, { id, version: 1 });
  const change = await activatePolicy(deps, id, 1, policyPerson(ADMINS[1]), false);
  if (change.kind !== 'changed') throw new Error(`Not activated: ${JSON.stringify(change)}`);
  return change.policy;
}

export async function declare({ db }: LimitDeps, isDeclared = true): Promise<void> {
  await db.transaction().execute(async (trx) => declareOnlyHere(trx, isDeclared, ADMINS[0], await readStoreNow(trx)));
}

/** A limit that an admin approved in the past, as the ledger has it. */
export const giveLimit = (db: PolicyDatabase, slackId: string, value: number, at: Date): Promise<void> =>
  give(db, slackId, { value, until: undefined, returnTo: undefined }, at);

/** The same with an end that the admin approved. */
export const giveTemporaryLimit = (
  db: PolicyDatabase,
  slackId: string,
  raise: { value: number; until: Date; returnTo: number },
  at: Date,
): Promise<void> => give(db, slackId, raise, at);

async function give(
  db: PolicyDatabase,
  slackId: string,
  { value, until, returnTo }: { value: number; until: Date | undefined; returnTo: number | undefined },
  at: Date,
): Promise<void> {
  const id = `first-${slackId}-${at.getTime()}`;
  const time = at.toISOString();
  const email = emailOf(slackId);
  await db
    .insertInto('limitRequests')
    .values({
      id,
      kind: 'ask',
      state: 'applied',
      requester: slackId,
      requesterEmail: email,
      reason: 'x',
      people: 1,
      createdAt: time,
      expiresAt: time,
      decidedBy: ADMINS[0],
      decidedAt: time,
      finishedAt: time,
      until: until?.toISOString() ?? null,
    })
    .execute();
  await db
    .insertInto('limitRequestPeople')
    .values({
      requestId: id,
      email,
      position: 0,
      slackId,
      toValue: value,
      approvedValue: value,
      setValue: value,
      returnValue: returnTo ?? null,
      state: 'set',
    })
    .execute();
  await db
    .insertInto('limitLedger')
    .values({ requestId: id, email, value, setAt: time, askedBy: slackId, approvedBy: ADMINS[0], approvedAt: time })
    .execute();
}

export interface PolicyAsk {
  by?: string;
  for: string;
  amount: number;
  until?: Date | undefined;
}

/** Makes a request as the form does, and sends it if a policy granted it. */
export async function askFor(
  { deps, applier }: { deps: LimitDeps; applier: Applier },
  { by, for: slackId, amount, until }: PolicyAsk,
): Promise<string> {
  const email = emailOf(slackId);
  const limit = await limitOf(deps.db, email);
  const returnTo = until ? Math.min(amount, permanentAmountOf(limit) ?? 0) : undefined;
  const person = { email, slackId, ...beforeOf(limit), to: amount, returnTo };
  const contents = { kind: 'ask' as const, reason: 'x', until, people: [person] };
  const id = await makeRequest(deps, PLACE, policyPerson(by ?? slackId), contents);
  if (id === undefined) throw new Error('Nothing was asked');
  const request = await findRequest(deps.db, id);
  if (request && request.policyId !== null) await applier.apply(request);
  return id;
}

/** The jobs of one minute. */
export async function runJobs({ deps, applier, runFirstLimits }: ReturnType<typeof policyReplica>): Promise<void> {
  await beginReturns(deps, () => Promise.resolve(PLACE));
  await pauseAfterGap(deps);
  await runFirstLimits();
  for (const id of await listDue(deps.db)) await applier.apply({ id, people: 1 });
}

export async function policyNow(db: PolicyDatabase, id: string): Promise<StoredPolicy> {
  const policy = await findPolicy(db, id);
  if (!policy) throw new Error(`No policy ${id}`);
  return policy;
}
