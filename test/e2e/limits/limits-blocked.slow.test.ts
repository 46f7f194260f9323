import { afterEach, beforeEach, expect, test } from 'vitest';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { directMessage, ends, send, startHooksApp, tokenOf } from '../../support/hooks/hooks.ts';
import { ask, cardOf, putsOf, requestOf, review, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { actingPolicy, MIA_EMAIL, storePastRequests } from '../../support/limits/policies.ts';
import { delivered } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';

let scene: Awaited<ReturnType<typeof startHooksApp>>;
beforeEach(async () => {
  scene = await startHooksApp({
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA', LIMIT_PERIOD: 'month' },
  });
});
afterEach(() => scene.close());

const LIMIT = { email: MIA_EMAIL, value: 800_000_000, at: '2026-02-20T10:00:00.000Z' };

/** Mia’s agent ends, and she presses the button of its card. */
async function pressInCard(as = 'mia', forged?: string): Promise<ViewView> {
  const card = await directMessage(scene, as, /./);
  const source = { in: 'message' as const, channel: 'dm', ts: card.ts };
  const since = scene.slack.mark();
  const button = { type: 'button', action_id: 'limits_blocked', value: forged ?? '' };
  await scene.slack.control.click({
    as,
    source,
    actionId: 'limits_blocked',
    ...(forged === undefined ? {} : { forged: button }),
  });
  return nextView(scene.slack, since);
}

/** Sends the open form, and confirms doubts. @returns the id, once the card is posted */
async function sendForm(amount?: string): Promise<string> {
  const values = amount === undefined ? {} : { amount: { amount } };
  const view = textOfView(await submitForm(scene.slack, 'mia', values));
  const sent = view.includes('Check before you send') ? textOfView(await submitForm(scene.slack, 'mia')) : view;
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  return id;
}

test('an agent that ended with an error offers the filled form, and its card says when the limit was set', async () => {
  await setLimit(scene, LIMIT);
  const token = await tokenOf(scene, 'mia');
  await send(scene, token, ends('s1', 'error'));
  const card = await directMessage(scene, 'mia', /Ended with an error/);
  expect(JSON.stringify(card.blocks)).toContain('I hit my limit');
  const form = textOfView(await pressInCard());
  expect(form).toContain('I hit my limit and can’t work.');
  expect(form).toContain('1000000000');
  const id = await sendForm();
  expect((await cardOf(scene, id)).text).toContain('🛑 Blocked now: <@U0MIA> requests a credit limit of 1 B');
  const waiting = await directMessage(scene, 'mia', /You requested a higher limit/);
  expect(JSON.stringify(waiting.blocks)).not.toContain('I hit my limit');
  await review(scene, 'nora', id, 'approve');
  await untilState(scene, id, 'applied');
  const set = await directMessage(scene, 'mia', /✅ \*Limit set .*: run again\.\*/);
  expect(set.ts).toBe(card.ts);
  await untilQuiet(scene);
  expect((await cardOf(scene, id)).text).not.toContain('Blocked now');
});

test('with a policy the limit is set within 60 seconds of the event, and the card says so', async () => {
  await storePastRequests(scene);
  await actingPolicy(scene);
  const token = await tokenOf(scene, 'mia');
  const startedAt = scene.clock.now().getTime();
  await send(scene, token, ends('s1', 'error'));
  await directMessage(scene, 'mia', /Ended with an error/);
  await pressInCard();
  const shown = textOfView(await submitForm(scene.slack, 'mia', { amount: { amount: '1b' } }));
  expect(shown).toContain('✅ *1 B set*');
  expect(putsOf(scene)).toBe(1);
  expect(scene.clock.now().getTime() - startedAt).toBeLessThan(60_000);
  await directMessage(scene, 'mia', /✅ \*Limit set .*: run again\.\*/);
});

test('a session has one request, whatever is pressed, and nobody can use the session of another person', async () => {
  await setLimit(scene, LIMIT);
  const token = await tokenOf(scene, 'mia');
  await send(scene, token, ends('s1', 'error'));
  const card = await directMessage(scene, 'mia', /Ended with an error/);
  const key = /"value":"([0-9a-f]{64})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
  expect(textOfView(await pressInCard('mia', key))).toContain('I hit my limit');
  const id = await sendForm();
  expect(textOfView(await pressInCard('mia', key))).toContain(
    `You already requested a limit for this session: \`${id}\``,
  );
  const others = await tokenOf(scene, 'max');
  await send(scene, others, ends('s2', 'error'));
  expect(textOfView(await pressInCard('max', key))).toContain('Quartermaster knows no such session of yours.');
});

test('blocked requests come first in the list of those who approve', async () => {
  const older = await ask(scene, 'max', { amount: '1m' });
  await openByCommand(scene.slack, 'mia', '/limits', 'blocked');
  const id = await sendForm('2m');
  expect(await requestOf(scene, id)).toMatchObject({ isBlocked: 1, sessionKey: null });
  const list = (await typeCommand(scene.slack, 'ada', '/limits', '')).text;
  expect(list).toContain('blocked first, then the oldest');
  expect(list).toContain('🛑 Blocked now: <@U0MIA>');
  expect(list.indexOf(id)).toBeLessThan(list.indexOf(older));
});

test('/limits has the button for everybody, and an admin reads how long requests waited', async () => {
  const list = await typeCommand(scene.slack, 'mia', '/limits', '');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', list, 'I hit my limit');
  expect(textOfView(await nextView(scene.slack, since))).toContain('For you:');
  const id = await sendForm('2m');
  await moveClock(scene, new Date(scene.clock.now().getTime() + 12 * 60_000));
  await review(scene, 'ada', id, 'approve');
  await untilState(scene, id, 'applied');
  await untilQuiet(scene);
  const words = 'From request to limit: *12 minutes, the median of 1 request*; when blocked 12 minutes, of 1.';
  expect((await typeCommand(scene.slack, 'ada', '/limits', '2026-03-01..2026-03-31')).text).toContain(words);
  for (const as of ['mia', 'morgan'])
    expect((await typeCommand(scene.slack, as, '/limits', '2026-03-01..2026-03-31')).text).not.toContain(
      'From request to limit',
    );
});
