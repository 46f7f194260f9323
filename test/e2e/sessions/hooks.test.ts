import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import {
  codeOf,
  copiedFrom,
  directMessage,
  directMessages,
  ends,
  exchange,
  send,
  startHooksApp,
  stops,
  tokenOf,
  tool,
  waits,
} from '../../support/hooks/hooks.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { settled } from './settled.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: Awaited<ReturnType<typeof startHooksApp>>;
beforeEach(async () => {
  scene = await startHooksApp();
});
afterEach(() => scene.close());

const ask = (text: string, as = 'mia') => typeCommand(scene.slack, as, '/session', text);
const later = (seconds: number) => moveClock(scene, new Date(scene.clock.now().getTime() + seconds * 1_000));
const cards = async (as = 'mia') => (await directMessages(scene, as)).map(({ text }) => text);

describe('the card of a session', () => {
  test('shows at once that the agent waits, continues, finished and ended, in one message', async () => {
    const token = await tokenOf(scene, 'mia');
    expect(await send(scene, token, waits('s1'))).toBe(204);
    const card = await directMessage(scene, 'mia', /✋ \*Waits for you\* in `web`/);
    expect(card.text).toContain('May I run the migration?');
    expect(await send(scene, token, tool('s1'))).toBe(204);
    await directMessage(scene, 'mia', /▶️ \*Works\* in `web`\nLast question: May I run/);
    expect(await send(scene, token, stops('s1'))).toBe(204);
    await settled(scene, 'hook-card', 'waiting');
    await later(21);
    await directMessage(scene, 'mia', /✅ \*Finished\* in `web`/);
    expect(await send(scene, token, ends('s1', 'other'))).toBe(204);
    await directMessage(scene, 'mia', /✅ \*Finished and closed\*/);
    const all = await directMessages(scene, 'mia');
    expect(all).toHaveLength(1);
    expect(all[0]?.ts).toBe(card.ts);
  });

  test.each([
    ['clear', 'The conversation was cleared.'],
    ['logout', 'You signed out.'],
    ['prompt_input_exit', 'You left at the prompt.'],
    ['crash', 'Reason: crash'],
  ])('says in words that a session ended with “%s”', async (reason, words) => {
    const token = await tokenOf(scene, 'mia');
    await send(scene, token, waits('s1'));
    await directMessage(scene, 'mia', /Waits for you/);
    await send(scene, token, ends('s1', reason));
    expect((await directMessage(scene, 'mia', /Ended/)).text).toContain(words);
  });

  test('is reported to the admins once if Slack refuses it for good, whatever follows in the session', async () => {
    const token = await tokenOf(scene, 'mia');
    const refusal = { method: 'chat.postMessage', kind: 'error', error: 'channel_not_found', times: 1 } as const;
    await scene.slack.control.addFault(refusal);
    await send(scene, token, waits('s1'));
    await directMessage(scene, 'ada', /The card of an agent’s session couldn’t be sent to <@U0MIA>/);
    await scene.slack.control.addFault(refusal);
    await send(scene, token, waits('s1', 'May I drop the table?'));
    await settled(scene, 'hook-card', 'failed', 2);
    await send(scene, token, waits('s1', 'May I continue?'));
    await directMessage(scene, 'mia', /May I continue\?/);
    expect(await cards('ada')).toHaveLength(1);
  });

  test('shows nothing of an agent that stopped and continues within twenty seconds', async () => {
    const token = await tokenOf(scene, 'mia');
    await send(scene, token, stops('s1'));
    await settled(scene, 'hook-card', 'waiting');
    await later(15);
    await send(scene, token, tool('s1'));
    await settled(scene, 'hook-card', 'skipped');
    await later(30);
    await send(scene, token, stops('s1'));
    await later(15);
    await send(scene, token, { ...tool('s1'), hook_event_name: 'SubagentStop' });
    await later(10);
    expect(await cards()).toEqual([]);
    await later(11);
    await directMessage(scene, 'mia', /✅ \*Finished\*/);
    expect(await cards()).toHaveLength(1);
  });

  test('mentions its person in its thread when the agent waits again, and still does a minute later', async () => {
    const token = await tokenOf(scene, 'mia');
    await send(scene, token, waits('s1', 'First?'));
    const card = await directMessage(scene, 'mia', /First\?/);
    await send(scene, token, tool('s1'));
    await directMessage(scene, 'mia', /\*Works\*/);
    await send(scene, token, waits('s1', 'Second?'));
    await directMessage(scene, 'mia', /Waits for you[\s\S]*Second\?/);
    await settled(scene, 'hook-again', 'waiting');
    await send(scene, token, tool('s1'));
    await directMessage(scene, 'mia', /\*Works\*/);
    await later(60);
    await settled(scene, 'hook-again', 'skipped');
    await send(scene, token, waits('s1', 'Third?'));
    await settled(scene, 'hook-again', 'waiting');
    await later(60);
    const call = await directMessage(scene, 'mia', /^<@U0MIA> ✋ \*Waits for you\*[\s\S]*Third\?/);
    expect(call.threadTs).toBe(card.ts);
    expect(await directMessages(scene, 'mia')).toHaveLength(2);
  });

  test('begins with the error of a session that ended with one', async () => {
    const token = await tokenOf(scene, 'mia');
    await send(scene, token, ends('s1', 'error'));
    expect((await directMessage(scene, 'mia', /Ended/)).text).toMatch(/^❌ \*Ended with an error\* in `web`/);
  });

  test('can be muted and unmuted, and turned off, by its own person', async () => {
    const token = await tokenOf(scene, 'mia');
    await send(scene, token, waits('s1'));
    await clickButton(scene.slack, 'mia', await directMessage(scene, 'mia', /Waits/), 'Mute this session', 'dm');
    const muted = await directMessage(scene, 'mia', /🔕 \*Muted\*/);
    await send(scene, token, ends('s1', 'error'));
    await settled(scene, 'hook-card', 'skipped');
    expect(await cards()).toEqual([expect.stringContaining('🔕 *Muted*')]);
    await clickButton(scene.slack, 'mia', muted, 'Unmute', 'dm');
    const card = await directMessage(scene, 'mia', /❌ \*Ended with an error\*/);
    await clickButton(scene.slack, 'mia', card, 'Turn off', 'dm');
    await scene.slack.next('ephemeral', ({ message }) => message.text.includes('Your token no longer works'));
    expect(await send(scene, token, waits('s1'))).toBe(401);
  });

  test('of one person is out of reach of the token and clicks of another', async () => {
    const [mine, theirs] = [await tokenOf(scene, 'mia'), await tokenOf(scene, 'morgan')];
    await send(scene, mine, waits('same'));
    const card = await directMessage(scene, 'mia', /May I run/);
    await send(scene, theirs, ends('same', 'error'));
    await directMessage(scene, 'morgan', /Ended with an error/);
    expect(await cards()).toEqual([card.text]);
    const mute = JSON.stringify(card.blocks).match(/"value":"([0-9a-f]{64})"/)?.[1] ?? '';
    const own = await directMessage(scene, 'morgan', /Ended/);
    const source = { in: 'message' as const, channel: 'dm', ts: own.ts };
    const forged = { type: 'button', action_id: 'session_hooks_mute', value: mute };
    await scene.slack.control.click({ as: 'morgan', source, actionId: 'session_hooks_mute', forged });
    await scene.slack.next('ephemeral', ({ message }) => message.text.includes('Nothing changed'));
    expect((await ask('mine', 'morgan')).text).toContain('Ended with an error');
    expect((await ask('mine')).text).toContain('Waits for you');
    expect((await ask('mine', 'ada')).text).toContain('hasn’t heard from your agent');
  });
});

