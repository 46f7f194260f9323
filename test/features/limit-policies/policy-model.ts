import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/durations.ts';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { listRequests } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import type { ActingRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import {
  activatePolicy,
  createPolicy,
  editPolicy,
  pausePolicy,
  removePolicy,
  resumePolicy,
  stopAllPolicies,
} from '../../../src/features/limit-policies/manage/change-policy.ts';
import { findPolicy, listPolicies } from '../../../src/features/limit-policies/store/policy-store.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import {
  ADMINS,
  askFor,
  declare,
  emailOf,
  FIRST_LIMITS,
  giveLimit,
  memberId,
  policyPerson,
  policyReplica,
  RAISES,
  runJobs,
  storeTest,
  worldOf,
  type PolicyWorld,
} from '../../support/limits/policy-scene.ts';
import { checkActivation, checkSent, checkStep, snapshotOf, type PolicyHistory } from './policy-promises.ts';

/** Just before a clock change at night in Berlin, which `TIMEZONE` follows. */
const START = new Date('2026-03-28T20:00:00Z');
/** The clock of the second process is ahead. */
const SKEW_MS = 30_000;

export const RULES: readonly ActingRules[] = [
  { ...RAISES, percent: 50, times: 1, days: 2, grantsADay: 2, creditsAPeriod: 900 },
  { ...RAISES, percent: 100, cap: 3_000, times: 2, days: 7, grantsADay: 3, creditsAPeriod: 2_000 },
  { ...RAISES, subject: { kind: 'group', id: 'S1', handle: 'web-team' }, percent: 10, dryRunDays: 1 },
  { ...RAISES, kind: 'schedule', weekdays: [6, 7], from: '21:00', to: '04:00', grantsADay: 4 },
  { ...RAISES, subject: { kind: 'person', slackId: memberId(2) }, percent: 200, grantsADay: 5 },
  { ...FIRST_LIMITS, grantsADay: 2 },
  { ...FIRST_LIMITS, firstSeenDays: null, when: 'period_start', limit: 700 },
];

/** The platform’s answer to the next PUT. */
export type Mood = 'fine' | 'refuses' | 'lost' | 'busy';

export type PolicyStep =
  | { kind: 'draft'; by: number; rules: number }
  | { kind: 'edit'; policy: number; by: number; rules: number }
  | { kind: 'test' | 'remove'; policy: number; by: number }
  | { kind: 'pause' | 'resume'; policy: number; by: number }
  | { kind: 'activate'; policy: number; by: number; isConfirmed: boolean }
  | { kind: 'stop'; by: number }
  | { kind: 'declare'; isDeclared: boolean }
  | { kind: 'ask'; replica: number; member: number; percent: number }
  | { kind: 'ask_both'; members: readonly [number, number]; percent: number }
  | { kind: 'decide'; decision: 'approve' | 'withdraw' | 'undo' | 'retry' | 'leave' | 'send'; request: number }
  | { kind: 'elsewhere'; member: number; value: number }
  | { kind: 'wait'; hours: number; replica: number }
  | { kind: 'mood'; mood: Mood }
  | { kind: 'crash'; at: CheckpointName }
  | { kind: 'pause_before_put' }
  | { kind: 'figures'; ageDays: number }
  | { kind: 'switch'; areOn: boolean }
  | { kind: 'admins'; count: 1 | 2; fourEyes: 'required' | 'when-possible' }
  | { kind: 'restore' };

export interface PolicyPlay {
  db: PolicyDatabase;
  world: PolicyWorld;
  clocks: readonly MovableClock[];
  replicas: readonly ReturnType<typeof policyReplica>[];
  history: PolicyHistory;
  mood: Mood;
  crashAt: CheckpointName | undefined;
  isPausedBeforePut: boolean;
}

