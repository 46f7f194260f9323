import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { messagesIn } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { cardOf, openReview, requestOf, reviewValues, untilQuiet, untilState } from '../../support/limits/limits.ts';
import {
  activate,
  MIA_EMAIL,
  policyIdIn,
  press,
  requestByForm,
  writePolicy,
  type PolicyChoices,
} from '../../support/limits/policies.ts';
import {
  approve as approveRequest,
  createTeam,
  readRawCharges,
  requestOfMia as requestByMia,
  setMembers,
  startTeamApp,
  TEAM,
  TEAM_SETTINGS,
} from '../../support/limits/teams.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { inputLabelsOf, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;

const start = async (settings?: Record<string, string>) => {
  scene = await startTeamApp(settings);
};
const restart = async (settings: Record<string, string>) => {
  await scene.close();
  await start(settings);
};
beforeEach(() => start());
afterEach(() => scene.close());

const team = (choices?: PolicyChoices) => createTeam(scene, choices);
const requestOfMia = (amount: string) => requestByMia(scene, amount);
const members = (ids: string[]) => setMembers(scene, ids);
const charges = () => readRawCharges(scene);
const approve = (id: string, as?: string) => approveRequest(scene, id, as);

/** What somebody sees who presses *Review* on the card in a channel, or on their own copy. */
const reviewOf = async (as: string, id: string, channel?: string) =>
  textOfView(await openReview(scene, as, id, channel));

async function homeOf(as: string): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as });
  const isReady = ({ view }: { view: ViewView }) => !textOfView(view).includes('One moment');
  return textOfView((await scene.slack.next('home_published', isReady, { since })).view);
}

describe('the lead of a team', () => {
  test('gets the request of a member with the pool, and approves it: it is set until the period ends, and charged', async () => {
    await team();
    const id = await requestOfMia('1b');
    const card = await cardOf(scene, id, 'dm', 'nora');
    expect(card.text).toContain(
      'Pool of @web-team until Tue 31 Mar: 0 of 300 M granted. This asks for 100 M more and leaves 200 M.',
    );
    expect(card.text).toContain('Asked now: *the leads of the team*');
    await expect(cardOf(scene, id, 'dm', 'ada')).rejects.toThrow('There is no card');
    expect(await reviewOf('nora', id, 'dm')).toContain('leaves 200 M. If a lead approves it, it ends then.');
    await scene.slack.control.close({ as: 'nora', all: true });
    expect(await approve(id)).toContain('✅');
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(1_000_000_000);
    expect(await requestOf(scene, id)).toMatchObject({ decidedBy: 'U0NORA', until: '2026-04-01T00:00:00.000Z' });
    expect(await charges()).toMatchObject([{ requestId: id, credits: 100_000_000, chargedBy: 'U0NORA', isFirst: 0 }]);
    const metrics = await (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^quartermaster_limit_lead_grants 1$/m);
  });

  test('can give less, but never lower a limit, neither now nor afterwards', async () => {
    await team();
    const id = await requestOfMia('1b');
    await openReview(scene, 'nora', id, 'dm');
    const lower = await submitForm(scene.slack, 'nora', reviewValues({ amounts: { 0: '800m' } }));
    expect(textOfView(lower)).toContain('This goes to an admin: it does not raise the limit');
    expect(await requestOf(scene, id)).toMatchObject({ state: 'pending', decidedBy: null });
  });

  test('is not asked about their own request, which goes to the admins', async () => {
    await restart({ LIMITS_CHANNEL: '#agent-usage' });
    await setLimit(scene, { email: 'nora.member@acme.example', value: 100_000_000, at: '2026-02-20T10:00:00.000Z' });
    await team();
    const shown = await requestByForm(scene, 'nora', { amount: '150m' });
    const id = /Your request is `(\w+)`/.exec(shown)?.[1] ?? '';
    expect((await cardOf(scene, id)).text).toContain('👉 Asked now: all admins');
    await expect(cardOf(scene, id, 'dm', 'nora')).rejects.toThrow('There is no card');
    expect(await reviewOf('nora', id)).toContain('Leads can’t decide their own request or limit');
    expect(await charges()).toEqual([]);
  });

  test('who left the team after they opened the review decides nothing, nor denies', async () => {
    await team();
    const id = await requestOfMia('1b');
    await openReview(scene, 'nora', id, 'dm');
    members(['U0MIA']);
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain('is for admins');
    expect(await charges()).toEqual([]);
    expect(scene.platform.limits.get(MIA_EMAIL)).not.toBe(1_000_000_000);
  });

  test('sees nothing of the request of a person who is in another team now', async () => {
    await team();
    const id = await requestOfMia('1b');
    members(['U0NORA']);
    expect(await reviewOf('nora', id, 'dm')).toContain('is for admins');
  });

  test('decides nothing while an admin edits the rules', async () => {
    const policy = await team();
    const id = await requestOfMia('1b');
    const opened = await typeCommand(scene.slack, 'ada', '/limits', `policies ${policy}`);
    await press(scene, 'ada', opened, 'Pause');
    expect(await reviewOf('nora', id, 'dm')).toContain('is for admins');
    expect(await charges()).toEqual([]);
  });
});

