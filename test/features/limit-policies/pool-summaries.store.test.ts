import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { pausePolicy, removePolicy } from '../../../src/features/limit-policies/manage/change-policy.ts';
import { sumUpPools, summaryLines } from '../../../src/features/limit-policies/messages/pool-summaries.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import type { PolicyDeps } from '../../../src/features/limit-policies/policy-deps.ts';
import { listTeams, readTeamStates } from '../../../src/features/limit-policies/screens/read-teams.ts';
import type { TeamRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  activeOf,
  ADMINS,
  emailOf,
  giveLimit,
  memberId,
  policyPerson,
  policyReplica,
  worldOf,
  type PolicyWorld,
} from '../../support/limits/policy-scene.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const [MIA, LEAD] = [memberId(1), memberId(2)] as const;
const MEMBERS = [MIA, LEAD];
const TEAM: TeamRules = {
  kind: 'team',
  subject: { kind: 'group', id: 'S1', handle: 'web-team' },
  pool: 500,
  cap: 2_000,
  leads: [LEAD],
  channel: null,
  order: 1,
};
/** March is settled then. */
const SUMMED_UP = new Date('2026-04-03T12:20:00Z');

let database: TestDatabase;
let store: Store;
let clock: MovableClock;
let world: PolicyWorld;
let deps: PolicyDeps & LimitDeps;

beforeEach(async () => {
  database = await createDatabase('sqlite');
  clock = createMovableClock(new Date('2026-03-10T09:00:00Z'), { frozen: true });
  store = await openStore(database.url, undefined, () => clock.now());
  overrideStoreTime(store.db, () => clock.now());
  const emails = MEMBERS.map((one) => emailOf(one));
  world = worldOf({
    seen: new Map(MEMBERS.map((one) => [one, '2026-01-20'])),
    teams: [{ id: 'S1', handle: 'web-team', members: MEMBERS, emails }],
  });
  const db = withPolicies(store.db);
  deps = { ...policyReplica(db, clock, world, () => Promise.resolve({ updated: [], errors: [] })).deps, db };
});
afterEach(async () => {
  clock.dispose();
  await store.close();
  await database.drop();
});

/** The keys of the summaries that are to be sent. */
async function summaries(at = SUMMED_UP): Promise<string[]> {
  clock.moveTo(at);
  await sumUpPools(deps);
  const rows = await deps.db
    .selectFrom('deliveries')
    .select('key')
    .where('key', 'like', '%limit-pool-summary:%')
    .execute();
  return rows.map(({ key }) => key);
}

describe('the summary of a pool', () => {
  test('is sent to the admins and each lead once the figures of the period are settled', async () => {
    await activeOf(deps, TEAM);
    expect(await summaries(new Date('2026-04-02T23:59:00Z'))).toEqual([]);
    const sent = await summaries();
    expect(sent.filter((key) => key.includes(`:2026-03-01:${LEAD}`))).toHaveLength(1);
    expect(sent.length).toBeGreaterThan(1);
    expect(await summaries(new Date('2026-04-20T09:00:00Z'))).toEqual(sent);
  });

  test('is sent also while an admin pauses the team', async () => {
    const { id, version } = await activeOf(deps, TEAM);
    await pausePolicy(deps, id, version, ADMINS[0]);
    expect(await summaries()).not.toEqual([]);
  });

  test('is not sent for a team that was deleted, or that began after the period', async () => {
    const { id, version } = await activeOf(deps, TEAM);
    await removePolicy(deps, id, version, ADMINS[0]);
    clock.moveTo(new Date('2026-04-01T00:00:00Z'));
    await activeOf(deps, { ...TEAM, order: 2 });
    expect(await summaries()).toEqual([]);
  });

  test('is not sent for a team whose admins agreed on another period of limits', async () => {
    await activeOf(deps, TEAM);
    world.period = 'week';
    expect(await summaries()).toEqual([]);
  });
});

describe('what the members of a team used', () => {
  const MANAGER = { role: 'manager' as const, seesPeople: false };

  test('is a sum that readers who may not see single people get only of enough people', async () => {
    await activeOf(deps, TEAM);
    // Otherwise the sum is that of the organization, which everybody may see.
    for (let index = 3; index <= 9; index += 1) world.seen.set(memberId(index), '2026-01-20');
    const [few] = await readTeamStates(deps, await listTeams(deps.db), MANAGER);
    expect(few?.use).toEqual({ kind: 'private' });
    const [all] = await readTeamStates(deps, await listTeams(deps.db), { ...MANAGER, seesPeople: true });
    expect(all?.use).toMatchObject({ kind: 'known', spent: 18, through: '2026-03-09' });
  });

  test('is unknown, beside the pool, if the platform fails while it is decided who may see it', async () => {
    await activeOf(deps, TEAM);
    const fault = new PlatformError({ code: 'timeout', outcomeUnknown: false, method: 'GET', path: '/', detail: '' });
    let reads = 0;
    const peopleCredits: PolicyDeps['days']['peopleCredits'] = (period, take, options) => {
      reads += 1;
      if (reads > 1) return Promise.resolve({ kind: 'unreadable', fault });
      return deps.days.peopleCredits(period, take, options);
    };
    const failing = { ...deps, days: { ...deps.days, peopleCredits } };
    const [state] = await readTeamStates(failing, await listTeams(deps.db), MANAGER);
    expect(state).toMatchObject({ use: { kind: 'unknown' }, pool: { credits: 500, charged: 0 } });
  });
});

describe('who was near their limit', () => {
  /** Each member used one credit on each of the 31 days. */
  async function lines(pool: number | null = 500): Promise<string> {
    clock.moveTo(SUMMED_UP);
    const notice = { event: 'summary' as const, id: 'x', first: '2026-03-01', last: '2026-03-31', pool };
    const reader = { kind: 'person' as const, ...policyPerson(ADMINS[0]), isRoleUnsure: false };
    const { lines: written } = await summaryLines(deps, TEAM, notice, reader);
    return written.map((line) => mrkdwnOf(line)).join('\n');
  }
  const limit = (value: number, at: string) => giveLimit(deps.db, MIA, value, new Date(at));

  test('stands below what was granted, of the pool if there is one', async () => {
    expect(await lines()).toContain('*The pool of @web-team, 1–31 Mar 2026*: 0 of 500 granted.');
    expect(await lines(null)).toContain('*The pool of @web-team, 1–31 Mar 2026*: 0 granted.');
  });

  test('is told by the limit at the end of the period, whatever was set afterwards', async () => {
    await limit(1_000, '2026-02-01T00:00:00Z');
    await limit(38, '2026-03-31T23:59:00Z');
    await limit(2_000, '2026-04-02T00:00:00Z');
    expect(await lines()).toMatch(/1 person used at least 80% of their limit:\n.*31 of 38/);
  });

  test('is nobody with less than 80 %', async () => {
    await limit(39, '2026-03-01T00:00:00Z');
    expect(await lines()).toContain('Nobody used 80% of their limit.');
  });

  test('is nobody whose first limit came after the period', async () => {
    await limit(10, '2026-04-02T00:00:00Z');
    expect(await lines()).toContain('Nobody used 80% of their limit.');
  });

  test('is nobody whose limit had been removed', async () => {
    await limit(10, '2026-02-01T00:00:00Z');
    await limit(11, '2026-03-02T00:00:00Z');
    await deps.db.updateTable('limitLedger').set({ removed: 1 }).where('value', '=', 11).execute();
    expect(await lines()).toContain('Nobody used 80% of their limit.');
  });
});