/** Two replicas whose clocks differ, over one store, with a platform that remembers each PUT. */
export async function startPlay(db: PolicyDatabase): Promise<PolicyPlay> {
  await empty(db);
  const clocks = [
    createMovableClock(START, { frozen: true }),
    createMovableClock(new Date(START.getTime() + SKEW_MS), { frozen: true }),
  ] as const;
  overrideStoreTime(db, () => clocks[0].now());
  const seen = new Map([1, 2, 3].map((index) => [memberId(index), '2026-01-20']));
  const world = worldOf({ seen: new Map([...seen, [memberId(4), '2026-03-26'], [memberId(5), '2026-03-27']]) });
  const play: PolicyPlay = {
    db,
    world,
    clocks,
    replicas: [],
    history: {
      now: () => clocks[0].now(),
      drafts: new Map(),
      activations: new Map(),
      halts: new Map(),
      isDeclared: false,
      sent: [],
    },
    mood: 'fine',
    crashAt: undefined,
    isPausedBeforePut: false,
  };
  const replicas = clocks.map((clock) => {
    const replica = policyReplica(
      db,
      clock,
      world,
      (limits) => put(play, limits),
      (name) => reach(play, name),
    );
    Object.assign(replica.deps.config, { timeZone: 'Europe/Berlin' });
    return replica;
  });
  Object.assign(play, { replicas });
  for (const index of [1, 2]) await giveLimit(db, memberId(index), 1_000, new Date('2026-02-01T00:00:00Z'));
  await giveLimit(db, ADMINS[0], 1_000, new Date('2026-02-01T00:00:00Z'));
  return play;
}

async function reach(play: PolicyPlay, name: CheckpointName): Promise<void> {
  if (name === 'limits:before_put' && play.isPausedBeforePut) {
    play.isPausedBeforePut = false;
    await halt(play, () => stopAllPolicies({ db: play.db }, ADMINS[1]));
  }
  if (name !== play.crashAt) return;
  play.crashAt = undefined;
  throw new Error(`The process ended ${name}`);
}

async function put(play: PolicyPlay, limits: readonly { email: string; limit: number }[]) {
  await checkSent(play.db, play.history, limits);
  const { mood } = play;
  play.mood = 'fine';
  const fault = (code: 'timeout' | 'rate_limited', outcomeUnknown: boolean) =>
    new PlatformError({ code, method: 'PUT', path: '/limits', detail: '', outcomeUnknown });
  if (mood === 'lost') throw fault('timeout', true);
  if (mood === 'busy') throw fault('rate_limited', false);
  if (mood === 'refuses') return { updated: [], errors: limits.map(({ email }) => ({ email, error: 'no' })) };
  return { updated: [...limits], errors: [] };
}

/** Plays one step, and checks each promise afterwards. */
export async function playStep(play: PolicyPlay, step: PolicyStep): Promise<void> {
  pass(play, 1_000);
  const before = await snapshotOf(play.db, play.world, play.history);
  await run(play, step).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('The process ended')) throw error;
  });
  await checkStep(play.db, play.history, before);
}

function pass({ clocks }: PolicyPlay, ms: number): void {
  for (const clock of clocks) clock.moveTo(new Date(clock.now().getTime() + ms));
}

async function run(play: PolicyPlay, step: PolicyStep): Promise<void> {
  const { world, history, db } = play;
  const { deps } = replicaAt(play, 0);
  switch (step.kind) {
    case 'draft': {
      const policy = await createPolicy(deps, { name: 'x', rules: rulesAt(step.rules) }, adminAt(step.by));
      history.drafts.set(`${policy.id}@1`, { by: adminAt(step.by), at: history.now(), isTested: false });
      return;
    }
    case 'elsewhere':
      return giveLimit(db, memberId(step.member), step.value, history.now());
    case 'stop':
      await halt(play, () => stopAllPolicies(deps, adminAt(step.by)));
      return;
    case 'declare':
      await declare(deps, step.isDeclared);
      history.isDeclared = step.isDeclared;
      return;
    case 'ask':
      await askFor(replicaAt(play, step.replica), await askOf(play, step.member, step.percent));
      return;
    case 'ask_both': {
      const asks = await Promise.all(step.members.map((member) => askOf(play, member, step.percent)));
      const done = await Promise.allSettled(asks.map((one, index) => askFor(replicaAt(play, index), one)));
      for (const one of done) if (one.status === 'rejected') throw one.reason;
      return;
    }
    case 'decide':
      return decide(play, step);
    case 'wait':
      pass(play, step.hours * HOUR_MS);
      return runJobs(replicaAt(play, step.replica));
    case 'mood':
      play.mood = step.mood;
      return;
    case 'crash':
      play.crashAt = step.at;
      return;
    case 'pause_before_put':
      play.isPausedBeforePut = true;
      return;
    case 'figures':
      world.figuresAgeDays = step.ageDays;
      return;
    case 'switch':
      world.areOn = step.areOn;
      return;
    case 'admins':
      Object.assign(world, { admins: ADMINS.slice(0, step.count), fourEyes: step.fourEyes });
      return;
    case 'restore':
      world.gap = { since: new Date(history.now().getTime() - DAY_MS), until: history.now() };
      return;
    case 'edit':
    case 'test':
    case 'activate':
    case 'pause':
    case 'resume':
    case 'remove':
      return changePolicy(play, step);
    default:
      return step satisfies never;
  }
}