describe('a lead who requests for others', () => {
  const proposal = async () => {
    await openByCommand(scene.slack, 'nora', '/limits', 'request @mia 1b');
    const view = await submitForm(scene.slack, 'nora', { reason: { reason: 'A migration' } });
    const sent = textOfView(view).includes('Check before you send') ? await submitForm(scene.slack, 'nora') : view;
    await untilQuiet(scene);
    return /Your request is `(\w+)`/.exec(textOfView(sent))?.[1] ?? '';
  };

  test('may request for a member of the team, and another lead decides it', async () => {
    members(['U0MIA', 'U0NORA', 'U0MAX']);
    await team({ leads: ['U0NORA', 'U0MAX'] });
    const id = await proposal();
    await expect(cardOf(scene, id, 'dm', 'nora')).rejects.toThrow('There is no card');
    expect(await approve(id, 'max')).toContain('✅');
    expect(await charges()).toMatchObject([{ requestId: id, chargedBy: 'U0MAX' }]);
  });

  test('may not request for others', async () => {
    await team();
    const view = await openByCommand(scene.slack, 'nora', '/limits', 'request @max 1b');
    expect(textOfView(view)).toContain('managers');
    members(['U0NORA']);
    const left = await openByCommand(scene.slack, 'nora', '/limits', 'request @mia 1b');
    expect(textOfView(left)).toContain('managers');
  });
});

