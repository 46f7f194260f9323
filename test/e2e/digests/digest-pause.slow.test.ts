import { afterEach, describe, expect, test } from 'vitest';
import { delivered, setUpDigest, subscriptions } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

/** Monday 2 March 2026, 08:00 in Berlin. */
const digest = (text: string, as = 'morgan') => typeCommand(scene.slack, as, '/digest', text);
const dueOf = async () => (await subscriptions(scene))[0]?.nextDueAt;

describe.each(availableEngines())('a pause with an end, on %s,', (engine) => {
  test.each([
    ['until mar 20', '2026-03-20T09:00:00.000Z'],
    ['until 2026-03-21', '2026-03-21T09:00:00.000Z'],
    ['until jan 7', '2027-01-07T09:00:00.000Z'],
    ['until thursday', '2026-03-05T09:00:00.000Z'],
    ['for 2w', '2026-03-16T09:00:00.000Z'],
  ])('leaves out the digests before its day: %s', async (words, due) => {
    scene = await startTestApp({ engine });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    const answer = await digest(`pause ${id} ${words}`);
    expect(answer.text).toContain('⏸️ You paused');
    expect(answer.text).toContain(due.slice(0, 10));
    expect(await dueOf()).toBe(due);
  });
});

test('nothing comes before the day, and the digest of that day comes', async () => {
  scene = await startTestApp();
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  await digest(`pause ${id} until mar 5`);
  await moveClock(scene, new Date('2026-03-04T12:00:00Z'));
  expect((await digest('')).text).toContain('2026-03-05');
  await moveClock(scene, new Date('2026-03-05T08:59:00Z'));
  const { key } = await whileTimePasses(scene, delivered(scene, `digest:${id}:`));
  expect(key).toContain('2026-03-05');
});

test('it can be ended before its day, once', async () => {
  scene = await startTestApp();
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  await digest(`pause ${id} for 3w`);
  expect((await digest(`resume ${id}`)).text).toContain('You resumed');
  expect(await dueOf()).toBe('2026-03-02T09:00:00.000Z');
  expect((await digest(`resume ${id}`)).text).toContain('already active');
});

test.each([
  ['until yesterday', 'Choose a day within a year from now.'],
  ['until 2025-12-24', 'Choose a day within a year from now.'],
  ['for 900d', 'Choose a day within a year from now.'],
  ['until later', 'Type the day on which it comes again'],
  ['for ever', 'Type the day on which it comes again'],
  ['until oct', 'Type the day on which it comes again'],
  ['please', 'Type the day on which it comes again'],
])('words that name no such day change nothing: %s', async (words, sentence) => {
  scene = await startTestApp();
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  const due = await dueOf();
  expect((await digest(`pause ${id} ${words}`)).text).toContain(sentence);
  expect(await subscriptions(scene)).toMatchObject([{ state: 'active', nextDueAt: due }]);
});

test('somebody else’s digest stays as it is', async () => {
  scene = await startTestApp({ settings: { MANAGERS: 'morgan.manager@acme.example,max.member@acme.example' } });
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  const due = await dueOf();
  expect((await digest(`pause ${id} for 2w`, 'max')).text).toContain('who set up the digest');
  expect(await dueOf()).toBe(due);
});

describe('without an id', () => {
  test('who has no digest of their own reads so, and is not asked which', async () => {
    scene = await startTestApp({ settings: { MANAGERS: 'U0MORGAN,U0MAX' } });
    await setUpDigest(scene, {});
    for (const [words, verb] of [
      ['pause', 'pause'],
      ['resume', 'resume'],
      ['remove', 'delete'],
    ] as const)
      expect((await digest(words, 'max')).text).toBe(
        `You have no digest of your own to ${verb}. /digest lists those that you can see.`,
      );
    expect((await digest('pause', 'mia')).text).toContain(onlyFor('manager', '/digest'));
  });

  test('the only one is meant, and of several each has a button', async () => {
    scene = await startTestApp();
    await setUpDigest(scene, {});
    expect((await digest('pause')).text).toContain('⏸️ You paused');
    expect((await digest('pause')).text).toContain('You have no digest of your own to pause.');
    expect((await digest('delete')).text).toContain('Delete this digest?');
    await setUpDigest(scene, { channel: 'C0PLATFORM' });
    const which = await digest('delete');
    expect(which.text).toContain('Which digest do you want to delete?');
    expect(JSON.stringify(which.blocks).match(/digest_remove/g)).toHaveLength(2);
  });

  test('the only one pauses until a day, and of several one is named with that day', async () => {
    scene = await startTestApp();
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
    expect((await digest('pause until yesterday')).text).toContain('Choose a day within a year from now.');
    expect((await digest('pause until mar 20')).text).toContain('⏸️ You paused');
    expect(await dueOf()).toBe('2026-03-20T09:00:00.000Z');
    expect((await digest('pause for 3w')).text).toContain('⏸️ You paused');
    expect(await dueOf()).toBe('2026-03-23T09:00:00.000Z');
    await setUpDigest(scene, { channel: 'C0PLATFORM' });
    const which = await digest('pause until mar 20');
    expect(which.text).toMatch(
      /Which digest do you want to pause\?\* Type its id, such as `\/digest pause \w+ until 2026-03-20`/,
    );
    expect(which.text).toContain(id);
    expect((await subscriptions(scene)).map(({ nextDueAt }) => nextDueAt)).toContain('2026-03-23T09:00:00.000Z');
  });
});
