import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/features/limits/core/limit-buttons.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp(options);
  return scene;
};
afterEach(() => scene.close());

const user = { id: 'U0MIA' };
/** Payloads of Slack without a listener here. */
const NOT_OURS: readonly (readonly [
  kind: 'block_actions' | 'event',
  body: Record<string, unknown>,
  answer: unknown,
])[] = [
  ['block_actions', { type: 'block_suggestion', user, action_id: 'a', block_id: 'b', value: 'x' }, { options: [] }],
  ['block_actions', { type: 'shortcut', user, callback_id: 'a', trigger_id: '1.2' }, null],
  ['block_actions', { type: 'view_closed', user, view: { id: 'V1' } }, null],
  ['block_actions', { type: 'interactive_message', user, actions: [{ name: 'a', type: 'button' }] }, null],
  ['block_actions', { type: 'dialog_submission', user, submission: {} }, null],
  ['block_actions', { type: 'workflow_step_edit', user, workflow_step: {} }, null],
  ['event', { type: 'event_callback', event: { type: 'reaction_added', user: 'U0MIA', item: 'nothing' } }, null],
  ['event', { type: 'event_callback', event: { type: 'message', channel: null } }, null],
  ['event', { type: 'app_rate_limited', minute_rate_limited: 1 }, null],
];
/** Payloads that Slack would never send. */
const MALFORMED: readonly Record<string, unknown>[] = [
  { type: 'event_callback' },
  { type: 'event_callback', event: null },
  { type: 'event_callback', event: { type: 'app_home_opened', user: { id: 1 } } },
  { type: 'block_actions', user },
  { type: 'block_actions', user, actions: [] },
  { type: 'block_actions', user, actions: [null] },
  { type: 'block_actions', user, actions: [{ action_id: 'a' }], event: null },
  { type: 'block_actions', user, actions: [{ action_id: 'a' }], name: 'a', channel: { id: 'C1' }, view: null },
  { type: 'block_suggestion', user: null, name: 'x', channel: null },
  { type: 'view_submission', user, view: null },
  { type: 'view_submission', view: { id: 'V1' } },
  { type: 'message_action', user, callback_id: 'a' },
  { type: 'shortcut', user: 1 },
  { type: 'view_closed' },
];

describe.each(['socket', 'http'] as const)('over %s', (transport) => {
  test('a payload that the bot has no listener for is answered at once', async () => {
    const { slack } = await start({ transport });
    for (const [kind, body, response] of NOT_OURS) {
      const delivery = await slack.control.sendPayload({ kind, body });
      const isAtOnce = (delivery.ackMs ?? Number.POSITIVE_INFINITY) < 1_000;
      expect({ body, ...delivery, isAtOnce }).toMatchObject({ body, error: null, response, isAtOnce: true });
    }
  });

  test('a message shortcut is answered with a sentence', async () => {
    const { slack } = await start({ transport });
    await typeCommand(slack, 'mia', '/usage', 'help');
    const typed = slack.traffic.latest(500).find(({ method }) => method === 'slash_commands');
    const responseUrl = Object(typed?.request)['response_url'];
    const since = slack.mark();
    const body = { type: 'message_action', user, callback_id: 'a', response_url: responseUrl };
    expect(await slack.control.sendPayload({ kind: 'block_actions', body })).toMatchObject({ inTime: true });
    expect((await nextAnswer(slack, since)).text).toContain('has no shortcuts. Type /usage help');
  });

  test('a text of over 1,500 characters is answered in one line', async () => {
    const { slack } = await start({ transport });
    for (const length of [1_501, 2_100, 5_000]) {
      const { text } = await typeCommand(slack, 'morgan', '/usage', 'x'.repeat(length));
      expect(text).toBe('That is too long for /usage: use at most 1,500 characters.');
    }
    expect((await typeCommand(slack, 'morgan', '/usage', 'x'.repeat(1_500))).text).not.toContain(
      'Something went wrong',
    );
  });
});

test('a malformed request over HTTP is refused, never with 500', async () => {
  const { slack, app } = await start({ transport: 'http' });
  for (const body of MALFORMED) {
    const text = JSON.stringify(body);
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', slack.signingSecret).update(`v0:${seconds}:${text}`).digest('hex');
    const answer = await fetch(`http://127.0.0.1:${app.port}/slack/events`, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(seconds),
        'x-slack-signature': `v0=${digest}`,
      },
    });
    expect({ body, status: answer.status }).toEqual({ body, status: 400 });
  }
});

test('a malformed payload over Socket Mode is acknowledged, and affects nothing else', async () => {
  const { slack } = await start();
  for (const body of MALFORMED)
    expect(await slack.control.sendPayload({ kind: 'block_actions', body })).toMatchObject({ inTime: true });
  expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
});

test('a click that is stored first and has a malformed place is acknowledged, and forgotten once its work failed', async () => {
  const { slack, databaseUrl } = await start();
  const actions = [{ type: 'button', action_id: ACTIONS.retry, value: 'a1b2', action_ts: '1.1' }];
  const body = { type: 'block_actions', user, trigger_id: '1.2', container: { message_ts: 7 }, actions };
  expect(await slack.control.sendPayload({ kind: 'block_actions', body })).toMatchObject({ inTime: true });
  const db = readDatabase(databaseUrl);
  const stored = () => db.selectFrom('pendingInteractions').select('key').execute();
  await expect.poll(stored).toEqual([]);
  await db.destroy();
  expect((await typeCommand(slack, 'mia', '/usage', 'help')).text).toContain('/usage');
});

describe('the usage of a command', () => {
  test.each([
    ['/digest', /\nFor managers and admins\.$/],
    ['/controls', /\nFor managers and admins\.$/],
    ['/session', /\n\/session ses_1a2b: the newest visible messages, for admins\. Every look is logged\n/],
    ['/limits', /\n\/limits [^\n]*$/],
  ])('is shown by %s help to every role, with the role that it needs', async (command, ending) => {
    const { slack } = await start();
    for (const as of ['mia', 'morgan', 'ada']) {
      const { text } = await typeCommand(slack, as, command, 'help');
      expect(text).toMatch(new RegExp(`^${command}: `));
      expect(text).toMatch(ending);
    }
    expect((await typeCommand(slack, 'gus', command, 'help')).text).toContain('guests can’t');
  });

  test('is not shown for a wrong word to a user who may not use the command', async () => {
    const { slack } = await start();
    for (const command of ['/digest', '/controls'])
      expect((await typeCommand(slack, 'mia', command, 'lisst')).text).toBe(`${onlyFor('manager', command)}U0ADA>.`);
    const { text } = await typeCommand(slack, 'morgan', '/session', 'notfy');
    expect(text).toContain(onlyFor('admin', 'Reading sessions'));
    expect(text).toMatch(/^[^\n]* type \/session notify or \/session mine\.$/);
  });
});
