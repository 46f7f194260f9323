import { afterEach, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
afterEach(() => scene.close());

const ask = async (as: string, text = '') => (await typeCommand(scene.slack, as, '/quartermaster', text)).text;

describe('/quartermaster', () => {
  test('shows a member the version, their role and their commands', async () => {
    scene = await startTestApp();
    const text = await ask('mia');
    expect(text).toContain(`Quartermaster ${packageJson.version}`);
    expect(text).toContain('Your role: *member*. You see your own figures');
    expect(text).toContain('`/usage`');
    expect(text).not.toContain('`/digest`');
    expect(text).not.toContain('Health');
    expect(text).not.toContain('Ada');
  });

  test('shows every user the admins and managers, and no settings', async () => {
    scene = await startTestApp({ settings: { MANAGERS: 'morgan.manager@acme.example,nobody@acme.example,U0ADA' } });
    for (const person of ['mia', 'morgan']) {
      const text = await ask(person);
      expect(text).toContain('*Who can help*\nAdmins: <@U0ADA>\nManagers: <@U0MORGAN>\n');
      expect(text).not.toMatch(/ADMINS|MANAGERS|acme\.example/);
    }
  });

  test('leaves out the admins while Slack does not list them', async () => {
    scene = await startTestApp();
    await scene.slack.control.addFault({ method: 'users.list', kind: 'error', error: 'internal_error' });
    expect(await ask('mia')).toContain('*Who can help*\nManagers: <@U0MORGAN>\n');
  });

  test('shows an admin the state of each part, and which setting names the admins and managers', async () => {
    scene = await startTestApp({ settings: { MANAGERS: 'morgan.manager@acme.example' } });
    await expect.poll(() => ask('ada')).toMatch(/✅ \d+ scheduled jobs, last run/);
    const text = await ask('ada');
    expect(text).toMatch(/✅ Slack · Platform · Store/);
    expect(text).toContain('Admins: <@U0ADA> (`ADMINS` isn’t set: the workspace’s owners and admins)');
    expect(text).toContain('With one admin, that admin’s own requests can’t be decided.');
    expect(text).toContain('Managers: morgan.manager@acme.example (`MANAGERS`)');
    const kept =
      'personal usage 375 days · who saw it 90 days · agent sessions 30 days · messages 90 days · audit log 730 days';
    expect(await ask('ada', 'details')).toContain(`*Data is deleted after:* ${kept} (\`RETENTION_DAYS\`)`);
  });

  test('shows an admin whether the platform shows limits, and says once when it stops', async () => {
    scene = await startTestApp({ platform: { edition: 'today' } });
    await expect.poll(() => ask('ada', 'details')).toContain('*Limits in force:* the platform shows them, last read');
    expect(await ask('ada')).not.toContain('Limits in force');
    const match = { path: '/api/v0/organization/usage/limits/users', method: 'GET' };
    const restore = scene.platform.faults.add({ match, kind: 'status', status: 404 });
    const passHours = (hours: number) => moveClock(scene, new Date(scene.clock.now().getTime() + hours * 3_600_000));
    // A run that begins while the clock moves asks nothing again within the hour.
    const askLater = async (text = '') => {
      await passHours(1);
      return ask('ada', text);
    };
    await expect.poll(() => askLater()).toContain('⚠️ *Limits in force:* the platform no longer shows them since');
    const notices = async () => {
      const { channels } = await scene.slack.control.state({ as: 'ada' });
      const direct = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
      return direct.map(({ text }) => text).filter((text) => text.includes('limits in force'));
    };
    const waitFor = async (count: number) => {
      for (let minute = 0; minute < 60 && (await notices()).length < count; minute += 1) {
        await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
        await scene.app.isIdle();
      }
      await expect.poll(notices).toHaveLength(count);
    };
    await waitFor(1);
    restore();
    await expect.poll(() => askLater('details')).toContain('*Limits in force:* the platform shows them, last read');
    await waitFor(2);
    expect(await notices()).toEqual([
      expect.stringContaining('The platform no longer shows the limits in force'),
      expect.stringContaining('The platform shows the limits in force again'),
    ]);
  });

  test('shows an admin that a platform of the contract shows no limits', async () => {
    scene = await startTestApp();
    await expect
      .poll(() => ask('ada', 'details'))
      .toContain('*Limits in force:* this platform doesn’t show them (No such operation)');
  });

  test('shows its details to admins alone', async () => {
    scene = await startTestApp();
    expect(await ask('morgan', 'details')).toMatch(/admin/);
    expect(await ask('morgan', 'details')).not.toContain('deleted');
  });

  test('shows an admin when each scheduled job starts and how its last run ended', async () => {
    scene = await startTestApp({ settings: { TIMEZONE: 'Europe/Berlin' } });
    await expect.poll(() => ask('ada')).toMatch(/✅ \d+ scheduled jobs, last run/);
    const jobs = async () => textOfView(await openByCommand(scene.slack, 'ada', '/quartermaster', 'jobs'));
    // Each job ends its first run at another time.
    await expect
      .poll(jobs)
      .toMatch(/✅ `\*\/4 \* \* \* \*` {2}\*watch-published-days\*: evaluates budgets and alerts after a publication/);
    await expect.poll(jobs).toMatch(/✅ `\* \* \* \* \*` {2}\*plan-due-subscriptions\*/);
    expect(await jobs()).toContain('Cron expressions in Europe/Berlin. A job never runs beside itself');
    // Slack shows backticks of escaped text as they are; those of the documents would stand in the middle of a sentence.
    expect(await jobs()).toContain('sets up the channel of CONTROLS_CHANNEL,');
    const refused = textOfView(await openByCommand(scene.slack, 'morgan', '/quartermaster', 'jobs'));
    expect(refused).not.toContain('plan-due-subscriptions');
  });

  test('asks admins over which period limits count, until one of them chooses', async () => {
    scene = await startTestApp();
    const question = 'Over which period does a credit limit count?';
    expect(await ask('morgan')).not.toContain(question);
    const status = await typeCommand(scene.slack, 'ada', '/quartermaster');
    expect(status.text).toContain(question);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', status, 'A month');
    expect((await nextAnswer(scene.slack, since)).text).toContain(
      'For everybody, a credit limit counts over a month from now on',
    );
    expect(await ask('ada')).not.toContain(question);
    expect(await ask('ada')).toContain('<@U0ADA> chose that a credit limit counts over a month.');
  });

  test.each([
    ['today', true],
    ['contract', false],
  ] as const)('on a platform of %s, the month is offered first: %s', async (edition, isFirst) => {
    scene = await startTestApp({ platform: { edition } });
    await expect.poll(() => ask('ada', 'details')).toContain('Limits in force');
    const { blocks, text } = await typeCommand(scene.slack, 'ada', '/quartermaster');
    const buttons = (blocks ?? []).flatMap((block) => ('elements' in block ? block.elements : []));
    const [month = '', ...others] = buttons
      .map((one) => JSON.stringify(one))
      .filter((one) => one.includes('"A month"'));
    expect(others).toEqual([]);
    expect(month.includes('"style":"primary"')).toBe(isFirst);
    expect(text.includes('If it begins on another day, choose that day.')).toBe(isFirst);
  });

  test('offers to change a known period only on request, marks it, and asks for a confirmation', async () => {
    scene = await startTestApp({ settings: { LIMIT_PERIOD: 'month' } });
    const status = await typeCommand(scene.slack, 'ada', '/quartermaster');
    expect(JSON.stringify(status.blocks)).not.toContain('A week');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', status, 'Change …');
    const offered = await nextAnswer(scene.slack, since);
    const blocks = JSON.stringify(offered.blocks);
    expect(blocks).toContain('✓ A month (now)');
    expect(blocks).toContain('A week, for everybody?');
    expect(blocks).toContain('Every credit limit then counts over a week instead of a month');
    const later = scene.slack.mark();
    await clickButton(scene.slack, 'ada', offered, '✓ A month (now)');
    expect((await nextAnswer(scene.slack, later)).text).toContain('already counts over a month. Nothing changed.');
    const chosen = scene.slack.mark();
    await clickButton(scene.slack, 'ada', offered, 'A week');
    expect((await nextAnswer(scene.slack, chosen)).text).toContain('counts over a week from now on');
  });

  test('shows admins a choice that differs from the setting, and who chose', async () => {
    scene = await startTestApp({ settings: { LIMIT_PERIOD: 'month' } });
    const { ts } = await typeCommand(scene.slack, 'ada', '/quartermaster');
    const since = scene.slack.mark();
    const actionId = 'usage_limit_period';
    await scene.slack.control.click({
      as: 'ada',
      source: { in: 'message', channel: 'general', ts },
      actionId,
      forged: { type: 'button', action_id: actionId, value: 'week' },
    });
    await nextAnswer(scene.slack, since);
    expect(await ask('ada')).toContain(
      '⚠️ <@U0ADA> chose that a credit limit counts over a week, and that counts. `LIMIT_PERIOD` is month.',
    );
  });

  test('reports the fault of the platform', async () => {
    scene = await startTestApp();
    scene.platform.faults.add({ kind: 'status', status: 401 });
    expect(await ask('ada')).toContain('⚠️ Platform: The platform no longer accepts Quartermaster’s API key.');
  });

  test('answers an unknown word with its help', async () => {
    scene = await startTestApp();
    expect(await ask('mia', 'zzz')).toContain('Unknown word “zzz”.');
    expect(await ask('mia', 'zzz bar')).toContain('Unknown word “zzz”.');
    expect(await ask('mia', 'here bar')).toContain('Unknown word “bar”.');
  });
});

describe('a key that the platform refuses', () => {
  const told = async () => {
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
    return messages.map(({ text }) => text).filter((text) => text.includes('API key'));
  };
  /** A user types a command, a minute passes and the jobs run. */
  const minute = async (day: string) => {
    await typeCommand(scene.slack, 'morgan', '/usage', day);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
  };

  test('is reported to each admin once, and once more when it works again', async () => {
    scene = await startTestApp();
    const clear = scene.platform.faults.add({ kind: 'status', status: 401 });
    await minute('2026-02-10');
    await expect.poll(told).toEqual([expect.stringContaining('has refused Quartermaster’s API key since')]);
    for (const day of ['2026-02-11', '2026-02-12', '2026-02-13']) await minute(day);
    clear();
    await minute('2026-02-14');
    await expect
      .poll(told)
      .toEqual([expect.anything(), expect.stringContaining('accepts Quartermaster’s API key again')]);
    for (const day of ['2026-02-15', '2026-02-16']) await minute(day);
    expect(await told()).toHaveLength(2);
  });

  test('for less than a minute is not reported', async () => {
    scene = await startTestApp();
    scene.platform.faults.add({ kind: 'status', status: 401, times: 1 });
    await minute('2026-02-10');
    await minute('2026-02-11');
    expect(await told()).toEqual([]);
  });
});

describe('a user group of the settings that Slack refuses', () => {
  const ADMINS = 'ada.admin@acme.example,S0LEADS';
  const notices = async () => {
    const { channels } = await scene.slack.control.state({ as: 'ada' });
    const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
    return messages.map(({ text }) => text).filter((text) => text.includes('user groups'));
  };
  const minute = () => moveClock(scene, new Date(scene.clock.now().getTime() + 6 * 60_000));

  test('costs its people their role, and nobody else their answers; admins and /readyz learn the code', async () => {
    scene = await startTestApp({ settings: { ADMINS } });
    scene.slack.faults.add({ method: 'usergroups.users.list', kind: 'error', error: 'plan_upgrade_required' });
    await minute();
    expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toContain('credits');
    expect(await ask('morgan')).toContain('Your role: *manager*');
    await minute();
    await expect
      .poll(notices)
      .toEqual([expect.stringContaining('Slack has refused user groups in ADMINS or MANAGERS since')]);
    expect((await notices())[0]).toContain('(plan_upgrade_required)');
    expect(await ask('ada')).toContain('⚠️ Roles: Slack refuses user groups of the settings (plan_upgrade_required)');
    const ready = await fetch(`http://127.0.0.1:${scene.app.port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ roles: expect.stringContaining('plan_upgrade_required'), slack: 'in order' }),
    ]);

    scene.slack.faults.clear();
    await minute();
    await expect
      .poll(notices)
      .toEqual([expect.anything(), expect.stringContaining('shows the user groups in ADMINS and MANAGERS again')]);
    expect(await ask('morgan')).toContain('Your role: *admin*');
  });
});
