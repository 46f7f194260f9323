import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import {
  ask,
  cardOf,
  clickCard,
  directMessagesTo,
  ledger,
  openReview,
  putsOf,
  requestOf,
  review,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { submitForm } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

const MIA = 'mia.member@acme.example';
const FIRST = '900000000';
const SECOND = '950000000';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA' } });
});
afterEach(() => scene.close());

async function set(amount: string, as = 'mia', people?: string[]): Promise<string> {
  const id = await ask(scene, as, { amount, ...(people ? { people } : {}) });
  await review(scene, as === 'ada' ? 'nora' : 'ada', id, 'approve');
  await untilState(scene, id, 'applied');
  await untilQuiet(scene);
  await moveClock(scene, new Date(scene.clock.now().getTime() + 1_000));
  return id;
}

const hasUndo = async (id: string) => JSON.stringify((await cardOf(scene, id)).blocks).includes('limits_undo');

async function undo(as: string, id: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, 'limits_undo');
  return (await nextAnswer(scene.slack, since)).text;
}

describe('*Undo* on the card of a decided request', () => {
  test('sets the limit from before, once, and the card, the person and the audit show it', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    expect(await hasUndo(id)).toBe(true);
    expect(await undo('nora', id)).toContain('✅ *900 M set*');
    await untilQuiet(scene);
    expect(scene.platform.limits.get(MIA)).toBe(900_000_000);
    const { text } = await cardOf(scene, id);
    expect(text).toContain(`↩️ *Undo* (\`${id}-undo\`): ✅ *900 M set*`);
    expect(text).toContain('undo by <@U0NORA>');
    expect(await hasUndo(id)).toBe(false);
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain('↩️ *Your limit is 900 M again.*');
    expect((await ledger(scene)).at(-1)).toMatchObject({
      requestId: `${id}-undo`,
      value: 900_000_000,
      valueBefore: 950_000_000,
      approvedBy: 'U0NORA',
    });
    const puts = putsOf(scene);
    expect(await undo('ada', id)).toContain('<@U0NORA> already undid the request');
    expect(putsOf(scene)).toBe(puts);
  });

  test('does nothing twice after a double click of two admins', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    const puts = putsOf(scene);
    await Promise.all(['ada', 'nora', 'ada', 'nora'].map((as) => clickCard(scene, as, id, 'limits_undo')));
    await untilState(scene, `${id}-undo`, 'applied');
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(puts + 1);
  });

  test('notifies the requester and the person if they differ', async () => {
    await set(FIRST);
    const id = await set(SECOND, 'morgan', ['U0MIA']);
    await undo('ada', id);
    await untilQuiet(scene);
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain('*Your limit is 900 M again.*');
    expect((await directMessagesTo(scene, 'morgan')).at(-1)).toContain('*The limit of <@U0MIA> is 900 M again.*');
  });

  test('is not there if the limit from before is unknown', async () => {
    const id = await set(FIRST);
    expect(await hasUndo(id)).toBe(false);
    expect(await undo('ada', id)).toContain('doesn’t know a permanent limit from before');
    expect(putsOf(scene)).toBe(1);
  });

  test('is refused after another request has set the limit', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    await set('990000000');
    expect(await undo('ada', id)).toContain('another request has changed one of its limits since');
    expect(scene.platform.limits.get(MIA)).toBe(990_000_000);
  });

  test('is refused after ten minutes, with the reason', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 10 * MINUTE_MS));
    expect(await undo('ada', id)).toContain('can be undone for ten minutes');
    expect(scene.platform.limits.get(MIA)).toBe(950_000_000);
  });

  test('is refused to the person whose limit it is, to managers and to members', async () => {
    await set(FIRST, 'ada', ['U0ADA']);
    const own = await set(SECOND, 'ada', ['U0ADA']);
    expect(await undo('ada', own)).toContain('Admins can’t undo a request that set their own limit');
    for (const as of ['morgan', 'mia']) expect(await undo(as, own)).toContain(onlyFor('admin', 'This'));
    expect((await requestOf(scene, own)).undoneAt).toBeNull();
    expect(await undo('nora', own)).toContain('✅ *900 M set*');
  });

  test('with an unknown outcome says so, and is sent again until it is known', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'empty', times: 1 });
    expect(await undo('ada', id)).toContain('*Unconfirmed for 1 person:*');
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain(`↩️ *Undo* (\`${id}-undo\`): ⚠️ *Unconfirmed for 1 person:*`);
    expect((await ledger(scene)).at(-1)?.requestId).toBe(id);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 90_000));
    await untilState(scene, `${id}-undo`, 'applied');
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('✅ *900 M set*');
    expect(scene.platform.limits.get(MIA)).toBe(900_000_000);
  });

  test('that the platform refuses can be retried on the card', async () => {
    await set(FIRST);
    const id = await set(SECOND);
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'status', status: 403, times: 1 });
    expect(await undo('ada', id)).toContain('*Not set.*');
    await untilQuiet(scene);
    expect(scene.platform.limits.get(MIA)).toBe(950_000_000);
    const card = await cardOf(scene, id);
    const source = { in: 'message' as const, channel: 'agent-usage', ts: card.ts };
    await scene.slack.control.click({ as: 'nora', source, actionId: 'limits_retry' });
    await untilState(scene, `${id}-undo`, 'applied');
    expect(scene.platform.limits.get(MIA)).toBe(900_000_000);
  });

  test('ends a temporary raise for good', async () => {
    await set(FIRST);
    const end = new Date('2026-03-05T12:00:00Z');
    const id = await ask(scene, 'mia', { amount: SECOND, until: end });
    await review(scene, 'ada', id, 'approve');
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    await undo('ada', id);
    await moveClock(scene, new Date(end.getTime() + 5 * MINUTE_MS));
    await untilQuiet(scene);
    expect(scene.platform.limits.get(MIA)).toBe(900_000_000);
    expect((await ledger(scene)).map(({ requestId }) => requestId)).not.toContain(`${id}-back`);
  });

  test('undoes the part of a request that was set, and the rest is not sent afterwards', async () => {
    await set(FIRST);
    const id = await ask(scene, 'morgan', { people: ['U0MIA'], emails: 'stranger@acme.example', amount: SECOND });
    await review(scene, 'ada', id, 'approve');
    await untilState(scene, id, 'partly_applied');
    await untilQuiet(scene);
    expect(await undo('nora', id)).toContain('✅ *900 M set*');
    await untilQuiet(scene);
    expect(JSON.stringify((await cardOf(scene, id)).blocks)).not.toContain('limits_retry');
    const puts = putsOf(scene);
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_retry');
    expect((await nextAnswer(scene.slack, since)).text).toContain('<@U0NORA> already undid the request');
    expect(putsOf(scene)).toBe(puts);
  });
});

test('*Undo* works on the copies that admins get by direct message, and each copy shows it', async () => {
  await scene.close();
  scene = await startTestApp({ settings: { ADMINS: 'U0ADA,U0NORA' } });
  const setByCopy = async (amount: string) => {
    const id = await ask(scene, 'mia', { amount });
    await openReview(scene, 'ada', id, 'dm');
    await submitForm(scene.slack, 'ada', reviewValues());
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 1_000));
    return id;
  };
  await setByCopy(FIRST);
  const id = await setByCopy(SECOND);
  await clickCard(scene, 'ada', id, 'limits_undo', 'dm');
  await untilState(scene, `${id}-undo`, 'applied');
  await untilQuiet(scene);
  for (const as of ['ada', 'nora'])
    await expect
      .poll(async () => (await cardOf(scene, id, 'dm', as)).text)
      .toContain(`↩️ *Undo* (\`${id}-undo\`): ✅ *900 M set*`);
});
