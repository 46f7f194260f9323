import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, nextAnswer } from '../../support/slack/conversation.ts';
import { formValues, subscriptions } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp(options);
  // The jobs of the start ask for people, too, and would meet a fault that is meant for a click.
  await whileTimePasses(scene, scene.clock.whenTicked());
  return scene;
};
afterEach(() => scene.close());

describe.each(['socket', 'http'] as const)('a modal over %s', (transport) => {
  test('opens before any reading, and a submission is acknowledged with its progress', async () => {
    const { slack } = await start({ transport });
    await slack.control.addFault({ method: 'users.info', kind: 'slow', delayMs: 400, times: 1 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'agent-usage', command: '/digest', text: 'new' });
    const { view } = await slack.next('view_opened', undefined, { since });
    expect(textOfView(view)).toContain('One moment …');
    await nextView(slack, since);
    const submitted = slack.mark();
    const { delivery } = await slack.control.submit({ as: 'morgan', values: {} });
    expect(delivery.inTime).toBe(true);
    expect(JSON.stringify(delivery.response)).toContain('Setting it up …');
    await nextView(slack, submitted, /Done/);
  });
});

describe('a modal', () => {
  test.each([0, 30, 300, 900])(
    'shows the outcome of its form in the end, even if Slack applies the acknowledgement %i ms late',
    async (delayMs) => {
      const { slack } = await start();
      await openByCommand(slack, 'morgan', '/digest', 'new');
      if (delayMs > 0) await slack.control.addFault({ method: 'acknowledgement', kind: 'slow', delayMs, times: 1 });
      const since = slack.mark();
      const { delivery } = await slack.control.submit({ as: 'morgan', values: {} });
      expect(delivery.error).toBe(null);
      const applied = await slack.next('view_updated', ({ view }) => textOfView(view).includes('Setting it up …'), {
        since,
      });
      await slack.next('view_updated', ({ view }) => textOfView(view).includes('Done'), { since: applied.seq });
      const [shown] = slack.workspace.modalsOf('U0MORGAN');
      expect(JSON.stringify(shown?.view)).toContain('Done');
    },
  );

  test('that Slack does not open in time is replaced by a message in the conversation', async () => {
    const { slack } = await start();
    await slack.control.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id', times: 1 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/digest', text: 'new' });
    const answer = await nextAnswer(slack, since);
    expect(answer.text).toBe('Slack did not open the window in time. Try again.');
    const again = slack.mark();
    await clickButton(slack, 'morgan', answer, 'Try again');
    expect(textOfView(await nextView(slack, again))).toContain('New digest');
  });

  test('that a command could not fill is filled by a button, in the same modal', async () => {
    const { slack } = await start();
    await slack.control.addFault({ method: 'users.info', kind: 'error', error: 'internal_error', times: 1 });
    const failed = textOfView(await openByCommand(slack, 'ada', '/quartermaster', 'jobs'));
    expect(failed).toContain('Try again; if that doesn’t help, ask the server operator.');
    const since = slack.mark();
    await slack.control.click({ as: 'ada', source: { in: 'modal' }, actionId: 'quartermaster_run_command' });
    expect(textOfView(await nextView(slack, since))).toContain('plan-due-subscriptions');
    expect(slack.workspace.modalsOf('U0ADA')).toHaveLength(1);
  });

  test('that was closed before its submission ended causes no failure', async () => {
    const { slack, log } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await slack.control.addFault({ method: 'users.info', kind: 'slow', delayMs: 300, times: 1 });
    await moveClock(scene, new Date('2026-03-02T07:02:00Z'));
    await slack.control.submit({ as: 'morgan', values: {} });
    await slack.control.close({ as: 'morgan', all: true });
    const said = 'A modal was closed before it was updated';
    await eventually(() => log.find((line) => line['msg'] === said), `“${said}” in the log`);
    expect(await subscriptions(scene)).toHaveLength(1);
  });

  test('whose form this version does not know shows what to do', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    const [view] = slack.workspace.modalsOf('U0MORGAN');
    if (view) view.view['callback_id'] = 'from_the_future';
    const after = await submitForm(slack, 'morgan');
    expect(textOfView(after)).toContain('is from another version of Quartermaster');
  });

  test('whose submission is delivered twice carries it out once', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await submitForm(slack, 'morgan', formValues({ rhythm: 'daily' }));
    expect((await slack.control.redeliver({})).inTime).toBe(true);
    expect(await subscriptions(scene)).toHaveLength(1);
  });

  test('whose command arrives twice is opened once, without a second call', async () => {
    const { slack } = await start();
    const since = slack.mark();
    await slack.control.repeatNext({ as: 'morgan', arrivals: [{ afterMs: 0 }, { afterMs: 1 }] });
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await slack.control.command({ as: 'max', channel: 'general', command: '/usage', text: 'help' });
    await slack.next('ephemeral', undefined, { since });
    expect(slack.traffic.latest(500).filter(({ method }) => method === 'views.open')).toHaveLength(1);
    expect(slack.events.since(since).filter(({ kind }) => kind === 'view_opened')).toHaveLength(1);
  });

  test('is refused to a user who lost the right to it in the meantime', async () => {
    const { slack } = await start({ settings: { MANAGERS: 'S0LEADS' } });
    await openByCommand(slack, 'morgan', '/digest', 'new');
    await slack.control.setUserGroup({ handle: 'platform-leads', members: ['max'] });
    await moveClock(scene, new Date('2026-03-02T07:30:00Z'));
    const after = await submitForm(slack, 'morgan');
    expect(textOfView(after)).toContain(onlyFor('manager', 'This form'));
    expect(await subscriptions(scene)).toEqual([]);
  });
});
