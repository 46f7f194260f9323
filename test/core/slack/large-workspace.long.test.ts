import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { makePerson, seedWorkspace } from '../../../src/sandbox/slack/model/seed.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { createPeople, type People } from '../../../src/core/slack/people/people.ts';
import { ask, cardOf, untilQuiet } from '../../support/limits/limits.ts';
import { startTestApp } from '../../support/test-app.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const PEOPLE = 50_000;
const CALLS_A_MINUTE = 20;
const log = createLogger('fatal', [], () => {});

let slack: SandboxSlack;
let clock: MovableClock;
beforeEach(async () => {
  clock = createMovableClock(NOW, { frozen: true });
  slack = await startSlack({
    clock,
    workspace: (workspace) => {
      seedWorkspace(workspace);
      for (let index = 0; index < PEOPLE; index += 1) {
        const id = `U${index}`;
        const email = `person${index}@acme.example`;
        workspace.people.set(id, makePerson({ id, handle: id, name: id, email, isAdmin: index === PEOPLE - 1 }));
      }
    },
  });
  await slack.control.configure({ callsAMinute: { 'users.list': CALLS_A_MINUTE } });
});
afterEach(() => slack.close());

/** @param isPatient its clock advances during each wait, and never reports that a wait was too long */
const makePeople = (admins?: Parameters<typeof createPeople>[0]['admins'], isPatient = true): People => {
  const sleeping = (delayMs: number, signal?: AbortSignal) => {
    if (signal) return isPatient ? new Promise<void>(() => {}) : Promise.resolve();
    clock.moveTo(new Date(clock.now().getTime() + delayMs));
    return Promise.resolve();
  };
  const { lookups } = createSlackClients(slack.botToken, slack.apiUrl, log);
  return createPeople({
    lookups,
    clock: { ...clock, sleep: sleeping },
    log,
    teamId: 'T0ACME',
    admins,
    managers: [],
    peopleRole: 'manager',
  });
};
const callsTo = (method: string) => slack.traffic.latest(2_000).filter((call) => call.method === method);

describe(`a workspace of ${PEOPLE} people that allows ${CALLS_A_MINUTE} pages a minute`, { timeout: 60_000 }, () => {
  test('is read completely, page by page, each once, in the minutes that this takes', async () => {
    expect(await makePeople().admins()).toEqual(['U0ADA', `U${PEOPLE - 1}`]);
    const statuses = callsTo('users.list').map(({ status }) => status);
    expect(statuses.filter((status) => status === '200')).toHaveLength(Math.ceil((PEOPLE + 10) / 999));
    expect(statuses.filter((status) => status.includes('ratelimited'))).toHaveLength(2);
    expect(clock.now().getTime() - NOW.getTime()).toBeLessThan(3 * 60_000);
  });

  test('is known from then on, even while it is read again after an hour', async () => {
    const people = makePeople();
    await people.admins();
    const once = callsTo('users.list').length;
    await people.admins();
    expect(callsTo('users.list')).toHaveLength(once);
    clock.moveTo(new Date(clock.now().getTime() + 61 * 60_000));
    await slack.control.addFault({ method: 'users.list', kind: 'error', error: 'internal_error' });
    expect(await people.admins()).toEqual(['U0ADA', `U${PEOPLE - 1}`]);
  });

  test('is not read for named admins, nor for a few e-mails', async () => {
    const people = makePeople([
      { kind: 'user', id: 'U0ADA' },
      { kind: 'email', email: 'person7@acme.example' },
      { kind: 'group', id: 'S0LEADS' },
      { kind: 'user', id: 'U0DAN' },
      { kind: 'email', email: 'nobody@acme.example' },
    ]);
    expect(await people.admins()).toEqual(['U0ADA', 'U7', 'U0MORGAN']);
    expect(await people.findByEmails(['person9@acme.example', 'nobody@acme.example'])).toEqual(
      new Map([['person9@acme.example', 'U9']]),
    );
    expect(await people.findByEmails([])).toEqual(new Map());
    expect(callsTo('users.list')).toEqual([]);
  });

  test('delays no request that can do without it', async () => {
    const people = makePeople(undefined, false);
    expect(await people.teams()).toEqual([]);
    expect(
      await people.findByEmails(Array.from({ length: 100 }, (_, index) => `p${index}@acme.example`)),
    ).toBeUndefined();
  });
});

test('the card of a request reaches the admins of the settings while no list of people is available', async () => {
  const scene = await startTestApp({ settings: { ADMINS: 'U0ADA,nora.member@acme.example' } });
  await scene.slack.control.addFault({ method: 'users.list', kind: 'rate_limited', retryAfter: 60 });
  const id = await ask(scene, 'mia', { amount: '700' });
  await untilQuiet(scene);
  for (const admin of ['ada', 'nora']) expect((await cardOf(scene, id, 'dm', admin)).text).toContain('700');
  await scene.close();
});
