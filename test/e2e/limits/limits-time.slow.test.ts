import { afterEach, describe, expect, test } from 'vitest';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, messagesIn, setUpDigest } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import {
  ask,
  cardOf,
  ledger,
  openReview,
  peopleIn,
  putsOf,
  requestOf,
  review,
  directMessagesTo,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { LIMITS_CHANNEL: '#agent-usage', ...options.settings } }));
afterEach(() => scene.close());
const moveTo = (text: string) => moveClock(scene, new Date(text));
const MIA = 'mia.member@acme.example';
const END = new Date('2026-03-05T12:00:00Z');

/** A raise of Mia’s limit to 700 until Thursday noon, then back to 500. */
async function raise(): Promise<string> {
  const id = await ask(scene, 'morgan', { people: ['U0MIA'], amount: '700', until: END, back: '500' });
  await review(scene, 'ada', id, 'approve');
  await untilQuiet(scene);
  return id;
}

describe.each(availableEngines())('a raise that ends, on %s', (engine) => {
  test('is announced a day and an hour before its end, to the person and the requester, and goes back by itself', async () => {
    await start({ engine });
    const id = await raise();
    expect((await cardOf(scene, id)).text).toContain('then back to 500');
    for (const [now, notice] of [
      ['2026-03-04T12:01:00Z', 'day'],
      ['2026-03-05T11:01:00Z', 'hour'],
    ] as const) {
      await moveTo(now);
      await delivered(scene, `limit-return-soon:${id}:${notice}:U0MIA`);
      await delivered(scene, `limit-return-soon:${id}:${notice}:U0MORGAN`);
    }
    expect(scene.platform.limits.get(MIA)).toBe(700);
    await moveTo('2026-03-05T12:01:00Z');
    await untilState(scene, `${id}-back`, 'applied');
    expect(scene.platform.limits.get(MIA)).toBe(500);
    await untilQuiet(scene);
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain(
      `Your temporary raise ended (request \`${id}\`): ✅ *500 set*`,
    );
    expect((await directMessagesTo(scene, 'morgan')).at(-1)).toContain('700 → *500*, set');
    expect((await cardOf(scene, `${id}-back`)).text).toContain(
      `Temporary raise ended for <@U0MIA> (request \`${id}\`)`,
    );
    expect((await ledger(scene)).map(({ value }) => value)).toEqual([700, 500]);
    await moveTo('2026-03-05T13:00:00Z');
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(2);
  });

  test('does not go back if the value was changed in between, and gives the reason', async () => {
    await start({ engine });
    const id = await raise();
    const later = await ask(scene, 'morgan', { people: ['U0MIA'], amount: '900' });
    await review(scene, 'ada', later, 'approve');
    await untilQuiet(scene);
    await moveTo('2026-03-05T12:01:00Z');
    await untilState(scene, `${id}-back`, 'partly_applied');
    expect(scene.platform.limits.get(MIA)).toBe(900);
    await untilQuiet(scene);
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain(
      `Not sent: request ${later}, which was decided later, has set 900.`,
    );
    expect(putsOf(scene)).toBe(2);
  });
});

test('a raise is extended by a new request, with the same limit afterwards', async () => {
  const { slack } = await start();
  const id = await raise();
  await moveTo('2026-03-04T12:01:00Z');
  const notice = await delivered(scene, `limit-return-soon:${id}:day:U0MIA`);
  const since = slack.mark();
  await slack.control.click({
    as: 'mia',
    source: { in: 'message', channel: 'dm', ts: notice.messageTs ?? '' },
    actionId: 'limits_extend',
  });
  const form = textOfView(await nextView(slack, since));
  expect(form).toContain('"initial_value":"700"');
  expect(form).toContain('the limit returns to *500*');
  expect(form).toContain('For you: *mia.member@acme.example*');
});