describe('the pool', () => {
  test('that is too small sends the request to the admins at once, with its state', async () => {
    await restart({ LIMITS_CHANNEL: '#agent-usage' });
    await team({ pool: '50m' });
    const id = await requestOfMia('1b');
    const card = await cardOf(scene, id);
    expect(card.text).toContain(
      'Pool of @web-team until Tue 31 Mar: 0 of 50 M granted. This asks for 100 M more, *50 M too much*.',
    );
    expect(card.text).toContain('leaves this to a person: the pool of the team has too little left');
    expect(await reviewOf('nora', id)).toContain('is for admins');
  });

  test('lets one of two leads approve who press at once, and charges it once', async () => {
    members(['U0MIA', 'U0NORA', 'U0MAX']);
    await team({ leads: ['U0NORA', 'U0MAX'] });
    const id = await requestOfMia('1b');
    await openReview(scene, 'nora', id, 'dm');
    await openReview(scene, 'max', id, 'dm');
    const [one, other] = await Promise.all([
      submitForm(scene.slack, 'nora', reviewValues()).then(textOfView),
      submitForm(scene.slack, 'max', reviewValues()).then(textOfView),
    ]);
    expect([one, other].filter((text) => text.includes('already approved'))).toHaveLength(1);
    await untilState(scene, id, 'applied');
    expect(await charges()).toHaveLength(1);
  });

  test('counts a grant whose answer was lost until the platform shows otherwise', async () => {
    await team();
    const id = await requestOfMia('1b');
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'drop_after' });
    await whileTimePasses(scene, approve(id));
    const next = await requestOfMia('1.1b');
    expect((await cardOf(scene, next, 'dm', 'ada')).text).toContain('100 M of 300 M granted');
  });

  test('asks all admins after the hours of the leads, and they see what it would cost', async () => {
    await team();
    const id = await requestOfMia('1b');
    await moveClock(scene, new Date('2026-03-03T15:00:00Z'));
    await untilQuiet(scene);
    const card = await cardOf(scene, id, 'dm', 'ada');
    expect(card.text).toContain('Asked now: all admins');
    expect(card.text).toContain('Pool of @web-team');
    await untilQuiet(scene);
  });

  test('of which most is granted is told to leads and admins once a period', async () => {
    await team({ pool: '120m' });
    await approve(await requestOfMia('1b'));
    await untilQuiet(scene);
    const told = async (as: string) =>
      (await messagesIn(scene, 'dm', as)).posts.filter(({ text }) =>
        text.includes('of the pool of @web-team is granted'),
      );
    expect((await told('nora')).map(({ text }) => text)).toEqual([
      expect.stringContaining('⚠️ *83% of the pool of @web-team is granted*: 100 M of 120 M until Tue 31 Mar.'),
    ]);
    expect(await told('ada')).toHaveLength(1);
    await approve(await requestOfMia('1.01b'));
    await untilQuiet(scene);
    expect(await told('nora')).toHaveLength(1);
  });

  test('is decided by leads alone for their hours: no admin gets a card meanwhile', async () => {
    await team();
    const id = await requestOfMia('1b');
    for (const minutes of [10, 40]) {
      await moveClock(scene, new Date(scene.clock.now().getTime() + minutes * MINUTE_MS));
      await untilQuiet(scene);
    }
    await cardOf(scene, id, 'dm', 'nora');
    await expect(cardOf(scene, id, 'dm', 'ada')).rejects.toThrow('There is no card');
  });

  test('pays for nothing that an admin approves', async () => {
    await team({ pool: '50m' });
    const id = await requestOfMia('1b');
    await approve(id, 'ada');
    await untilState(scene, id, 'applied');
    expect(await charges()).toEqual([]);
  });
});

test('leads of a team without a pool are the first approvers, up to the highest limit', async () => {
  await team({ pool: '', cap: '1b' });
  const id = await requestOfMia('1b');
  const card = await cardOf(scene, id, 'dm', 'nora');
  expect(card.text).toContain(
    '@web-team until Tue 31 Mar: 0 granted by its leads, without a pool. This asks for 100 M more.',
  );
  expect(card.text).toContain('Asked now: *the leads of the team*');
  expect(await approve(id)).toContain('✅');
  await untilState(scene, id, 'applied');
  expect((await typeCommand(scene.slack, 'ada', '/limits', 'teams')).text).toContain('No pool: *100 M granted*');
  const above = await requestOfMia('1.1b');
  await expect(cardOf(scene, above, 'dm', 'nora')).rejects.toThrow('There is no card');
  expect((await cardOf(scene, above, 'dm', 'ada')).text).toContain('it exceeds the highest limit of the policy');
});

test('a person in two teams counts in the one with the lowest number', async () => {
  await restart({ LIMITS_CHANNEL: '#agent-usage' });
  scene.slack.workspace.userGroups.set('S0API', {
    id: 'S0API',
    handle: 'api-team',
    name: 'API',
    members: ['U0MIA', 'U0MAX'],
  });
  await team({ order: '2' });
  const id = policyIdIn(
    await writePolicy(scene, { ...TEAM, name: 'API', subject: 'S0API', leads: ['U0MAX'], order: '1' }),
  );
  await activate(scene, id, 'morgan');
  const request = await requestOfMia('1b');
  expect((await cardOf(scene, request, 'dm', 'max')).text).toContain('Pool of @api-team');
  expect(await reviewOf('nora', request)).toContain('is for admins');
});