describe('/session notify', () => {
  test('shows one text to paste with a code, which the client exchanges for tokens within an hour', async () => {
    const answer = await ask('notify');
    expect(answer.isEphemeral).toBe(true);
    const [json = '', ...others] = copiedFrom(answer);
    expect(others).toEqual([]);
    expect(answer.text).toContain('Paste this into the settings file of the command-line client');
    expect(Object.keys(JSON.parse(json).hooks)).toEqual([
      'Notification',
      'Stop',
      'SessionEnd',
      'PostToolUse',
      'SubagentStop',
    ]);
    const [code = ''] = /qms_[\w-]{32}/.exec(json) ?? [];
    expect(await send(scene, `qmh_${code.slice(4)}`, waits('s1'))).toBe(401);
    const [one, other] = [await exchange(scene, code), await exchange(scene, code)];
    expect(one.token).not.toBe(other.token);
    for (const { status, token } of [one, other]) {
      expect(status).toBe(200);
      expect(await send(scene, token, waits('s1'))).toBe(204);
    }
    await later(3_601);
    expect((await exchange(scene, code)).status).toBe(401);
    expect(await send(scene, one.token, waits('s1'))).toBe(204);
    const again = await ask('notify');
    expect(again.text).not.toContain('qms_');
    const since = scene.slack.mark();
    for (const secret of [code, one.token, other.token]) expect(JSON.stringify(scene.log)).not.toContain(secret);
    await clickButton(scene.slack, 'mia', again, 'New token');
    const renewed = await nextAnswer(scene.slack, since);
    expect(renewed.text).toContain('qms_');
    expect(renewed.text).not.toContain(code);
    expect(await send(scene, one.token, waits('s1'))).toBe(401);
  });

  test('gives at most ten tokens for one code, and none after it is turned off', async () => {
    const code = await codeOf(scene, 'mia');
    const statuses: number[] = [];
    for (let computer = 1; computer <= 11; computer += 1) statuses.push((await exchange(scene, code)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 401]);
    const another = await codeOf(scene, 'morgan');
    await ask('notify off', 'morgan');
    expect((await exchange(scene, another)).status).toBe(401);
  });

  test('explains each part of the text behind a button', async () => {
    const answer = await ask('notify');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', answer, 'Details');
    const view = await nextView(scene.slack, since);
    expect(textOfView(view)).toContain('exchanges the code for a token');
  });

  test('shows its status, sends a test through the real path, and ends', async () => {
    expect((await ask('notify status')).text).toContain('Agent messages are off');
    await tokenOf(scene, 'mia');
    expect((await ask('notify status')).text).toContain('No event came yet');
    expect((await ask('notify test')).text).toContain('✅ *Sent to http://127.0.0.1');
    await directMessage(scene, 'mia', /This is a test\./);
    expect((await ask('notify status')).text).toContain('1 session in the last 30 days');
    expect((await ask('notify off')).text).toContain('Your token no longer works');
    expect((await ask('notify off')).text).toContain('Agent messages are off');
  });

  test('gathers events during quiet hours into one message at their end, by the clock of its person', async () => {
    const token = await tokenOf(scene, 'mia');
    expect((await ask('notify quiet 22:00')).text).toContain('Quiet hours are two times of your day');
    expect((await ask('notify quiet 22:00 – 7:00')).text).toContain('✅ *Quiet from 22:00 to 07:00* (');
    const zone = /\((.+?)\)/.exec((await ask('notify status')).text)?.[1] ?? '';
    expect(zone).toBe('America/New_York');
    await moveClock(scene, new Date('2026-03-03T03:30:00Z'));
    await send(scene, token, waits('s1', 'First?'));
    await send(scene, token, ends('s2', 'error'));
    await settled(scene, 'hook-card', 'skipped', 2);
    expect(await cards()).toEqual([]);
    await moveClock(scene, new Date('2026-03-03T12:00:30Z'));
    const told = await directMessage(scene, 'mia', /While it was quiet: 2 sessions, 1 waits for you/);
    expect(told.text).toContain('First?');
    expect(await cards()).toHaveLength(1);
    await send(scene, token, ends('s1', 'error'));
    await directMessage(scene, 'mia', /^❌/);
    expect((await ask('notify quiet off')).text).toContain('Quiet hours are off');
  });
});
