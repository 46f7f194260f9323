import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import { createCapabilities } from '../../../src/core/platform/capabilities/capabilities.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import {
  activatePolicy,
  editPolicy,
  lowerTeam,
  pausePolicy,
  removePolicy,
  resumePolicy,
} from '../../../src/features/limit-policies/manage/change-policy.ts';
import type { TeamRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { limitsIn, type PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { NO_RULES, saveApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { withholdUnsure } from '../../../src/features/limits/apply/unsure.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import { listRequests, peopleOf } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { PLACE } from '../../support/limits/limit-model.ts';
import {
  activeOf,
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
import { TeamOracle, type Mood } from './team-oracle.ts';

const START = new Date('2026-03-27T09:00:00Z');
/** The clock of the second process is ahead. */
const SKEW_MS = 30_000;

/** Members 1 to 4 have limits; 6 and 7 are leads, and 8 is another account of 6. */
const PEOPLE = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const FIRST_LEAD = memberId(6);
const SAME_PERSON = new Map([[memberId(8), FIRST_LEAD]]);
const humanOf = (slackId: string) => SAME_PERSON.get(slackId) ?? slackId;
const slackIdOf = (email: string) => (email.split('@')[0] ?? '').toUpperCase();
const GROUPS = ['S1', 'S2'] as const;

export interface TeamChoices {
  group: number;
  /** Null: no pool. */
  pool: number | null;
  cap: number;
  order: number;
  leads: number;
}

export type Meanwhile = 'nothing' | 'pause' | 'lower' | 'lead_lowers';

export type TeamStep =
  | ({ kind: 'team' } & TeamChoices)
  | ({ kind: 'edit'; team: number; isActivated: boolean } & TeamChoices)
  | { kind: 'pause' | 'resume' | 'remove'; team: number }
  /** A lead lowers, or tries to raise, what bounds the leads. */
  | { kind: 'bounds'; lead: number; team: number; pool: number | null; cap: number }
  /** The amount above which two admins have to approve. */
  | { kind: 'second'; above: number | null }
  | { kind: 'policy'; group: number; isDefault: boolean }
  | { kind: 'join' | 'leave'; group: number; person: number }
  | {
      kind: 'ask';
      by: number | null;
      person: number;
      amount: number;
      hours: number | null;
      replica: number;
      lead: number | null;
    }
  | { kind: 'lead'; lead: number; request: number; lowered: number | null; meanwhile: Meanwhile; replica: number }
  | { kind: 'both'; requests: readonly [number, number] }
  | { kind: 'deny'; lead: number; request: number }
  | { kind: 'admin'; decision: 'approve' | 'undo' | 'retry' | 'leave' | 'send'; request: number }
  | { kind: 'elsewhere'; person: number; value: number }
  /** Outside of Quartermaster, which learns it only from the platform. */
  | { kind: 'outside'; person: number; value: number }
  | { kind: 'wait'; hours: number; replica: number }
  /** To the first minutes of the next period of limits, with each job on time. */
  | { kind: 'period' }
  | { kind: 'mood'; mood: Mood }
  | { kind: 'answers'; answers: Answers }
  | { kind: 'crash'; at: CheckpointName }
  | { kind: 'figures'; ageDays: number }
  | { kind: 'switch'; areOn: boolean }
  | { kind: 'declare'; isDeclared: boolean }
  | { kind: 'slack'; isSilent: boolean }
  | { kind: 'backup' | 'restore' };

/** Over which limits count. */
export type PlayedPeriod = 'month' | 'week' | 'month from 15';

/** How the platform answers when it is asked for the limits in force. */
export type Answers = 'gone' | 'shows' | 'breaks';

/** A team as the admins of this test agreed on it. */
interface Team {
  id: string;
  rules: TeamRules;
  isActive: boolean;
  /** Since the last restore. */
  isConfirmed: boolean;
  /** The amount above which two admins had to approve when they agreed. */
  secondAbove: number | null;
}

/** The rows of each table. */
type Dump = ReadonlyMap<string, readonly { id: string }[]>;

export interface TeamPlay {
  run: (step: TeamStep) => Promise<void>;
  faults: string[];
  counts: Record<'leads' | 'policies' | 'firsts' | 'refused' | 'lost' | 'restores' | 'lowered', number>;
  dispose: () => void;
}

const AS_REQUESTED = {
  kind: 'approve',
  comment: '',
  isConfirmed: true,
  lowered: new Map<string, number>(),
  leftOut: new Set<string>(),
  returns: new Map<string, number>(),
  highestReturn: undefined,
} as const;

const OVER = ['applied', 'partly_applied', 'outcome_unknown', 'unsure'] as const;

// oxlint-disable-next-line max-lines-per-function -- one world, and what people do in it
export async function startTeamPlay(db: PolicyDatabase, period: PlayedPeriod = 'month'): Promise<TeamPlay> {
  await empty(db);
  const clocks = [
    createMovableClock(START, { frozen: true }),
    createMovableClock(new Date(START.getTime() + SKEW_MS), { frozen: true }),
  ] as const;
  const now = () => clocks[0].now();
  overrideStoreTime(db, now);
  const oracle = new TeamOracle();
  const faults: string[] = [];
  const counts = { leads: 0, policies: 0, firsts: 0, refused: 0, lost: 0, restores: 0, lowered: 0 };
  const groups = new Map<string, Set<string>>([
    ['S1', new Set([1, 2, 5, 6, 7].map((index) => memberId(index)))],
    ['S2', new Set([2, 3, 7].map((index) => memberId(index)))],
  ]);
  /** Slack’s last answer about the groups, and when it gave it. */
  let lastRead: { groups: ReadonlyMap<string, ReadonlySet<string>>; at: number } | undefined;
  const world: PolicyWorld = worldOf({
    seen: new Map(PEOPLE.map((index) => [memberId(index), index === 5 ? '2026-03-25' : '2026-01-20'])),
    period,
    aliases: new Map([[FIRST_LEAD, [emailOf(memberId(8))]]]),
    onTeamsRead: (answer) => {
      const read = answer?.map(({ id, members }) => [id, new Set(members)] as const);
      lastRead = read && { groups: new Map(read), at: now().getTime() };
    },
  });
  world.seen.delete(memberId(8));
  const showGroups = () =>
    Object.assign(world, {
      teams: [...groups].map(([id, members]) => ({
        id,
        handle: id.toLowerCase(),
        members: [...members],
        emails: [...members].map((one) => emailOf(one)),
      })),
    });
  showGroups();
  let mood: Mood = 'fine';
  let answers: Answers = 'gone';
  let shownAt: number | undefined;
  let goneSince: number | undefined;
  let crashAt: CheckpointName | undefined;
  let atDecision: (() => Promise<void>) | undefined;
  let isDeclared = false;
  let secondAbove: number | null = null;
  const teams = new Map<string, Team>();
  const takenOver = new Set<string>();
  const acting = new Map<string, { group: string; isConfirmed: boolean }>();
  let backup:
    | {
        dump: Dump;
        forget: () => void;
        teams: Map<string, Team>;
        actingIds: string[];
        isDeclared: boolean;
        secondAbove: number | null;
      }
    | undefined;

  const fault = (
    code: 'timeout' | 'rate_limited' | 'not_found' | 'server_error',
    status?: number,
    outcomeUnknown = false,
  ) => new PlatformError({ code, status, method: 'PUT', path: '/limits', detail: '', outcomeUnknown });
  const platform = {
    limits: {
      setUserLimits: async (limits: readonly { email: string; limit: number | null }[]) => {
        const how = mood;
        mood = 'fine';
        await oracle.tell(db, limits, how, now().getTime());
        if (how === 'busy') throw fault('rate_limited', 429);
        if (how === 'lost_after' || how === 'lost_before') {
          counts.lost += 1;
          throw fault('timeout', undefined, true);
        }
        if (how === 'refuses') return { updated: [], errors: limits.map(({ email }) => ({ email, error: 'no' })) };
        return { updated: limits.map((one) => ({ ...one })), errors: [] };
      },
    },
    shownLimits: {
      read: () => {
        if (answers === 'gone') {
          goneSince ??= now().getTime();
          return Promise.reject(fault('not_found', 404));
        }
        if (answers === 'breaks') return Promise.reject(fault('server_error', 503));
        shownAt = now().getTime();
        goneSince = undefined;
        oracle.shown(shownAt);
        return Promise.resolve({ everybody: null, own: new Map(oracle.own) });
      },
    },
    roster: { read: () => Promise.resolve([]) },
  };
  const reach = async (name: CheckpointName) => {
    if (name === 'limits:before_decision') {
      const change = atDecision;
      atDecision = undefined;
      await change?.();
    }
    if (name !== crashAt) return;
    crashAt = undefined;
    throw new Error(`The process ended ${name}`);
  };
  const created = clocks.map((clock) => {
    const capabilities = createCapabilities({ platform, db, clock, log: createLogger('silent', []) });
    const replica = policyReplica(db, clock, world, () => Promise.reject(new Error('not used')), reach, {
      platform: { limits: platform.limits },
      capabilities,
    });
    return { ...replica, capabilities };
  });
  const [first, second] = created;
  if (!first || !second) throw new Error('There are two replicas');
  const policyDeps = { ...first.deps, db };
  const replicaAt = (index: number) => (index % 2 === 0 ? first : second);
  const pass = (ms: number) =>
    clocks.forEach((clock: MovableClock) => clock.moveTo(new Date(clock.now().getTime() + ms)));
  await first.capabilities.askIfDue();
  await declare(first.deps);
  isDeclared = true;
  const give = async (slackId: string, value: number) => {
    const at = now();
    await giveLimit(db, slackId, value, at);
    oracle.given(emailOf(slackId), value, at.getTime());
  };
  for (const index of [1, 2, 3, 4, 6]) {
    await give(memberId(index), 1_000);
    pass(1);
  }

  const window = () => windowAround(now(), period);
  const rulesOf = ({ group, pool, cap, order, leads }: TeamChoices): TeamRules => {
    const id = GROUPS[group % GROUPS.length] ?? 'S1';
    const all = [FIRST_LEAD, memberId(7)];
    return {
      kind: 'team',
      subject: { kind: 'group', id, handle: id.toLowerCase() },
      pool,
      cap,
      order,
      leads: leads % 3 === 2 ? all : all.slice(leads % 3, (leads % 3) + 1),
      channel: null,
    };
  };
  const teamAt = (index: number) => [...teams.values()][index % Math.max(1, teams.size)];
  const firstOf = (ids: ReadonlySet<string>) =>
    [...teams.values()]
      .filter(({ rules }) => ids.has(rules.subject.id))
      .toSorted((a, b) => a.rules.order - b.rules.order || (a.id < b.id ? -1 : 1))[0];
  /** The groups of a person by any account. */
  const groupsOf = (slackId: string, read: ReadonlyMap<string, ReadonlySet<string>>) =>
    new Set(
      [...read].flatMap(([id, members]) => ([...members].some((one) => humanOf(one) === humanOf(slackId)) ? id : [])),
    );

  /** What was so when a step began that may approve something. */
  const begin = () => ({
    approved: new Map(oracle.grants),
    limits: new Map(PEOPLE.map((index) => [emailOf(memberId(index)), highestKnown(emailOf(memberId(index)))])),
  });
  const highestKnown = (email: string) => {
    const last = oracle.told.findLast((one) => one.email === email && one.confirmedAt !== undefined);
    return last?.limit ?? undefined;
  };

  const isShownNow = () => shownAt !== undefined && now().getTime() - shownAt <= MINUTE_MS;
  const checkCertain = (text: string) => {
    if (!world.areOn) faults.push(`${text}: while policies are off`);
    if (world.figuresAgeDays > 2) faults.push(`${text}: with figures of ${world.figuresAgeDays} days`);
    const isShown = isShownNow();
    const isHidden = shownAt === undefined || (goneSince !== undefined && now().getTime() - goneSince >= DAY_MS);
    if (!isShown && !isHidden) faults.push(`${text}: while the limit can’t be read`);
    if (!isShown && !isDeclared) faults.push(`${text}: while limits may be set elsewhere`);
  };
  const record = (row: ApprovedRow, pool: string) => {
    // Where somebody set limits outside, only the platform knew from which limit it was.
    const isOutside = oracle.outside.has(row.email);
    const permanent = isOutside ? (row.returnValue ?? undefined) : oracle.permanentBefore(row.id, row.email);
    const until = row.until === null ? undefined : Date.parse(row.until);
    const value = row.approvedValue ?? row.toValue;
    oracle.grants.set(row.id, { requestId: row.id, pool, email: row.email, value, permanent, until });
    oracle.lastPool.set(pool, teams.get(pool)?.rules.pool ?? Infinity);
    if (permanent === undefined) counts.firsts += 1;
    else if (row.returnValue !== permanent) faults.push(`${row.id}: goes back to ${row.returnValue}, not ${permanent}`);
    if (permanent !== undefined && (until === undefined || until > window().before))
      faults.push(`${row.id}: a raise until ${row.until}`);
  };
  /** An approval by somebody who is no admin. */
  const checkLead = (row: ApprovedRow, before: ReturnType<typeof begin>) => {
    counts.leads += 1;
    const by = row.decidedBy ?? '';
    const text = `${row.id} by ${by} for ${row.email}`;
    const about = slackIdOf(row.email);
    if (!lastRead || lastRead.at !== now().getTime())
      return faults.push(`${text}: Slack did not say who is in the team`);
    const team = firstOf(groupsOf(about, lastRead.groups));
    if (!team) return faults.push(`${text}: in no team`);
    const { rules, id } = team;
    if (!team.isActive) faults.push(`${text}: the team is held`);
    if (!team.isConfirmed) faults.push(`${text}: nobody resumed the team after the restore`);
    if (!rules.leads.includes(by) || !lastRead.groups.get(rules.subject.id)?.has(by))
      faults.push(`${text}: not a lead of ${rules.subject.id}`);
    if (humanOf(by) === humanOf(about) || humanOf(by) === humanOf(row.requester)) faults.push(`${text}: their own`);
    const value = row.approvedValue ?? row.toValue;
    if (value > rules.cap) faults.push(`${text}: ${value} above the cap`);
    const second = Math.min(secondAbove ?? Infinity, team.secondAbove ?? Infinity);
    if (value > second) faults.push(`${text}: ${value} without a second admin`);
    if (value <= (before.limits.get(row.email) ?? 0)) faults.push(`${text}: ${value} is no raise`);
    if (oracle.wasUnsure(row.id, row.email)) faults.push(`${text}: while an answer is lost`);
    checkCertain(text);
    const inForce = isShownNow() ? oracle.shownBefore(row.id, row.email) : undefined;
    if (inForce !== undefined && value <= inForce) faults.push(`${text}: ${value} below the limit in force`);
    return record(row, id);
  };
  const checkPolicy = (row: ApprovedRow) => {
    const { group, isConfirmed } = acting.get(row.policyId ?? '') ?? { group: '', isConfirmed: true };
    const team = firstOf(new Set([group]));
    if (!isConfirmed) faults.push(`${row.id}: nobody resumed the policy after the restore`);
    if (!team) return;
    counts.policies += 1;
    if (!team.isActive) faults.push(`${row.id}: granted by a policy while the team is held`);
    record(row, team.id);
  };
  const check = async (before: ReturnType<typeof begin>) => {
    const rows = await approvedRows(db);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of oracle.grants.keys()) {
      const row = byId.get(id);
      // Handed back, or approved by an admin since.
      const isOurs =
        row &&
        !takenOver.has(id) &&
        (row.decidedBy === 'quartermaster' || !ADMINS.some((admin) => admin === row.decidedBy));
      if (!isOurs && (takenOver.has(id) || !oracle.wasTold(id))) oracle.grants.delete(id);
    }
    for (const row of rows) {
      if (
        oracle.grants.has(row.id) ||
        takenOver.has(row.id) ||
        row.decidedBy === null ||
        ADMINS.some((admin) => admin === row.decidedBy)
      )
        continue;
      if (row.decidedBy === 'quartermaster') checkPolicy(row);
      else checkLead(row, before);
    }
    for (const [pool, most] of oracle.lastPool) {
      const sum = oracle.setBeyond(pool, window());
      if (sum > most * (1 + 1e-9)) faults.push(`${pool}: ${sum} of a pool of ${most}`);
    }
  };

  const waiting = () => listRequests(db, ['pending', 'handed_on', 'second_approval']);
  const openOf = async (slackId: string) => {
    const requests = await waiting();
    const people = await Promise.all(requests.map(async ({ id }) => peopleOf(db, id, 1)));
    return requests.filter((_, index) => people[index]?.[0]?.slackId === slackId);
  };
  const chosen = async (states: Parameters<typeof listRequests>[1], index: number) => {
    const requests = (await listRequests(db, states)).filter(({ id }) => !id.startsWith('first-'));
    return requests[index % Math.max(1, requests.length)];
  };
  const decideAs = async (replica: typeof first, slackId: string, id: string, decision: Decision) => {
    const result = await moveRequest(replica.deps, id, policyPerson(slackId, world.admins), decision);
    if (result.kind !== 'moved') counts.refused += 1;
    await replica.applier.apply({ id, people: 1 });
  };
  const lead = async (step: Extract<TeamStep, { kind: 'lead' }>) => {
    const requests = await waiting();
    const request = requests[step.request % Math.max(1, requests.length)];
    if (!request) return;
    const [person] = await peopleOf(db, request.id, 1);
    const lowered = new Map(step.lowered === null || !person ? [] : [[person.email, step.lowered]]);
    const team = teamAt(step.request);
    if (step.meanwhile !== 'nothing' && team)
      atDecision = () => {
        if (step.meanwhile === 'pause') return stop(team, 'pause');
        if (step.meanwhile === 'lower') return change(team, { ...team.rules, pool: 50 });
        return lowerBounds(team, memberId(7), { pool: 60, cap: team.rules.cap });
      };
    await decideAs(replicaAt(step.replica), memberId(step.lead), request.id, { ...AS_REQUESTED, lowered }).finally(
      () => (atDecision = undefined),
    );
  };
  const both = async ([one, other]: readonly [number, number]) => {
    const requests = await waiting();
    const ids = [one, other].map((index) => requests[index % Math.max(1, requests.length)]?.id);
    const done = await Promise.allSettled(
      ids.map(async (id, index) => id && decideAs(replicaAt(index), memberId(6 + index), id, AS_REQUESTED)),
    );
    for (const result of done) if (result.status === 'rejected') throw result.reason;
  };
  const admin = async ({ decision, request: index }: Extract<TeamStep, { kind: 'admin' }>) => {
    const request = await chosen(decision === 'approve' ? ['pending', 'handed_on'] : OVER, index);
    if (!request) return;
    // What the platform was never told is then the admin’s.
    const isTold = oracle.wasTold(request.id);
    const isMoved = await moveRequest(
      first.deps,
      request.id,
      policyPerson(ADMINS[1], world.admins),
      decision === 'approve' ? AS_REQUESTED : { kind: decision },
    );
    if (isMoved.kind !== 'moved') return;
    if (decision === 'retry' && !isTold) takenOver.add(request.id);
    await first.applier.apply({ id: decision === 'undo' ? `${request.id}-undo` : request.id, people: 1 });
  };
  const stop = async (team: Team, kind: 'pause' | 'remove') => {
    const { version } = await versionOf(db, team.id);
    const done = await (kind === 'pause' ? pausePolicy : removePolicy)(policyDeps, team.id, version, ADMINS[0]);
    if (done.kind === 'changed') team.isActive = false;
  };
  const change = async (team: Team, rules: TeamRules, isActivated = true) => {
    const { version } = await versionOf(db, team.id);
    const edited = await editPolicy(policyDeps, team.id, version, { name: 'x', rules }, ADMINS[0]);
    if (edited.kind !== 'changed') return;
    team.isActive = false;
    await storeTest(first.deps, { id: team.id, version: version + 1 });
    if (!isActivated) return;
    const active = await activatePolicy(policyDeps, team.id, version + 1, policyPerson(ADMINS[1]), false);
    if (active.kind === 'changed') Object.assign(team, { rules, isActive: true, isConfirmed: true, secondAbove });
  };
  const lowerBounds = async (team: Team, by: string, bounds: Pick<TeamRules, 'pool' | 'cap'>) => {
    const { version } = await versionOf(db, team.id);
    const done = await lowerTeam(policyDeps, team.id, version, by, bounds);
    const { rules, isActive } = team;
    const isLead = !world.isSlackSilent && rules.leads.includes(by) && groups.get(rules.subject.id)?.has(by) === true;
    const [poolBefore, poolAfter] = [rules.pool ?? Infinity, bounds.pool ?? Infinity];
    const isRaised = poolAfter > poolBefore || bounds.cap > rules.cap;
    const isLowered = poolAfter < poolBefore || bounds.cap < rules.cap;
    const may = isLead && isActive && isLowered && !isRaised;
    if (may !== (done.kind === 'changed')) faults.push(`${team.id}: ${by} ${may ? 'can’t lower' : 'changed'} it`);
    if (done.kind !== 'changed') return;
    counts.lowered += 1;
    team.rules = { ...rules, ...bounds };
  };
  const jobs = async (replica: typeof first) => {
    await replica.capabilities.askIfDue();
    await withholdUnsure(replica.deps, await listDue(db), () => Promise.resolve(PLACE));
    await runJobs(replica);
    await noteGapPauses();
  };
  const noteGapPauses = async () => {
    const active = await db.selectFrom('limitPolicies').select('id').where('state', '=', 'active').execute();
    const ids = new Set(active.map(({ id }) => id));
    for (const team of teams.values()) if (!ids.has(team.id)) team.isActive = false;
  };
  const restore = async () => {
    if (!backup) return;
    counts.restores += 1;
    await fill(db, backup.dump);
    backup.forget();
    world.gap = { since: new Date(now().getTime() - HOUR_MS), until: now() };
    isDeclared = backup.isDeclared;
    secondAbove = backup.secondAbove;
    teams.clear();
    for (const [id, team] of backup.teams) teams.set(id, { ...team, isConfirmed: false });
    for (const id of acting.keys())
      if (backup.actingIds.includes(id)) acting.set(id, { group: acting.get(id)?.group ?? '', isConfirmed: false });
      else acting.delete(id);
  };

  const play = async (step: TeamStep) => {
    switch (step.kind) {
      case 'team': {
        if (teams.size >= 4) return;
        const rules = rulesOf(step);
        const { id } = await activeOf(first.deps, rules, 'Team');
        teams.set(id, { id, rules, isActive: true, isConfirmed: true, secondAbove });
        return;
      }
      case 'edit': {
        const team = teamAt(step.team);
        if (team) await change(team, { ...rulesOf(step), subject: team.rules.subject }, step.isActivated);
        return;
      }
      case 'pause':
      case 'remove': {
        const team = teamAt(step.team);
        if (team) await stop(team, step.kind);
        return;
      }
      case 'resume': {
        const team = teamAt(step.team);
        if (!team) return;
        const { version } = await versionOf(db, team.id);
        const done = await resumePolicy(policyDeps, team.id, version, ADMINS[0]);
        if (done.kind === 'changed') Object.assign(team, { isActive: true, isConfirmed: true });
        return;
      }
      case 'policy': {
        if (acting.size >= 3) return;
        const group = GROUPS[step.group % GROUPS.length] ?? 'S1';
        const subject = { kind: 'group' as const, id: group, handle: group.toLowerCase() };
        const rules = step.isDefault ? { ...FIRST_LIMITS, subject, limit: 300 } : { ...RAISES, subject, percent: 20 };
        const { id } = await activeOf(first.deps, rules);
        acting.set(id, { group, isConfirmed: true });
        return;
      }
      case 'join':
      case 'leave': {
        const members = groups.get(GROUPS[step.group % GROUPS.length] ?? 'S1');
        if (step.kind === 'join') members?.add(memberId(step.person));
        else members?.delete(memberId(step.person));
        showGroups();
        return;
      }
      case 'ask': {
        const until = step.hours === null ? undefined : new Date(now().getTime() + step.hours * HOUR_MS);
        const slackId = memberId(step.person);
        const by = step.by === null ? slackId : memberId(step.by);
        for (const { id } of await openOf(slackId))
          await moveRequest(first.deps, id, policyPerson(ADMINS[0], world.admins), { kind: 'withdraw' });
        const id = await askFor(replicaAt(step.replica), { by, for: slackId, amount: step.amount, until });
        if (step.lead !== null) await decideAs(replicaAt(step.replica + 1), memberId(step.lead), id, AS_REQUESTED);
        return;
      }
      case 'lead':
        return lead(step);
      case 'both':
        return both(step.requests);
      case 'deny': {
        const request = await chosen(['pending', 'handed_on'], step.request);
        if (request) await decideAs(first, memberId(step.lead), request.id, { kind: 'deny', comment: '' });
        return;
      }
      case 'admin':
        return admin(step);
      case 'elsewhere':
        // Its time is by the slower clock, and what was set before may have one by the other.
        pass(SKEW_MS + 1_000);
        return give(memberId(step.person), step.value);
      case 'outside':
        return oracle.setOutside(emailOf(memberId(step.person)), step.value, now().getTime());
      case 'bounds': {
        const team = teamAt(step.team);
        if (team) await lowerBounds(team, memberId(step.lead), { pool: step.pool, cap: step.cap });
        return;
      }
      case 'second': {
        secondAbove = step.above;
        const rules = { ...NO_RULES, secondAbove: step.above ?? undefined };
        const by = { by: ADMINS[0], detail: '' };
        await db.transaction().execute((trx) => saveApproverRules(limitsIn(trx), rules, by, now()));
        return;
      }
      case 'wait':
        pass(step.hours * HOUR_MS);
        return jobs(replicaAt(step.replica));
      case 'period': {
        pass(window().before - now().getTime() + 1_000);
        for (let minute = 0; minute < 3; minute += 1) {
          await jobs(first);
          pass(60_000);
        }
        return;
      }
      case 'mood':
        mood = step.mood;
        return;
      case 'answers':
        answers = step.answers;
        return;
      case 'crash':
        crashAt = step.at;
        return;
      case 'figures':
        world.figuresAgeDays = step.ageDays;
        return;
      case 'switch':
        world.areOn = step.areOn;
        return;
      case 'declare':
        await declare(first.deps, step.isDeclared);
        isDeclared = step.isDeclared;
        return;
      case 'slack':
        world.isSlackSilent = step.isSilent;
        return;
      case 'backup':
        backup = {
          dump: await dumpOf(db),
          forget: oracle.remember(),
          teams: new Map([...teams].map(([id, team]) => [id, { ...team }])),
          actingIds: [...acting.keys()],
          isDeclared,
          secondAbove,
        };
        return;
      case 'restore':
        return restore();
      default:
        return step satisfies never;
    }
  };
  const run = async (step: TeamStep) => {
    pass(1_000);
    const before = begin();
    await play(step).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.startsWith('The process ended')) throw error;
    });
    await noteGapPauses();
    await check(before);
  };
  return { run, faults, counts, dispose: () => clocks.forEach((clock) => clock.dispose()) };
}