type PolicyStepOf = Extract<PolicyStep, { policy: number }>;

async function changePolicy(play: PolicyPlay, step: PolicyStepOf): Promise<void> {
  const { db, history, world } = play;
  const { deps } = replicaAt(play, 0);
  const policies = await listPolicies(db);
  const policy = policies[step.policy % policies.length];
  const by = adminAt(step.by);
  if (!policy || !world.admins.includes(by)) return;
  const { id, version } = policy;
  const draft = history.drafts.get(`${id}@${version}`);
  switch (step.kind) {
    case 'edit': {
      const edited = await editPolicy(deps, id, version, { name: 'x', rules: rulesAt(step.rules) }, by);
      if (edited.kind === 'changed')
        history.drafts.set(`${id}@${version + 1}`, { by, at: history.now(), isTested: false });
      return;
    }
    case 'test':
      if ((await storeTest(deps, policy)) && draft) draft.isTested = true;
      return;
    case 'activate': {
      const change = await activatePolicy(deps, id, version, policyPerson(by, world.admins), step.isConfirmed);
      const mayActAlone = world.fourEyes === 'when-possible' && world.admins.length === 1 && step.isConfirmed;
      if (change.kind !== 'changed') return;
      history.activations.set(`${id}@${version}`, { by, at: history.now(), mayActAlone });
      checkActivation(history, `${id}@${version}`);
      return;
    }
    case 'pause':
      return halt(play, () => pausePolicy(deps, id, version, by));
    case 'resume':
      await resumePolicy(deps, id, version, by);
      return;
    case 'remove':
      return halt(play, () => removePolicy(deps, id, version, by));
    default:
      return step satisfies never;
  }
}

/** Records which policies a step pauses or removes. */
async function halt({ db, history }: PolicyPlay, change: () => Promise<unknown>): Promise<void> {
  const active = await listPolicies(db);
  await change();
  for (const { id, state } of active) {
    const after = await findPolicy(db, id);
    const isHalted = (state === 'active' && after?.state === 'paused') || after?.state === 'removed';
    if (isHalted) history.halts.set(id, history.now());
  }
}

async function askOf({ db }: PolicyPlay, member: number, percent: number) {
  const slackId = member === 0 ? ADMINS[0] : memberId(member);
  const row = await db
    .selectFrom('limitLedger')
    .select('value')
    .where('email', '=', emailOf(slackId))
    .orderBy('setAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { for: slackId, amount: Math.round(((row?.value ?? 1_000) * percent) / 100) };
}

const AS_REQUESTED = {
  comment: '',
  isConfirmed: true,
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
};

async function decide(play: PolicyPlay, { decision, request: index }: Extract<PolicyStep, { kind: 'decide' }>) {
  const { deps, applier } = replicaAt(play, index);
  const states = decision === 'approve' || decision === 'withdraw' ? ['pending' as const] : OVER;
  const requests = (await listRequests(play.db, states)).filter(({ id }) => !id.startsWith('first-'));
  const request = requests[index % requests.length];
  if (!request) return;
  const event: Decision =
    decision === 'approve' ? { kind: 'approve', ...AS_REQUESTED, highestReturn: undefined } : { kind: decision };
  await moveRequest(deps, request.id, policyPerson(ADMINS[1], play.world.admins), event);
  await applier.apply(request);
}

const OVER = ['applied', 'partly_applied', 'outcome_unknown', 'unsure'] as const;

const adminAt = (index: number) => ADMINS[index % ADMINS.length] ?? ADMINS[0];
const rulesAt = (index: number) => RULES[index % RULES.length] ?? RAISES;
function replicaAt({ replicas }: PolicyPlay, index: number) {
  const replica = replicas[index % replicas.length];
  if (!replica) throw new Error('There are two replicas');
  return replica;
}

async function empty(db: PolicyDatabase): Promise<void> {
  for (const table of TABLES) await db.deleteFrom(table).execute();
}

const TABLES = [
  'limitLedger',
  'limitRequestPeople',
  'limitRequests',
  'limitPolicies',
  'limitPolicyVersions',
  'limitPolicyDecisions',
  'limitPolicySettings',
  'deliveries',
  'audit',
] as const;