describe('a request without a decision', () => {
  test('is reminded of in its thread after 4 and 24 hours of working time, and expires after 72', async () => {
    await start();
    await moveTo('2026-03-05T15:00:00Z');
    const id = await ask(scene, 'mia', { amount: '700' });
    // 19:00: no reminders in the evening.
    await moveTo('2026-03-05T19:01:00Z');
    await moveTo('2026-03-06T08:01:00Z');
    await delivered(scene, `limit-card:${id}:channel:reminder:4`);
    await moveTo('2026-03-06T15:01:00Z');
    await delivered(scene, `limit-card:${id}:channel:reminder:24`);
    const { replies } = await messagesIn(scene, 'agent-usage');
    expect(replies.map(({ text }) => text)).toEqual([
      'This request still waits for a decision; it was sent 17 hours ago.',
      'This request still waits for a decision; it was sent 24 hours ago.',
    ]);
    await moveTo('2026-03-08T15:01:00Z');
    await untilState(scene, id, 'expired');
    await untilQuiet(scene);
    expect((await directMessagesTo(scene, 'mia')).at(-1)).toContain('*Expired*');
    expect((await cardOf(scene, id)).text).toContain('*Expired*');
    expect((await messagesIn(scene, 'agent-usage')).replies).toHaveLength(2);
  });

  test('expires after the configured time, and cannot be approved a minute later', async () => {
    await start({ settings: { LIMITS_EXPIRE_HOURS: '1' } });
    const id = await ask(scene, 'mia', { amount: '700' });
    expect((await requestOf(scene, id)).expiresAt).toContain('2026-03-02T08:00');
    await moveClock(scene, new Date('2026-03-02T08:00:30Z'));
    expect(textOfView(await openReview(scene, 'ada', id))).toContain(`The request \`${id}\` expired`);
    expect(putsOf(scene)).toBe(0);
  });
});

describe('an answer of the platform', () => {
  const setTwo = async () => {
    const id = await ask(scene, 'morgan', { people: ['U0MIA'], emails: 'stranger@acme.example', amount: '700' });
    const shown = textOfView(await whileTimePasses(scene, review(scene, 'ada', id, 'approve')));
    await untilQuiet(scene);
    return { id, shown, card: (await cardOf(scene, id)).text };
  };

  test('in part is reported by person, in the platform’s own words, and retried for the failed people alone', async () => {
    await start();
    const { id, card } = await setTwo();
    expect((await requestOf(scene, id)).state).toBe('partly_applied');
    expect(card).toContain('*Partly set: 1 of 2.*');
    expect(card).toContain(
      'stranger@acme.example (not in Slack): current limit unknown → *700*. *Not set.* The platform said: “User not found”',
    );
    const since = scene.slack.mark();
    await scene.slack.control.click({
      as: 'ada',
      source: { in: 'message', channel: 'agent-usage', ts: (await cardOf(scene, id)).ts },
      actionId: 'limits_retry',
    });
    expect((await nextAnswer(scene.slack, since)).text).toContain('*Partly set: 1 of 2.*');
    expect(scene.platform.requests.filter(({ method }) => method === 'PUT')).toHaveLength(2);
    await untilQuiet(scene);
    expect(await directMessagesTo(scene, 'morgan')).toHaveLength(2);
  });

  test.each([
    ['a page', { kind: 'html' as const }, 'The platform answered with a page instead of data.'],
    ['nothing', { kind: 'empty' as const }, 'The platform’s answer was empty.'],
    ['another shape', { kind: 'wrong_shape' as const }, 'The platform’s answer cannot be read.'],
    ['a broken connection', { kind: 'drop_after' as const, times: 5 }, 'The connection to the platform broke.'],
  ])('as %s leaves the outcome unknown, which is shown, and settled by a repeat', async (_name, fault, sentence) => {
    await start();
    scene.platform.faults.add({ match: { method: 'PUT' }, times: 1, ...fault });
    const { id, shown, card } = await setTwo();
    expect(shown).toContain('*Unconfirmed for 2 people:*');
    expect(card).toContain(sentence);
    expect(card).toContain('*Unconfirmed.*');
    expect(await ledger(scene)).toEqual([]);
    expect((await directMessagesTo(scene, 'morgan'))[0]).toContain('*Unconfirmed for 2 people:*');
    await moveClock(scene, new Date(scene.clock.now().getTime() + 90_000));
    await untilState(scene, id, 'partly_applied');
    expect((await peopleIn(scene, id)).map(({ state }) => state)).toEqual(['set', 'refused']);
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('*Partly set: 1 of 2.*');
  });

  test.each([
    [401, 'no longer accepts Quartermaster’s API key'],
    [403, 'does not let Quartermaster’s API key set limits'],
    [400, 'The platform refused it (status 400)'],
  ])('with status %i sets nothing', async (status, sentence) => {
    await start();
    // Also to each person by themselves, which a refusal with 400 leads to.
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'status', status });
    const { card } = await setTwo();
    expect(card).toContain('*Not set: none of 2.*');
    expect(card).toContain(sentence);
    expect(scene.platform.limits.size).toBe(0);
  });

  test('to a repeated request does not undo a later decision', async () => {
    await start();
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'html', times: 1 });
    const first = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', first, 'approve');
    await moveClock(scene, new Date(scene.clock.now().getTime() + 5_000));
    const second = await ask(scene, 'mia', { amount: '800' });
    await review(scene, 'ada', second, 'approve');
    await untilState(scene, second, 'applied');
    await moveClock(scene, new Date(scene.clock.now().getTime() + 90_000));
    await untilState(scene, first, 'partly_applied');
    expect(scene.platform.limits.get(MIA)).toBe(800);
    await untilQuiet(scene);
    expect((await cardOf(scene, first)).text).toContain(`request ${second}, which was decided later, has set 800`);
  });

  test('about people’s credits can be missing: the card says so, and can be decided', async () => {
    await start();
    scene.platform.faults.add({ match: { path: '/api/v1/analytics' }, kind: 'status', status: 403 });
    const id = await ask(scene, 'mia', { amount: '700' });
    expect((await cardOf(scene, id)).text).toContain('Their usage couldn’t be read.');
    expect(textOfView(await review(scene, 'ada', id, 'approve'))).toContain('confirmed by the platform');
  });
});

