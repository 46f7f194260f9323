import { afterEach, describe, expect, test } from 'vitest';
import {
  askForComputer,
  computerForm,
  computersNamed,
  createRequests,
  auditOf,
  later,
  watches,
  whenMessage,
} from '../../support/computers.ts';
import { clickButton, everythingIn, nextAnswer } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, messagesIn } from '../../support/digests.ts';
import { fillForm, nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const created = () => computersNamed(scene.platform, 'night-build');
const POST = { method: 'POST', path: '/api/v0/computers' };

describe.each(availableEngines())('/computers create on %s', (engine) => {
  test('creates one computer, whose card is updated until the computer is ready; then a direct message follows', async () => {
    const { slack } = await start({ engine });
    const since = slack.mark();
    const said = await askForComputer(
      scene,
      { repos: 'https://github.com/acme/web', follow: ['follow'] },
      'mia',
      'agent-usage',
    );
    expect(said).toContain('The platform is creating night-build');
    await delivered(scene, ':card');
    const ready = await whenMessage(scene, 'message_updated', ({ text }) => text.includes('Ready after'), { since });
    expect(ready.text).toContain('Host name: night-build.computers.acme.example');
    await delivered(scene, ':done:0:ready');
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
    const direct = await messagesIn(scene, 'dm', 'mia');
    expect(direct.posts.map(({ text }) => text.includes('Your computer is ready'))).toEqual([true]);
    expect(await created()).toHaveLength(1);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['ready']);
    expect(await auditOf(scene)).toMatchObject([
      { actor: 'U0MIA', action: 'requested' },
      { actor: 'U0MIA', action: 'created' },
    ]);
  });

  test('creates one computer if it is submitted twice and delivered again', async () => {
    const { slack } = await start({ engine });
    await openByCommand(slack, 'mia', '/computers', 'create');
    const since = slack.mark();
    const submit = () => slack.control.submit({ as: 'mia', values: computerForm({ follow: ['follow'] }) });
    await Promise.allSettled([submit(), submit()]);
    await nextView(slack, since, /is creating/);
    await slack.control.redeliver({});
    await delivered(scene, ':card');
    expect(await created()).toHaveLength(1);
    expect(createRequests(scene)).toBe(1);
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
  });

  test.each(['drop_after', 'cut_body', 'html', 'wrong_shape'] as const)(
    'looks in the list for the computer of a lost answer (%s), and updates its card',
    async (kind) => {
      const { platform } = await start({ engine });
      platform.faults.add({ match: POST, kind, times: 1 });
      expect(await askForComputer(scene)).toContain('The platform is creating night-build');
      await delivered(scene, ':card');
      expect(await created()).toHaveLength(1);
      expect(createRequests(scene)).toBe(1);
    },
  );

  test('looks twice, a minute apart, for the computer of a lost request; then the person can try again', async () => {
    const { platform, slack } = await start({ engine });
    platform.faults.add({ match: POST, kind: 'status', status: 502, times: 1 });
    expect(await askForComputer(scene)).toContain('It is not known yet whether night-build was created');
    await later(scene, 30);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['unknown']);
    await later(scene, 60);
    const notice = await delivered(scene, ':notice:not_created');
    expect(notice.channel).toBe('U0MIA');
    expect(createRequests(scene)).toBe(1);
    const [message] = (await messagesIn(scene, 'dm', 'mia')).posts;
    if (!message) throw new Error('There is no notice');
    const since = slack.mark();
    await clickButton(slack, 'mia', message, 'Try again', 'dm');
    expect(textOfView(await nextView(slack, since))).toContain('"initial_value":"night-build"');
    await submitForm(slack, 'mia');
    await delivered(scene, ':card');
    expect(await created()).toHaveLength(1);
  });
});

describe('the form of a new computer', () => {
  test('reports each fault at its field', async () => {
    const { slack } = await start();
    await openByCommand(slack, 'mia', '/computers', 'create');
    const wrong = computerForm({
      hostId: 'host-1',
      provider: 'byom',
      repos: `https://github.com/acme/web\ngit@github.com:acme/web`,
    });
    await fillForm(slack, 'mia', wrong);
    const { modals } = await slack.control.submit({ as: 'mia' });
    expect(modals[0]?.errors['hostId']).toContain('no UUID');
    expect(modals[0]?.errors['repos']).toContain('“git@github.com:acme/web” is no address');
    const many = computerForm({
      provider: 'hosted',
      repos: Array.from({ length: 21 }, (_, index) => `https://github.com/acme/r${index}`).join('\n'),
    });
    expect(textOfView(await fillForm(slack, 'mia', many))).not.toContain('Host id');
    const again = await slack.control.submit({ as: 'mia' });
    expect(again.modals[0]?.errors['repos']).toContain('21 repositories; 20 are the most');
    expect(createRequests(scene)).toBe(0);
  });

  test('starts with the values of the person’s last order except for its name, and with the repository of the command', async () => {
    const { slack } = await start();
    await askForComputer(scene, { remoteUser: 'builder', provider: 'hosted', install: [] });
    const form = textOfView(
      await openByCommand(slack, 'mia', '/computers', 'create https://github.com/acme/data-pipeline'),
    );
    expect(form).toContain('"initial_value":"builder"');
    expect(form).toContain('"initial_value":"https://github.com/acme/data-pipeline"');
    expect(form).not.toContain('initial_options');
    const others = textOfView(await openByCommand(slack, 'morgan', '/computers', 'create'));
    expect(others).not.toContain('builder');
  });

  test('asks for confirmation if the name exists, and then creates one computer', async () => {
    const { slack } = await start();
    const said = await askForComputer(scene, { name: 'Data-Lab' });
    expect(said).toContain('There is a computer of the name Data-Lab already');
    expect(createRequests(scene)).toBe(0);
    const click = () => slack.control.click({ as: 'mia', source: { in: 'modal' }, actionId: 'computers_another' });
    const since = slack.mark();
    await Promise.allSettled([click(), click()]);
    await nextView(slack, since, /is creating/);
    await delivered(scene, ':card');
    expect(createRequests(scene)).toBe(1);
  });

  test('opens only for the people that the settings name', async () => {
    const { slack } = await start({ settings: { COMPUTERS_ROLE: 'manager' } });
    const refused = textOfView(await openByCommand(slack, 'mia', '/computers', 'create'));
    expect(refused).toContain(onlyFor('manager', '/computers create'));
    const allowed = textOfView(await openByCommand(slack, 'morgan', '/computers', 'create'));
    expect(allowed).toContain('Remote user');
  });

  test('shows the refusal of the platform, and that nothing was created', async () => {
    const { platform } = await start();
    platform.faults.add({ match: POST, kind: 'status', status: 403, times: 1 });
    expect(await askForComputer(scene)).toMatch(/night-build was not created\. The platform doesn’t let/);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['not_created']);
  });

  test('creates nothing, neither now nor later, if it cannot read the list', async () => {
    const { platform } = await start();
    platform.faults.add({ match: { method: 'GET', path: '/api/v0/computers' }, kind: 'status', status: 403, times: 1 });
    await askForComputer(scene);
    await later(scene, 180);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['not_created']);
    expect(createRequests(scene)).toBe(0);
  });
});

