import { afterEach, describe, expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { askForComputer } from '../../support/computers.ts';
import { change, noticesIn, startWatching } from '../../support/controls.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, formValues, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { ask } from '../../support/limits/limits.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const MINUTE_MS = 60_000;
const connect = (sharing: 'pending' | 'external' | 'workspaces', channel = 'agent-usage') =>
  scene.slack.control.connect({ as: 'ada', channel, sharing });

const SHARED = {
  external: 'This channel is shared with another organization',
  pending: 'Another organization was invited to this channel',
  workspaces: 'This channel is shared with other workspaces',
} as const;
const KINDS = ['external', 'pending', 'workspaces'] as const;

/** The text that the user sees after a click, and whether a message was posted. */
async function afterClick(as: string, answer: MessageView, label: string, channel = 'agent-usage') {
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, answer, label, channel);
  const told = (await nextAnswer(scene.slack, since)).text;
  const { channels } = await scene.slack.control.state({ as });
  const posts = channels.find(({ name }) => name === channel)?.messages.filter(({ isEphemeral }) => !isEphemeral) ?? [];
  return { told, posts: posts.filter(({ text }) => text.includes('Usage,')) };
}

describe.each(KINDS)('a channel that is shared (%s)', (kind) => {
  test.each(['Share', 'Share with names'])('gets no shared answer by “%s”', async (label) => {
    await start();
    await connect(kind);
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', '', 'agent-usage');
    const { told, posts } = await afterClick('morgan', answer, label);
    expect(told).toBe(
      `Nothing was shared. ${SHARED[kind]}, so Quartermaster posts nothing there. Choose another one, or ask the server operator to set ALLOW_SHARED_CHANNELS.`,
    );
    expect(posts).toEqual([]);
  });

  test('gets no watch of the controls or of readiness, and no digest', async () => {
    await start();
    await connect(kind);
    expect((await typeCommand(scene.slack, 'ada', '/controls', 'watch #agent-usage')).text).toContain(SHARED[kind]);
    expect((await typeCommand(scene.slack, 'morgan', '/readiness', 'watch #agent-usage')).text).toContain(SHARED[kind]);
    await openByCommand(scene.slack, 'morgan', '/digest', 'new');
    const form = await submitForm(scene.slack, 'morgan', formValues({ where: 'channel', channel: 'C0USAGE' }));
    expect(textOfView(form)).toContain(SHARED[kind]);
    expect(await subscriptions(scene)).toEqual([]);
    expect((await messagesIn(scene, 'agent-usage')).posts).toEqual([]);
  });
});

describe('a channel that is shared', () => {
  test('gets no digest of the settings, and the log gives the reason', async () => {
    await start({ settings: { DIGEST_CHANNEL: '#acme-outside', CONTROLS_CHANNEL: 'C0OUTSIDE' } });
    const logged = (setting: string) =>
      scene.log.find((line) => line['setting'] === setting && String(line['msg']).startsWith(SHARED.external));
    for (const setting of ['DIGEST_CHANNEL', 'CONTROLS_CHANNEL'])
      await eventually(() => logged(setting), `a line about ${setting} in the log`);
    expect(await subscriptions(scene)).toEqual([]);
  });

  test('gets no card of a limit: each admin gets it, with the reason', async () => {
    await start({ settings: { LIMITS_CHANNEL: '#acme-outside' } });
    await ask(scene, 'mia', { amount: '5000' });
    expect((await messagesIn(scene, 'acme-outside')).posts).toEqual([]);
    expect(JSON.stringify((await messagesIn(scene, 'dm', 'ada')).posts)).toContain(SHARED.external);
  });

  test('gets no file in its thread: the file is sent by direct message', async () => {
    await start();
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', 'credits', 'agent-usage');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share', 'agent-usage');
    const { message } = await scene.slack.next('message', undefined, { since });
    await connect('external');
    await moveClock(scene, new Date(scene.clock.now().getTime() + 6 * MINUTE_MS));
    const later = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', message, 'CSV', 'agent-usage');
    expect((await nextAnswer(scene.slack, later)).text).toContain('is in your direct messages');
    const { channels } = await scene.slack.control.state({ as: 'morgan' });
    expect(channels.find(({ name }) => name === 'agent-usage')?.messages.flatMap(({ files }) => files)).toEqual([]);
  });

  test('is not offered for the card of a computer', async () => {
    await start();
    await connect('external');
    expect(textOfView(await openByCommand(scene.slack, 'mia', '/computers', 'create'))).not.toContain('Also follow it');
  });

  test('gets everything if the operator allows it', async () => {
    await start({ settings: { ALLOW_SHARED_CHANNELS: 'true' } });
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', '', 'acme-outside');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share', 'acme-outside');
    expect((await scene.slack.next('message', undefined, { since })).message.text).toContain('Usage, ');
    expect((await typeCommand(scene.slack, 'ada', '/controls', 'watch #acme-outside')).text).toContain('gets');
  });
});