/** The period of limits around an instant, counted by hand. */
function windowAround(at: Date, period: PlayedPeriod): { from: number; before: number } {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === 'week') {
    const from = Date.UTC(year, month, day) - ((at.getUTCDay() + 6) % 7) * DAY_MS;
    return { from, before: from + 7 * DAY_MS };
  }
  const start = period === 'month' ? 1 : 15;
  const first = day < start ? month - 1 : month;
  return { from: Date.UTC(year, first, start), before: Date.UTC(year, first + 1, start) };
}

type ApprovedRow = Awaited<ReturnType<typeof approvedRows>>[number];

/** Requests that somebody approved, as the store has them. */
const approvedRows = (db: PolicyDatabase) =>
  db
    .selectFrom('limitRequests as request')
    .innerJoin('limitRequestPeople as person', 'person.requestId', 'request.id')
    .select(['request.id', 'request.decidedBy', 'request.requester', 'request.until', 'request.policyId'])
    .select(['person.email', 'person.toValue', 'person.approvedValue', 'person.returnValue'])
    .where('request.kind', 'in', ['ask', 'policy'])
    .where('request.state', 'not in', ['pending', 'handed_on', 'second_approval', 'denied', 'withdrawn', 'expired'])
    .orderBy('request.decidedAt')
    .execute();