describe('the card', () => {
  test('of a failed installation offers one retry to the requester, and becomes ready after it', async () => {
    const { slack, platform } = await start();
    let since = slack.mark();
    await askForComputer(scene, { name: 'broken-build' }, 'mia', 'platform');
    await delivered(scene, ':card');
    const isFailed = ({ text }: { text: string }) => text.includes('Install dependencies failed');
    const failed = await whenMessage(scene, 'message_updated', isFailed, { since });
    expect(failed.text).toContain('npm error ERESOLVE');
    await delivered(scene, ':done:0:failed');
    since = slack.mark();
    await Promise.all([
      clickButton(slack, 'mia', failed, 'Retry install', 'dm'),
      clickButton(slack, 'mia', failed, 'Retry install', 'dm'),
    ]);
    const ready = await whenMessage(scene, 'message_updated', ({ text }) => text.includes('Ready, after'), { since });
    expect(ready.ts).toBe(failed.ts);
    await delivered(scene, ':done:1:ready');
    expect(platform.requests.filter(({ path }) => path.endsWith('/install-deps'))).toHaveLength(1);
  });

  test('of a refused retry is updated as before, and offers another retry', async () => {
    const { slack, platform } = await start();
    platform.faults.add({ match: { method: 'POST', path: /install-deps$/ }, kind: 'status', status: 409, times: 1 });
    const retry = async () => {
      const since = slack.mark();
      await slack.control.command({ as: 'ada', channel: 'general', command: '/computers', text: 'retry payments-ci' });
      return (await nextAnswer(slack, since)).text;
    };
    expect(await retry()).toMatch(/was not restarted.*reference/);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['ended']);
    expect(await retry()).toContain('starts again');
    await delivered(scene, ':card');
    expect((await auditOf(scene)).slice(-1)).toMatchObject([{ actor: 'U0ADA', action: 'retried' }]);
  });

  test('offers no retry to other people', async () => {
    const { slack, platform } = await start();
    const since = slack.mark();
    await slack.control.command({ as: 'mia', channel: 'general', command: '/computers', text: 'retry payments-ci' });
    const refusal = everythingIn(await nextAnswer(slack, since));
    expect(refusal).toMatch(/Only the person who requested .* or an admin can retry its installation\. Ask <@U0ADA>/);
    expect(platform.requests.some(({ path }) => path.endsWith('/install-deps'))).toBe(false);
  });

  test('of a retry whose answer was lost reports this and shows the outcome', async () => {
    const { slack, platform } = await start();
    platform.faults.add({ match: { method: 'POST', path: /install-deps$/ }, kind: 'drop_after', times: 1 });
    const since = slack.mark();
    await slack.control.command({
      as: 'ada',
      channel: 'agent-usage',
      command: '/computers',
      text: 'retry payments-ci',
    });
    expect((await nextAnswer(slack, since)).text).toContain('Unconfirmed: the platform’s answer about reinstalling');
    await delivered(scene, ':card');
    await whenMessage(scene, 'message_updated', ({ text }) => text.includes('Ready, after'), { since });
    expect(platform.requests.filter(({ path }) => path.endsWith('/install-deps'))).toHaveLength(1);
  });

  test('ends after two hours with a note, polled less and less often', async () => {
    const { slack, platform } = await start();
    const since = slack.mark();
    await askForComputer(scene, { name: 'stuck-build' }, 'mia', 'agent-usage');
    await delivered(scene, ':card');
    const isOver = ({ text }: { text: string }) => text.includes('Not ready after two hours');
    await whenMessage(scene, 'message_updated', isOver, { since, stepSeconds: 61 });
    await delivered(scene, ':done:0:ended');
    expect(platform.requests.filter(({ path }) => /computers\/[^/]+$/.test(path)).length).toBeLessThan(200);
  });

  test('is updated further after a restart', async () => {
    const { slack, app } = await start();
    await askForComputer(scene, { follow: ['follow'] }, 'mia', 'agent-usage');
    await delivered(scene, ':edit:1', 'waiting');
    await app.stop();
    await later(scene, 70);
    const since = slack.mark();
    const again = await startReplica(scene);
    await whenMessage(scene, 'message_updated', ({ text }) => text.includes('Ready after'), { since });
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
    await again.stop();
  });
});