describe('/limits teams and /limits team', () => {
  const approved = async () => {
    const id = await requestOfMia('1b');
    await approve(id);
    await untilState(scene, id, 'applied');
  };

  test('show an admin each team with what is granted, used and left', async () => {
    await team();
    await approved();
    const answer = await typeCommand(scene.slack, 'ada', '/limits', 'teams');
    expect(answer.text).toContain('*@web-team*: active, order 1');
    expect(answer.text).toContain('Pool until Tue 31 Mar: *100 M of 300 M granted*, 200 M left');
    expect(answer.text).toContain('Used by its members: 0 as of Sun 1 Mar, 8.05 M expected at the end');
    expect(answer.text).toContain('Leads: <@U0NORA>');
    expect((await typeCommand(scene.slack, 'nora', '/limits', 'teams')).text).toContain('is for admins');
  });

  test('show a lead the limits and open requests of the team, and a member who decides', async () => {
    await team();
    await approved();
    const id = await requestOfMia('1.1b');
    const lead = await typeCommand(scene.slack, 'nora', '/limits', 'team');
    expect(lead.text).toContain('You lead this team: you decide its requests up to 2 B a person');
    expect(lead.text).toContain(`⏳ \`${id}\` by <@U0MIA>`);
    expect(lead.text).toMatch(/<@U0MIA>: 1 B until .*, then 900 M/);
    expect(lead.text).not.toContain('Used by its members');
    const member = await typeCommand(scene.slack, 'mia', '/limits', 'team');
    expect(member.text).toContain(
      '<@U0NORA> decides about your limit up to 2 B, while the pool lasts. Above it, admins do.',
    );
    expect(member.text).toMatch(/Your limit: 1 B until .*, then 900 M/);
    expect(member.text).not.toMatch(/waits|Limits|Used by/);
    const other = await typeCommand(scene.slack, 'max', '/limits', 'team');
    expect(other.text).toContain('You are in no team with leads: admins decide about your limits.');
  });

  test('and App Home tell a lead what waits, and the requester who got it', async () => {
    await team();
    const shown = await requestByForm(scene, 'mia', { amount: '1b' });
    expect(shown).toContain('The leads of your team got it first.');
    expect(shown).toContain('Nothing changes until a lead or an admin approves it.');
    expect(await homeOf('nora')).toContain('1 request of @web-team waits for its leads.');
    expect(await homeOf('mia')).not.toContain('waits for its leads');
  });

  test('say so while no day of the period is published, instead of showing a use of 0', async () => {
    await team();
    scene.clock.moveTo(new Date('2026-04-01T08:00:00Z'));
    await untilQuiet(scene);
    const admin = await typeCommand(scene.slack, 'ada', '/limits', 'teams');
    expect(admin.text).toContain('Used by its members: no day of this period is published yet.');
  });

  test('say who of the leads left the group, and that nobody leads it then', async () => {
    await team();
    members(['U0MIA']);
    const admin = await typeCommand(scene.slack, 'ada', '/limits', 'teams');
    expect(admin.text).toContain('⚠️ Not in the group now, so they decide nothing: <@U0NORA>');
    const member = await typeCommand(scene.slack, 'mia', '/limits', 'team');
    expect(member.text).toContain('Nobody leads this team now: admins decide about your limit.');
    expect(member.text).not.toContain('U0NORA');
  });

  test('warn admins of a lead who is in no such group, before they activate the rules', async () => {
    const draft = await writePolicy(scene, { ...TEAM, leads: ['U0NORA', 'U0MAX'] });
    expect(draft).toContain('⚠️ Not in the group now, so they decide nothing: <@U0MAX>');
    const opened = await typeCommand(scene.slack, 'morgan', '/limits', `teams ${policyIdIn(draft)}`);
    expect(opened.text).toContain('⚠️ Not in the group now, so they decide nothing: <@U0MAX>');
  });

  test('say that the group was deleted in Slack, and its requests go to the admins', async () => {
    const policy = await team();
    const id = await requestOfMia('1b');
    await openReview(scene, 'nora', id, 'dm');
    scene.slack.workspace.userGroups.delete('S0WEB');
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain('is for admins');
    expect(await charges()).toEqual([]);
    for (const words of ['teams', `teams ${policy}`])
      expect((await typeCommand(scene.slack, 'ada', '/limits', words)).text).toContain(
        '⚠️ Slack shows no such group now, so admins decide about the limits of its people.',
      );
  });

  test('show one team that is named, to those who may see it', async () => {
    await team();
    const shown = async (as: string, group = '@web-team') =>
      (await typeCommand(scene.slack, as, '/limits', `team ${group}`)).text;
    expect(await shown('ada')).toContain('*@web-team*: active, order 1');
    expect(await shown('nora')).toContain('You lead this team');
    expect(await shown('mia')).toContain('decides about your limit');
    expect(await shown('max')).toContain('You neither lead this team nor count in it');
    expect(await shown('ada', '@platform-leads')).toContain('This user group has no leads');
    expect(await shown('ada', '@mia')).toContain('Type a @team, or nothing for your own.');
  });

  test('are on the page of a lead who left', async () => {
    await team();
    const page = await typeCommand(scene.slack, 'ada', '/quartermaster', 'left @nora');
    expect(page.text).toContain('Leads @web-team in its pool of credits');
  });

  test('open a form for a new team, which no member may open', async () => {
    const view = await openByCommand(scene.slack, 'ada', '/limits', 'teams new');
    expect(inputLabelsOf(view)).toEqual([
      'Name',
      'What does it do?',
      'For which people?',
      'Leads',
      'Pool: credits a period',
      'Channel of the team',
      'Order',
      'Highest limit',
    ]);
    const refused = await openByCommand(scene.slack, 'mia', '/limits', 'teams new');
    expect(textOfView(refused)).toContain('is for admins');
  });
});

