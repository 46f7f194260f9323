import { afterEach, describe, expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { eventually } from '../../support/waiting.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
afterEach(() => scene.close());

const MAX = 'max.member@acme.example';
/** A day of the last seven, and a limit that appears in no other figure. */
const RAISE = { email: MAX, value: 123_456, at: '2026-02-27T10:00:00.000Z' };

async function start(settings: Record<string, string> = {}): Promise<void> {
  scene = await startTestApp({ settings });
  await setLimit(scene, RAISE);
}

async function shared(as: string, answer: MessageView, label: string): Promise<MessageView> {
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, answer, label, 'agent-usage');
  return (await scene.slack.next('message', undefined, { since })).message;
}

const ask = (as: string, text = '') => typeCommand(scene.slack, as, '/usage', text, 'agent-usage');

describe('an answer that is shared without names', () => {
  test.each(['', 'moved'])(
    'shows neither the person nor the amount of a limit that was set: /usage %s',
    async (text) => {
      await start();
      const answer = await ask('morgan', text);
      const rest = everythingIn(await ask('morgan', `${text} more`));
      expect(everythingIn(answer) + rest).toContain(`the credit limit of ${MAX} was set to 123,456`);
      const message = await shared('morgan', answer, 'Share');
      const since = scene.slack.mark();
      await clickButton(scene.slack, 'mia', message, 'Details', 'agent-usage');
      const said = everythingIn(message) + everythingIn(await nextAnswer(scene.slack, since));
      expect(said).not.toContain('@acme.example');
      expect(said).not.toContain('123,456');
    },
  );

  test('does not hold the part of the member who shares it', async () => {
    await start();
    const answer = await ask('mia');
    expect(everythingIn(answer)).toMatch(/You: [\d.]+(?: [KM])? credits/);
    const said = everythingIn(await shared('mia', answer, 'Share'));
    expect(said).toContain('Usage, 23 Feb – 1 Mar');
    expect(said).not.toContain('You:');
    expect(said).not.toContain('credit limit');
  });

  test.each(['people 7d', `summary 7d ${MAX}`, 'summary 7d <@U0MAX>', 'summary 7d me'])(
    'is refused if the button is forged for single people: %s',
    async (value) => {
      await start();
      const answer = await ask('morgan');
      const since = scene.slack.mark();
      const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
      const forged = { type: 'button', action_id: 'usage_share', value };
      await scene.slack.control.click({ as: 'morgan', source, actionId: 'usage_share', forged });
      expect((await nextAnswer(scene.slack, since)).text).toContain('asks before it names them');
    },
  );

  test('names no members of a team, not even of a team of one', async () => {
    await start({ MIN_GROUP: '1' });
    await scene.slack.control.addPerson({ handle: 'paul', name: 'Paul New', email: 'paul.new@acme.example' });
    await scene.slack.control.setUserGroup({ handle: 'solo', members: ['paul'] });
    const answer = await ask('morgan', '7d @solo');
    const said = everythingIn(await shared('morgan', answer, 'Share'));
    expect(said).toContain('Usage of @solo');
    expect(said).not.toContain('@acme.example');
  });
});

test('a member’s forged share with names shares an answer without names', async () => {
  await start();
  const answer = await ask('mia');
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
  const forged = { type: 'button', action_id: 'usage_share_with_names', value: 'summary 7d' };
  await scene.slack.control.click({ as: 'mia', source, actionId: 'usage_share_with_names', forged });
  const said = everythingIn((await scene.slack.next('message', undefined, { since })).message);
  expect(said).not.toContain('@acme.example');
  expect(said).not.toContain('You:');
});

test('a digest shows neither the person nor the amount of a limit that was set', async () => {
  await start({ DIGEST_CHANNEL: '#agent-usage', DIGEST_AT: '09:00' });
  await setLimit(scene, { ...RAISE, value: 123_457, at: '2026-03-01T10:00:00.000Z' });
  const planned = 'Planned the daily digest of the settings';
  await eventually(() => scene.log.find((line) => line['msg'] === planned), `“${planned}” in the log`);
  const since = scene.slack.mark();
  await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
  const isDigest = ({ message }: { message: MessageView }) => message.metadata !== null && message.threadTs === null;
  const said = everythingIn((await scene.slack.next('message', isDigest, { since })).message);
  expect(said).toContain('one credit limit was set');
  expect(said).not.toContain('@acme.example');
  expect(said).not.toContain('123,45');
});