const versionOf = (db: PolicyDatabase, id: string) =>
  db.selectFrom('limitPolicies').select('version').where('id', '=', id).executeTakeFirstOrThrow();

const TABLES = [
  'limitApproverRules',
  'limitTeamCharges',
  'limitTurns',
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

/** Every table, with rows of any columns. */
const anyTable = (db: PolicyDatabase) => db.withTables<Record<string, { id: string }>>();

async function dumpOf(db: PolicyDatabase): Promise<Dump> {
  const dump = new Map<string, readonly { id: string }[]>();
  for (const table of TABLES) dump.set(table, await anyTable(db).selectFrom(table).selectAll().execute());
  return dump;
}

async function fill(db: PolicyDatabase, dump: Dump): Promise<void> {
  for (const table of TABLES.toReversed()) {
    await anyTable(db).deleteFrom(table).execute();
    for (const row of dump.get(table) ?? []) await anyTable(db).insertInto(table).values(row).execute();
  }
}

async function empty(db: PolicyDatabase): Promise<void> {
  for (const table of TABLES) await db.deleteFrom(table).execute();
  const readings = db.withTables<{ platformLimits: object; platformCapabilities: object }>();
  await readings.deleteFrom('platformLimits').execute();
  await readings.deleteFrom('platformCapabilities').execute();
}