describe('on a platform that shows limits', () => {
  const LIMITS = { path: '/api/v0/organization/usage/limits/users', method: 'GET' };
  const setElsewhere = (limit: number | null) => scene.platform.changeLimitsElsewhere({ own: { [MIA_EMAIL]: limit } });

  async function teamToday(): Promise<void> {
    await scene.close();
    scene = await startTestApp({ platform: { edition: 'today' }, settings: TEAM_SETTINGS });
    setElsewhere(20_000_000);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    const id = policyIdIn(await writePolicy(scene, { ...TEAM, pool: '30m', cap: '60m' }));
    await activate(scene, id, 'morgan');
    await untilQuiet(scene);
  }

  test('a lead raises the limit in force, which returns to it when the period ends', async () => {
    await teamToday();
    const id = await requestOfMia('25m');
    expect((await cardOf(scene, id, 'dm', 'nora')).text).toContain('This asks for 5 M more and leaves 25 M.');
    await approve(id);
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(25_000_000);
    await moveClock(scene, new Date('2026-04-01T00:05:00Z'));
    await untilQuiet(scene);
    await untilState(scene, `${id}-back`, 'applied');
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(20_000_000);
  });

  test('a limit that cannot be read now is not known to be enough, so an admin decides', async () => {
    await teamToday();
    const id = await requestOfMia('25m');
    await openReview(scene, 'nora', id, 'dm');
    scene.platform.faults.add({ match: LIMITS, kind: 'status', status: 503 });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    const refused = textOfView(await whileTimePasses(scene, submitForm(scene.slack, 'nora', reviewValues())));
    expect(refused).toContain('This goes to an admin: limits may also be set elsewhere');
    expect(await charges()).toEqual([]);
    expect(scene.platform.limits.get(MIA_EMAIL)).toBe(20_000_000);
  });

  test('a limit that was raised elsewhere since the review was opened is not lowered', async () => {
    await teamToday();
    const id = await requestOfMia('25m');
    await openReview(scene, 'nora', id, 'dm');
    setElsewhere(40_000_000);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain('have changed since');
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toContain('it does not raise the limit');
    expect(await charges()).toEqual([]);
  });
});
