import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import {
  activatePolicy,
  editPolicy,
  lowerTeam,
  pausePolicy,
  resumePolicy,
} from '../../../src/features/limit-policies/manage/change-policy.ts';
import { createRequestPolicies } from '../../../src/features/limit-policies/request-policies.ts';
import type { TeamRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { listAgreed } from '../../../src/features/limit-policies/store/agreements.ts';
import { findPolicy } from '../../../src/features/limit-policies/store/policy-store.ts';
import { withPolicies, type PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { tryToAskNextApprover } from '../../../src/features/limits/approvers/ask-approvers.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { moveRequest, type MoveResult } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  activeOf,
  ADMINS,
  askFor,
  declare,
  emailOf,
  giveLimit,
  memberId,
  policyPerson,
  policyReplica,
  runJobs,
  storeTest,
  worldOf,
  type PolicyWorld,
} from '../../support/limits/policy-scene.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
const [MIA, MAX, KIM, NEW] = [memberId(1), memberId(2), memberId(3), memberId(4)] as const;
const [LEAD, OTHER_LEAD] = [memberId(6), memberId(7)] as const;
const MEMBERS = [MIA, MAX, KIM, NEW, LEAD, OTHER_LEAD];
const TEAM: TeamRules = {
  kind: 'team',
  subject: { kind: 'group', id: 'S1', handle: 'web-team' },
  pool: 500,
  cap: 2_000,
  leads: [LEAD, OTHER_LEAD],
  channel: null,
  order: 1,
};
const APPROVE: Decision = {
  kind: 'approve',
  comment: '',
  isConfirmed: true,
  lowered: new Map(),
  leftOut: new Set(),
  returns: new Map(),
  highestReturn: undefined,
};

/** The platform’s answers, one after another; then it sets every limit. */
type Answer = 'refuses' | 'refuses_all' | 'lost';

describe.each(availableEngines())('a team, on %s', (engine) => {
  let database: TestDatabase;
  let stores: Store[];
  let db: PolicyDatabase;
  let clock: MovableClock;
  let world: PolicyWorld;
  let replicas: ReturnType<typeof policyReplica>[];
  let answers: Answer[];
  let puts: { email: string; limit: number }[];
  let beforePut: (() => Promise<unknown>) | undefined;
  let atDecision: (() => Promise<unknown>) | undefined;

  beforeEach(async () => {
    database = await createDatabase(engine);
    clock = createMovableClock(START, { frozen: true });
    const now = () => clock.now();
    stores = await Promise.all([openStore(database.url, undefined, now), openStore(database.url, undefined, now)]);
    for (const store of stores) overrideStoreTime(store.db, now);
    answers = [];
    puts = [];
    beforePut = undefined;
    atDecision = undefined;
    world = worldOf({
      seen: new Map(MEMBERS.map((one) => [one, '2026-01-20'])),
    });
    showMembers(MEMBERS);
    replicas = stores.map((store) =>
      policyReplica(withPolicies(store.db), clock, world, put, async (name) => {
        const change =
          name === 'limits:before_put' ? beforePut : name === 'limits:before_decision' ? atDecision : undefined;
        if (change === undefined) return;
        if (change === beforePut) beforePut = undefined;
        else atDecision = undefined;
        await change();
      }),
    );
    db = withPolicies(one().deps.db);
    await declare(one().deps);
    for (const person of [MIA, MAX, KIM]) await giveLimit(db, person, 1_000, new Date('2026-02-01T00:00:00Z'));
  });
  afterEach(async () => {
    clock.dispose();
    for (const store of stores) await store.close();
    await database.drop();
  });

  async function put(limits: readonly { email: string; limit: number }[]) {
    puts.push(...limits);
    const answer = answers.shift();
    const options = { method: 'PUT', path: '/limits', detail: '' };
    if (answer === 'lost') throw new PlatformError({ code: 'timeout', outcomeUnknown: true, ...options });
    if (answer === 'refuses_all') throw new PlatformError({ code: 'forbidden', outcomeUnknown: false, ...options });
    if (answer === 'refuses')
      return Promise.resolve({ updated: [], errors: limits.map(({ email }) => ({ email, error: 'no' })) });
    return Promise.resolve({ updated: [...limits], errors: [] });
  }
  function one() {
    const [first] = replicas;
    if (!first) throw new Error('There are two replicas');
    return first;
  }
  const showMembers = (members: string[]) => {
    world.teams = [{ id: 'S1', handle: 'web-team', members, emails: members.map((member) => emailOf(member)) }];
  };
  const policyOf = () => db.selectFrom('limitPolicies').select(['id', 'version']).executeTakeFirstOrThrow();
  const changeRules = async (id: string, version: number, rules: TeamRules) => {
    const deps = { ...one().deps, db };
    await editPolicy(deps, id, version, { name: 'Team', rules }, ADMINS[0]);
    await storeTest(deps, { id, version: version + 1 });
    await activatePolicy(deps, id, version + 1, policyPerson(ADMINS[1]), false);
  };
  const charges = () => db.selectFrom('limitTeamCharges').selectAll().orderBy('at').orderBy('email').execute();
  const ask = (of: string, amount: number) => askFor(one(), { for: of, amount });
  const decide = async (id: string, by: string, decision: Decision = APPROVE, replica = one()): Promise<MoveResult> => {
    const result = await moveRequest(replica.deps, id, policyPerson(by), decision);
    if (result.kind === 'moved')
      await replica.applier.apply({ id: decision.kind === 'undo' ? `${id}-undo` : id, people: 1 });
    return result;
  };
  const approved = async (of: string, amount: number): Promise<string> => {
    const id = await ask(of, amount);
    expect(await decide(id, LEAD)).toMatchObject({ kind: 'moved' });
    return id;
  };
  /** Whether a raise of so many credits still fits. A lead denies it, so that it costs nothing. */
  const fits = async (credits: number, of = KIM): Promise<boolean> => {
    const id = await ask(of, 1_000 + credits);
    const decision = await db
      .selectFrom('limitPolicyDecisions')
      .select(['outcome', 'reason'])
      .where('requestId', '=', id)
      .executeTakeFirstOrThrow();
    await moveRequest(one().deps, id, policyPerson(ADMINS[0]), { kind: 'deny', comment: '' });
    if (decision.outcome !== 'lead') expect(decision.reason).toBe('pool');
    return decision.outcome === 'lead';
  };
  const left = async (credits: number) => expect([await fits(credits), await fits(credits + 1)]).toEqual([true, false]);
  const passTo = async (at: string) => {
    clock.moveTo(new Date(at));
    for (let minute = 0; minute < 3; minute += 1) {
      await runJobs(one());
      clock.moveTo(new Date(clock.now().getTime() + 60_000));
    }
  };

  describe('the pool', () => {
    test('is charged once if two leads approve on two replicas at once', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      const done = await Promise.all(
        [LEAD, OTHER_LEAD].map((by, index) => decide(id, by, APPROVE, replicas[index] ?? one())),
      );
      expect(done.map(({ kind }) => kind).toSorted()).toEqual(['moved', 'refused']);
      expect(await charges()).toMatchObject([{ requestId: id, credits: 300 }]);
      expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_300 }]);
    });

    test('charged by another lead a moment ago is no reason to ask an admin: the second one learns who approved', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      const [, other = one()] = replicas;
      // Its limit is being set, and the outcome isn’t known yet.
      answers = ['lost'];
      atDecision = async () => void (await decide(id, OTHER_LEAD, APPROVE, other));
      expect(await decide(id, LEAD)).toMatchObject({
        kind: 'refused',
        reason: 'not_pending',
        request: { decidedBy: OTHER_LEAD },
      });
      expect(await charges()).toHaveLength(1);
    });

    test('pays for one of two requests that two leads approve at once, if it is enough for one', async () => {
      await activeOf(one().deps, TEAM);
      const ids = [await ask(MIA, 1_300), await ask(MAX, 1_300)];
      const done = await Promise.all(
        ids.map((id, index) => decide(id, index === 0 ? LEAD : OTHER_LEAD, APPROVE, replicas[index] ?? one())),
      );
      expect(done.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
      expect(done.find(({ kind }) => kind === 'refused')).toMatchObject({ reason: 'beyond_team' });
      expect(await charges()).toHaveLength(1);
      expect(puts).toHaveLength(1);
    });

    test('counts a lost answer, and settles it by sending again', async () => {
      await activeOf(one().deps, TEAM);
      answers = ['lost', 'lost'];
      const id = await approved(MIA, 1_300);
      await left(200);
      await passTo('2026-03-10T10:00:00Z');
      await passTo('2026-03-10T11:00:00Z');
      expect(await findRequest(db, id)).toMatchObject({ state: 'applied' });
      expect(await charges()).toHaveLength(1);
      await left(200);
    });

    test.each<Answer>(['refuses', 'refuses_all'])(
      'pays no longer for what the platform did not set (%s), nor for the retry of an admin',
      async (answer) => {
        await activeOf(one().deps, TEAM);
        answers = [answer];
        const id = await approved(MIA, 1_300);
        await left(500);
        expect(await decide(id, ADMINS[1], { kind: 'retry' })).toMatchObject({ kind: 'moved' });
        expect(puts.at(-1)).toEqual({ email: emailOf(MIA), limit: 1_300 });
        expect(await charges()).toEqual([]);
        await left(500);
      },
    );

    test('keeps paying if an admin retries a lost answer', async () => {
      await activeOf(one().deps, TEAM);
      answers = ['lost'];
      const id = await approved(MIA, 1_300);
      expect(await decide(id, ADMINS[1], { kind: 'retry' })).toMatchObject({ kind: 'moved' });
      expect(await charges()).toHaveLength(1);
      await left(200);
    });

    test('pays nothing for a request that is handed back because its team was paused, which goes to the admins', async () => {
      const { id: team, version } = await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      beforePut = () => pausePolicy({ ...one().deps, db }, team, version, ADMINS[0]);
      await decide(id, LEAD);
      expect(puts).toEqual([]);
      expect(await charges()).toEqual([]);
      expect(await findRequest(db, id)).toMatchObject({
        state: 'pending',
        policyId: null,
        until: null,
        decidedBy: null,
      });
      await tryToAskNextApprover(one().deps, id);
      const turns = await db.selectFrom('limitTurns').select('approver').where('requestId', '=', id).execute();
      expect(turns.at(-1)).toEqual({ approver: null });
      expect(await decide(id, OTHER_LEAD)).toMatchObject({ kind: 'forbidden' });
      expect(await decide(id, ADMINS[1])).toMatchObject({ kind: 'moved' });
      expect(puts).toHaveLength(1);
      expect(await charges()).toEqual([]);
    });

    test('has an undone grant in its own month, and is free of it in the next one', async () => {
      await activeOf(one().deps, TEAM);
      const id = await approved(MIA, 1_300);
      clock.moveTo(new Date(START.getTime() + 60_000));
      expect(await decide(id, ADMINS[1], { kind: 'undo' })).toMatchObject({ kind: 'moved' });
      expect(puts.at(-1)).toEqual({ email: emailOf(MIA), limit: 1_000 });
      await left(200);
      await passTo('2026-04-01T00:00:10Z');
      await left(500);
    });

    test('does not pay in the next month for a raise that ended with this one', async () => {
      await activeOf(one().deps, TEAM);
      await approved(MIA, 1_300);
      await passTo('2026-04-01T00:00:10Z');
      expect(puts.at(-1)).toEqual({ email: emailOf(MIA), limit: 1_000 });
      await left(500);
    });

    test('pays in the next month for a raise whose end the platform did not confirm, or a day late', async () => {
      await activeOf(one().deps, TEAM);
      await approved(MIA, 1_300);
      answers = ['lost', 'lost'];
      await passTo('2026-04-01T00:00:10Z');
      await left(200);
      await passTo('2026-04-02T00:00:00Z');
      expect(puts.at(-1)).toEqual({ email: emailOf(MIA), limit: 1_000 });
      await left(200);
      await passTo('2026-05-01T00:00:10Z');
      await left(500);
    });

    test('pays for a first limit in each month, until an admin sets another one without an end', async () => {
      await activeOf(one().deps, TEAM);
      await approved(NEW, 300);
      await left(200);
      await passTo('2026-04-01T00:00:10Z');
      await left(200);
      // A raise of an admin returns to the first limit.
      world.areOn = false;
      const raise = await askFor(one(), { for: NEW, amount: 700, until: new Date('2026-04-10T00:00:00Z') });
      expect(await decide(raise, ADMINS[1])).toMatchObject({ kind: 'moved' });
      world.areOn = true;
      await passTo('2026-05-01T00:00:10Z');
      expect(puts.at(-1)).toEqual({ email: emailOf(NEW), limit: 300 });
      await left(200);
      world.areOn = false;
      const permanent = await ask(NEW, 400);
      expect(await decide(permanent, ADMINS[1])).toMatchObject({ kind: 'moved' });
      world.areOn = true;
      await left(200);
      await passTo('2026-06-01T00:00:10Z');
      await left(500);
    });

    test('pays for a first limit again after the undo of what replaced it', async () => {
      await activeOf(one().deps, TEAM);
      await approved(NEW, 300);
      world.areOn = false;
      const permanent = await ask(NEW, 400);
      expect(await decide(permanent, ADMINS[1])).toMatchObject({ kind: 'moved' });
      expect(await decide(permanent, ADMINS[1], { kind: 'undo' })).toMatchObject({ kind: 'moved' });
      world.areOn = true;
      expect(puts.at(-1)).toEqual({ email: emailOf(NEW), limit: 300 });
      await passTo('2026-04-01T00:00:10Z');
      await left(200);
    });
  });

  describe('a lead', () => {
    const moved = { kind: 'moved' };
    const forbidden = { kind: 'forbidden' };

    test('decides nothing that the team was not asked about', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_600);
      // The pool was too small then.
      const { id: team, version } = await policyOf();
      await changeRules(team, version, { ...TEAM, pool: 2_000 });
      expect(await decide(id, LEAD)).toMatchObject(forbidden);
    });

    test('decides nothing while Slack does not say who is in the team', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      world.isSlackSilent = true;
      expect(await decide(id, LEAD)).toMatchObject(forbidden);
      world.isSlackSilent = false;
      expect(await decide(id, LEAD)).toMatchObject(moved);
    });

    test('decides nothing after they left the group, or the person did', async () => {
      await activeOf(one().deps, TEAM);
      const ids = [await ask(MIA, 1_200), await ask(MAX, 1_200)];
      world.cachedTeams = world.teams;
      showMembers([MAX, OTHER_LEAD]);
      expect(await decide(ids[1] ?? '', LEAD)).toMatchObject(forbidden);
      expect(await decide(ids[0] ?? '', OTHER_LEAD)).toMatchObject(forbidden);
      expect(await decide(ids[1] ?? '', OTHER_LEAD)).toMatchObject(moved);
    });

    test.each(['approve', 'deny'] as const)(
      'does not %s a request if the team was paused while they decided',
      async (kind) => {
        const { id: team, version } = await activeOf(one().deps, TEAM);
        const id = await ask(MIA, 1_300);
        atDecision = () => pausePolicy({ ...one().deps, db }, team, version, ADMINS[0]);
        const decision = kind === 'deny' ? ({ kind, comment: '' } as const) : APPROVE;
        expect(await decide(id, LEAD, decision)).toMatchObject({ kind: 'refused', reason: 'beyond_team' });
        expect(await findRequest(db, id)).toMatchObject({ state: 'pending' });
        expect(await charges()).toEqual([]);
      },
    );

    test('decides within the rules and the pool as they are while they decide', async () => {
      const { id: team, version } = await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      atDecision = () => changeRules(team, version, { ...TEAM, pool: 299 });
      expect(await decide(id, LEAD)).toMatchObject({ kind: 'refused', reason: 'beyond_team' });
      await changeRules(team, version + 1, TEAM);
      expect(await decide(id, LEAD)).toMatchObject(moved);
    });

    test('approves after the team was paused and resumed, and it is sent', async () => {
      const { id: team, version } = await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      await pausePolicy({ ...one().deps, db }, team, version, ADMINS[0]);
      clock.moveTo(new Date(START.getTime() + 60_000));
      await resumePolicy({ ...one().deps, db }, team, version, ADMINS[0]);
      clock.moveTo(new Date(START.getTime() + 120_000));
      expect(await decide(id, LEAD)).toMatchObject(moved);
      expect(puts).toEqual([{ email: emailOf(MIA), limit: 1_300 }]);
    });

    test('approves nothing after a restore until an admin resumed the team', async () => {
      const { id: team, version } = await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      world.gap = { since: START, until: new Date(START.getTime() + 60_000) };
      clock.moveTo(new Date(START.getTime() + 120_000));
      expect(await decide(id, LEAD)).toMatchObject({ kind: 'refused', reason: 'beyond_team' });
      await runJobs(one());
      expect(await decide(id, LEAD)).toMatchObject(forbidden);
      await resumePolicy({ ...one().deps, db }, team, version, ADMINS[0]);
      expect(await decide(id, LEAD)).toMatchObject(moved);
    });

    test('lowers the pool under the agreement of the admins, which stays as it was', async () => {
      const { id, version } = await activeOf(one().deps, TEAM);
      await db.updateTable('limitPolicyVersions').set({ agreedSecondAbove: 1_100 }).execute();
      const agreed = async () => (await listAgreed(db, clock.now())).inForce;
      const [before] = await agreed();
      const bounds = { pool: 400, cap: 2_000 };
      expect(await lowerTeam({ ...one().deps, db }, id, version, LEAD, bounds)).toMatchObject({ kind: 'changed' });
      const lowered = { by: LEAD, at: clock.now().toISOString() };
      expect(await agreed()).toEqual([{ ...before, version: version + 1, rules: { ...TEAM, ...bounds, lowered } }]);
      expect(await decide(await ask(MIA, 1_101), LEAD)).toMatchObject(forbidden);
      expect(await decide(await ask(MAX, 1_100), LEAD)).toMatchObject(moved);
    });

    test('lowers it once if the form is carried out again after a crash', async () => {
      const { id, version } = await activeOf(one().deps, TEAM);
      const bounds = { pool: 400, cap: 2_000 };
      const lower = (by = LEAD, to = bounds) => lowerTeam({ ...one().deps, db }, id, version, by, to);
      expect(await lower()).toMatchObject({ kind: 'changed', policy: { version: version + 1 } });
      expect(await lower()).toMatchObject({ kind: 'changed', policy: { version: version + 1 } });
      expect(await lower(OTHER_LEAD)).toMatchObject({ kind: 'raced' });
      expect(await lower(LEAD, { ...bounds, pool: 399 })).toMatchObject({ kind: 'raced' });
      expect(await policyOf()).toEqual({ id, version: version + 1 });
    });

    test('lowers nothing whom the admins replaced while the members of the group were read', async () => {
      const { id, version } = await activeOf(one().deps, TEAM);
      const { people } = one().deps;
      const teamsNow = async () => {
        await changeRules(id, version, { ...TEAM, leads: [OTHER_LEAD] });
        return people.teamsNow();
      };
      const deps = { ...one().deps, db, people: { ...people, teamsNow } };
      const result = await lowerTeam(deps, id, version + 1, LEAD, { pool: 1, cap: 1 });
      expect(result).toMatchObject({ kind: 'raced' });
      expect(await findPolicy(db, id)).toMatchObject({ rules: { pool: 500 } });
    });

    test('does not set a lower limit for afterwards than the permanent one', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      expect(await decide(id, LEAD, { ...APPROVE, highestReturn: 900 })).toMatchObject({ kind: 'refused' });
      const returns = new Map([[emailOf(MIA), 900]]);
      expect(await decide(id, LEAD, { ...APPROVE, returns })).toMatchObject({ kind: 'refused' });
      expect(await decide(id, LEAD, { ...APPROVE, highestReturn: 1_000 })).toMatchObject(moved);
      await passTo('2026-04-01T00:00:10Z');
      expect(puts.at(-1)).toEqual({ email: emailOf(MIA), limit: 1_000 });
    });

    test('pays for what they give, not for what was requested', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_400);
      const lowered = new Map([[emailOf(MIA), 1_100]]);
      expect(await decide(id, LEAD, { ...APPROVE, lowered })).toMatchObject(moved);
      expect(await charges()).toMatchObject([{ credits: 100, chargedBy: LEAD }]);
      await left(400);
    });

    test('does not decide about themselves by another account, nor what they requested for others', async () => {
      world.aliases.set(LEAD, [emailOf(NEW)]);
      await activeOf(one().deps, TEAM);
      const own = { kind: 'refused', reason: 'own_as_lead' };
      const forAlias = await ask(NEW, 300);
      expect(await decide(forAlias, LEAD)).toMatchObject(own);
      const byLead = await askFor(one(), { by: LEAD, for: MIA, amount: 1_100 });
      const byAlias = await askFor(one(), { by: NEW, for: MAX, amount: 1_100 });
      for (const id of [byLead, byAlias]) {
        expect(await decide(id, LEAD)).toMatchObject(own);
        expect(await decide(id, LEAD, { kind: 'deny', comment: '' })).toMatchObject(own);
        expect(await decide(id, OTHER_LEAD)).toMatchObject(moved);
      }
    });

    test('who may have other e-mails decides nothing', async () => {
      await activeOf(one().deps, TEAM);
      const id = await ask(MIA, 1_300);
      const { deps } = one();
      const unsure = {
        ...deps,
        knownEmails: {
          complete: async <Person extends object>(person: Person) => ({ ...person, areEmailsUnsure: true }),
        },
      };
      const policies = createRequestPolicies(unsure);
      for (const decision of [APPROVE, { kind: 'deny', comment: '' } as const])
        expect(await moveRequest({ ...deps, policies }, id, policyPerson(LEAD), decision)).toMatchObject({
          kind: 'refused',
          reason: 'beyond_team',
        });
    });

    test('is asked, unless the request is theirs or the team can’t approve it now', async () => {
      await activeOf(one().deps, TEAM);
      const asked = async (id: string) => {
        const request = await findRequest(db, id);
        return request && (await one().deps.policies.teamOf(request))?.leads;
      };
      const id = await askFor(one(), { by: LEAD, for: MIA, amount: 1_300 });
      expect(await asked(id)).toEqual([OTHER_LEAD]);
      const forOther = await askFor(one(), { by: MIA, for: OTHER_LEAD, amount: 300 });
      expect(await asked(forOther)).toEqual([LEAD]);
      await approved(MAX, 1_300);
      expect(await asked(id)).toEqual([]);
    });

    test('who is an admin decides as one, and the pool pays nothing', async () => {
      await activeOf(one().deps, { ...TEAM, leads: [ADMINS[1]] });
      showMembers([MIA, ADMINS[1]]);
      const id = await ask(MIA, 1_300);
      expect(await decide(id, ADMINS[1])).toMatchObject(moved);
      expect(await charges()).toEqual([]);
    });
  });
});
