import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import {
  ask,
  clickCard,
  openReview,
  peopleIn,
  requestOf,
  review,
  directMessagesTo,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
});
afterEach(() => scene.close());

const SECRETS = /U0MAX|max\.member|U0NORA|nora\.member|secret plan|secret word/;
const limits = async (text: string, as: string) =>
  everythingIn(await typeCommand(scene.slack, as, '/limits', text, 'agent-usage'));

/** A raise of three people by Morgan, in which Nora gets less. */
async function raiseThree(): Promise<string> {
  const id = await ask(scene, 'morgan', {
    people: ['U0MIA', 'U0MAX', 'U0NORA'],
    amount: '7777',
    until: new Date('2026-03-05T12:00:00Z'),
    back: '1234',
    reason: 'secret plan',
  });
  await review(scene, 'ada', id, 'approve', { comment: 'secret word', amounts: { 2: '5555' } });
  await untilQuiet(scene);
  return id;
}

describe('one of several people of a request', () => {
  test('sees only their own row of it, while the requester and managers see all', async () => {
    const id = await raiseThree();
    const own = await limits(`show ${id}`, 'mia');
    expect(own).toContain('*7,777*');
    expect(own).not.toMatch(SECRETS);
    for (const as of ['morgan', 'ada']) expect(await limits(`show ${id}`, as)).toMatch(/secret plan[\s\S]*secret word/);
  });

  test('is notified of the end of their own raise only', async () => {
    const id = await raiseThree();
    await moveClock(scene, new Date('2026-03-05T12:01:00Z'));
    await untilState(scene, `${id}-back`, 'applied');
    await untilQuiet(scene);
    for (const as of ['mia', 'nora']) {
      const told = (await directMessagesTo(scene, as)).at(-1) ?? '';
      expect(told).toContain('*1,234*, set');
      expect(told.match(/<@U0(MIA|MAX|NORA)>/g)).toEqual([`<@U0${as.toUpperCase()}>`]);
    }
    expect((await directMessagesTo(scene, 'morgan')).at(-1)?.match(/<@U0(MIA|MAX|NORA)>/g)).toHaveLength(3);
  });

  test('extends their own raise only', async () => {
    const id = await raiseThree();
    const since = scene.slack.mark();
    await clickCard(scene, 'mia', id, 'limits_extend');
    const form = textOfView(await nextView(scene.slack, since));
    expect(form).toContain('For you: *mia.member@acme.example*');
    expect(form).not.toMatch(SECRETS);
  });
});

describe('a stranger', () => {
  test('gets the same answer as for an unknown request', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    const shown = async (one: string) =>
      (await limits(`show ${one}`, 'max')).replaceAll(one, '…').replaceAll(/"block_id":"\w+"/g, '');
    expect(await shown(id)).toBe(await shown('zzzzz'));
  });

  test.each(['limits_withdraw', 'limits_retry'])('learns nothing by %s either', async (actionId) => {
    const id = await ask(scene, 'mia', { amount: '700' });
    const answer = async (one: string) => {
      const since = scene.slack.mark();
      const card = { in: 'message' as const, channel: 'agent-usage', ts: await cardTs(id) };
      const forged = { type: 'button', action_id: actionId, value: one };
      await scene.slack.control.click({ as: 'max', source: card, actionId, forged });
      return (await nextAnswer(scene.slack, since)).text.replaceAll(one, '…');
    };
    expect(await answer(id)).toBe(await answer('zzzzz'));
    expect((await requestOf(scene, id)).state).toBe('pending');
  });
});

async function cardTs(id: string): Promise<string> {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const messages = channels.flatMap((channel) => channel.messages);
  const card = messages.find(({ metadata }) => String(metadata?.event_payload['key']).startsWith(`limit-card:${id}:`));
  return card?.ts ?? '';
}

describe('requests that are decided by direct message', () => {
  test('show nothing more to a user who is no longer an admin', async () => {
    await scene.close();
    scene = await startTestApp({ settings: { ADMINS: 'U0ADA,S0WEB' } });
    const id = await ask(scene, 'max', { amount: '700' });
    await untilQuiet(scene);
    await scene.slack.control.setUserGroup({ handle: 'web-team', members: [] });
    await openReview(scene, 'ada', id, 'dm');
    await scene.slack.control.submit({ as: 'ada' });
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect((await peopleIn(scene, id))[0]).toMatchObject({ state: 'set' });
    const { channels } = await scene.slack.control.state({ as: 'nora' });
    const texts = channels
      .filter(({ kind }) => kind === 'dm')
      .flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(texts.filter((text) => text.includes(id))).toHaveLength(1);
    expect(texts.join('\n')).not.toContain('approved by');
  });
});