describe('other views', () => {
  test('App Home shows admins the waiting requests, oldest first, and other users their own', async () => {
    const { slack } = await start();
    const first = await ask(scene, 'mia', { amount: '700' });
    const second = await ask(scene, 'max', { amount: '800' });
    const home = async (as: string) => {
      const since = slack.mark();
      await slack.control.openHome({ as });
      const isReady = ({ view }: { view: Parameters<typeof textOfView>[0] }) =>
        !textOfView(view).includes('One moment');
      return textOfView((await slack.next('home_published', isReady, { since })).view);
    };
    const ada = await home('ada');
    expect(ada).toContain('Waiting for you');
    expect(ada.indexOf(first)).toBeLessThan(ada.indexOf(second));
    const mia = await home('mia');
    expect(mia).not.toContain(second);
    // Her own request waits for an admin, not for her.
    expect(mia).toContain('Your open requests');
    expect(mia).not.toContain('Waiting for you');
    expect(await home('nora')).not.toContain('Waiting for you');
  });

  test('a digest counts the limits that were set and the waiting requests, without names', async () => {
    await start();
    const waiting = await ask(scene, 'mia', { amount: '700' });
    const id = await ask(scene, 'max', { amount: '10' });
    await review(scene, 'ada', id, 'approve');
    await moveTo('2026-03-03T09:00:00Z');
    await setUpDigest(scene, { sections: ['limits'], rhythm: 'daily', at: '09:30', zone: 'UTC' });
    await moveTo('2026-03-03T09:31:00Z');
    await untilQuiet(scene);
    const { posts } = await messagesIn(scene, 'agent-usage');
    const digest = posts.find(({ text }) => text.includes('Daily digest'))?.text ?? '';
    expect(digest).toContain('*1 credit limit* set (1 for the first time).');
    expect(digest).toContain(`•  \`${waiting}\` for 1 person, sent 26 hours ago`);
    expect(digest).not.toContain('U0MIA');
  });

  test('an explanation shows the changes of a limit', async () => {
    await start();
    const id = await ask(scene, 'mia', { amount: '700' });
    await review(scene, 'ada', id, 'approve');
    await moveTo('2026-03-04T09:00:00Z');
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', 'moved 2026-03-02..2026-03-03');
    expect(JSON.stringify(answer)).toContain(`the credit limit of ${MIA} was set to 700 (request ${id})`);
  });
});

describe.each(availableEngines())('/limits ending, on %s', (engine) => {
  test('shows admins raises that end within 14 days and limits far above use, from the newest limits', async () => {
    await start({ engine });
    const limits = async (as: string) => (await typeCommand(scene.slack, as, '/limits', 'ending')).text;
    expect(await limits('ada')).toContain('No limit ends within 14 days.');
    const id = await raise();
    const far = await ask(scene, 'morgan', { people: ['U0MAX'], amount: '900000000' });
    await review(scene, 'ada', far, 'approve');
    await untilQuiet(scene);
    const shown = await limits('ada');
    expect(shown).toMatch(/\*Ending within 14 days\*\n<@U0MIA>: \*700\* until .+, then back to 500\n/);
    expect(shown).toMatch(
      /\*More than 3 times what they used\* in the last 28 days\n<@U0MAX>: \*900,000,000\*, used [\d.]+ M/,
    );
    for (const as of ['mia', 'morgan']) expect(await limits(as)).toContain(onlyFor('admin', '/limits ending'));
    await moveTo('2026-03-05T12:01:00Z');
    await untilState(scene, `${id}-back`, 'applied');
    await untilQuiet(scene);
    expect(await limits('ada')).toContain('No limit ends within 14 days.');
  });
});