describe('a channel that became shared after its setup', () => {
  test('gets no digest: it ends as failed, and `/digest why` and the owner show the reason', async () => {
    await start();
    const { id } = await setUpDigest(scene, { where: 'channel', channel: 'C0USAGE', rhythm: 'daily', zone: 'UTC' });
    await delivered(scene, `digest-introduction:${id}`);
    await connect('external');
    await moveClock(scene, new Date('2026-03-02T09:30:00Z'));
    expect((await delivered(scene, `digest:${id}:`, 'failed')).reason).toContain(SHARED.external);
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
    expect((await typeCommand(scene.slack, 'morgan', '/digest', 'why')).text).toContain(SHARED.external);
    await delivered(scene, `delivery-failed:digest:${id}:`);
  });

  test('gets no revision of the controls', async () => {
    scene = await startWatching();
    await connect('external');
    await moveClock(scene, new Date(scene.clock.now().getTime() + 6 * MINUTE_MS));
    await change(scene, { enableAgentShield: false });
    expect((await delivered(scene, 'controls:C0USAGE:', 'failed')).reason).toContain(SHARED.external);
    expect(await noticesIn(scene, 1)).toHaveLength(1);
  });

  test('gets no card of a computer, which goes to the person', async () => {
    await start();
    await openByCommand(scene.slack, 'mia', '/computers', 'create');
    await connect('external');
    await submitForm(scene.slack, 'mia', {
      name: { name: 'night-build' },
      remoteUser: { remoteUser: 'agent' },
      follow: { follow: ['follow'] },
    });
    expect((await delivered(scene, ':card')).channel).toBe('U0MIA');
  });
});

test('causes a request to Slack for its readers about once in five minutes', async () => {
  scene = await startWatching();
  const asked = () => scene.slack.traffic.latest(1_000).filter(({ method }) => method === 'conversations.info').length;
  const before = asked();
  for (let count = 0; count < 3; count += 1) {
    const settings = { enableAgentShield: count % 2 === 0, maxSessionHours: count };
    await change(scene, settings, `author${count}@acme.example`);
    await noticesIn(scene, count + 2);
  }
  expect(asked() - before).toBeLessThanOrEqual(1);
});

describe('the card of a new computer', () => {
  test('goes to the requester by direct message', async () => {
    await start();
    expect(await askForComputer(scene)).toContain('in your direct messages');
    expect((await delivered(scene, ':card')).channel).toBe('U0MIA');
    expect((await messagesIn(scene, 'agent-usage')).posts).toEqual([]);
  });

  test('goes to the channel of the request, if that is chosen', async () => {
    await start();
    await askForComputer(scene, { follow: ['follow'] }, 'mia', 'agent-usage');
    expect((await delivered(scene, ':card')).channel).toBe('C0USAGE');
  });
});

describe('a private channel', () => {
  const NOT_A_MEMBER = 'You’re not in this private channel. Only its members can post there through Quartermaster.';
  const settings = { ADMINS: 'U0ADA,U0NORA' };

  /** Slack escapes no channel that the user cannot see, but a user who knows its id can forge a click. */
  const forged = async (as: string, command: string) => {
    const answer = await typeCommand(scene.slack, as, '/usage', 'help');
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
    const actionId = 'quartermaster_run_command';
    const value = JSON.stringify({ command, text: 'watch <#C0LEADS>' });
    await scene.slack.control.click({ as, source, actionId, forged: { type: 'button', action_id: actionId, value } });
    return (await nextAnswer(scene.slack, since)).text;
  };

  test('gets a watch or a digest from its members only', async () => {
    await start({ settings });
    await scene.slack.control.invite({ as: 'ada', channel: 'leads', who: 'app' });
    expect(await forged('nora', '/controls')).toContain(NOT_A_MEMBER);
    expect(await forged('nora', '/readiness')).toContain(NOT_A_MEMBER);
    await openByCommand(scene.slack, 'nora', '/digest', 'new');
    const form = await submitForm(scene.slack, 'nora', formValues({ where: 'channel', channel: 'C0LEADS' }));
    expect(textOfView(form)).toContain(NOT_A_MEMBER);
    expect((await typeCommand(scene.slack, 'ada', '/controls', 'watch #leads')).text).toContain('gets');
    await until(scene, async () => ((await messagesIn(scene, 'leads')).posts.length > 0 ? true : undefined));
    expect(JSON.stringify((await messagesIn(scene, 'leads')).posts)).toContain('<@U0ADA>');
  });
});
