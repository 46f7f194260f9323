import { afterEach, expect, test } from 'vitest';
import { ask, cardOf, denyReview, openReview, review, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { delivered } from '../../support/digests.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (settings: Record<string, string> = {}) =>
  (scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA', ...settings } }));
afterEach(() => scene.close());

const refuseEdits = (error: string) => scene.slack.control.addFault({ method: 'chat.update', kind: 'error', error });

async function repliesTo(ts: string, as = 'ada'): Promise<string[]> {
  const { channels } = await scene.slack.control.state({ as });
  return channels
    .flatMap(({ messages }) => messages)
    .filter(({ ts: own, threadTs }) => threadTs === ts && own !== ts)
    .map(({ text }) => text);
}

async function directTo(as: string, part: string): Promise<string[]> {
  const { channels } = await scene.slack.control.state({ as });
  const texts = channels
    .filter(({ kind }) => kind === 'dm')
    .flatMap(({ messages }) => messages.map(({ text }) => text));
  return texts.filter((text) => text.includes(part));
}

const noticesTo = (as: string) => directTo(as, 'update of the card');

// https://docs.slack.dev/reference/methods/chat.update
test.each(['edit_window_closed', 'cant_update_message', 'block_mismatch', 'is_inactive'])(
  'a card that Slack refuses to edit (%s) gets one reply with the outcome, and each admin one notice',
  async (error) => {
    await start();
    const id = await ask(scene, 'mia', { amount: '700' });
    const { ts } = await cardOf(scene, id);
    await refuseEdits(error);
    await review(scene, 'ada', id, 'approve');
    await untilState(scene, id, 'applied');
    await delivered(scene, `limit-card:${id}:channel:outcome:applied`);
    for (const admin of ['U0ADA', 'U0NORA']) await delivered(scene, `delivery-failed:limit-card:${id}:%:${admin}`);
    await untilQuiet(scene);
    const replies = await repliesTo(ts);
    expect(replies).toHaveLength(1);
    expect(replies[0]).toContain('This card can’t be updated');
    expect(replies[0]).toContain('✅ *700 set*');
    for (const as of ['ada', 'nora']) expect(await noticesTo(as)).toHaveLength(1);
  },
);

test('each copy of a card gets its own reply, and the admins get one notice about the request', async () => {
  await start({ LIMITS_CHANNEL: '' });
  const id = await ask(scene, 'mia', { amount: '700' });
  await untilQuiet(scene);
  await refuseEdits('edit_window_closed');
  await openReview(scene, 'ada', id, 'dm');
  await denyReview(scene, 'ada', 'Not this month');
  await untilState(scene, id, 'denied');
  for (const admin of ['U0ADA', 'U0NORA']) {
    await delivered(scene, `limit-card:${id}:${admin}:outcome:denied`);
    await delivered(scene, `delivery-failed:limit-card:${id}:%:${admin}`);
  }
  await untilQuiet(scene);
  for (const as of ['ada', 'nora']) {
    const replies = await directTo(as, 'This card can’t be updated');
    expect(replies).toHaveLength(1);
    expect(replies[0]).toContain('❌ *Denied by');
    expect(await noticesTo(as)).toHaveLength(1);
  }
});
