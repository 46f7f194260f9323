import { afterEach, expect, test } from 'vitest';
import { delivered, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock, passTo, whileTimePasses } from '../../support/scene-clock.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const DAY_MS = 86_400_000;
const startDay = new Date('2026-04-20T07:00:00Z');
const dayAfter = (days: number) => new Date(startDay.getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Lets the digest of a morning come, and returns how it ended. */
async function morning(id: string, days: number): Promise<'sent' | 'skipped'> {
  await moveClock(scene, new Date(`${dayAfter(days)}T09:00:00Z`));
  return until(scene, async (db) => {
    const ofMorning = db
      .selectFrom('deliveries')
      .select('state')
      .where('key', 'like', `%${id}:${dayAfter(days)}%`);
    const ended = await ofMorning.where('state', 'in', ['sent', 'skipped']).executeTakeFirst();
    return ended?.state === 'sent' || ended?.state === 'skipped' ? ended.state : undefined;
  });
}

test.each(availableEngines())(
  'a digest that is sent when needed skips quiet mornings and reports an unusual day, on %s',
  async (engine) => {
    await start({ engine, at: startDay });
    const { id } = await setUpDigest(scene, {
      rhythm: 'daily',
      at: '09:00',
      zone: 'UTC',
      sections: ['summary'],
      send: 'when_needed',
    });
    const endings: string[] = [];
    for (let day = 0; day < 3; day += 1) endings.push(await morning(id, day));
    expect(endings).toContain('skipped');
    scene.platform.reviseDay(dayAfter(2), 8);
    expect(await morning(id, 3)).toBe('sent');
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.at(-1)?.text).toContain('credits');
    const why = await typeCommand(scene.slack, 'morgan', '/digest', 'why');
    expect(why.text).toContain('Nothing needed attention.');
  },
);

test.each(availableEngines())(
  'the digest of a quiet morning is posted once if its day is corrected to an unusual one, on %s',
  async (engine) => {
    await start({ engine, at: startDay });
    const { id } = await setUpDigest(scene, {
      rhythm: 'daily',
      at: '09:00',
      zone: 'UTC',
      sections: ['summary'],
      send: 'when_needed',
    });
    // Its day is a Tuesday: a weekend has another range of usual days.
    let day = 2;
    while ((await morning(id, day)) !== 'skipped') day += 1;
    const before = (await messagesIn(scene, 'agent-usage')).posts.length;
    scene.platform.reviseDay(dayAfter(day - 1), 1.001);
    await passTo(scene, new Date(`${dayAfter(day)}T09:20:00Z`));
    scene.platform.reviseDay(dayAfter(day - 1), 8);
    await moveClock(scene, new Date(`${dayAfter(day)}T09:40:00Z`));
    await whileTimePasses(scene, delivered(scene, `${id}:${dayAfter(day)}:restated`));
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts).toHaveLength(before + 1);
    expect(posts.at(-1)?.text).toMatch(
      /Nothing needed attention at first. The platform has corrected these figures since/,
    );
    expect(posts.at(-1)?.text).toMatch(/credits/);
    const why = await typeCommand(scene.slack, 'morgan', '/digest', 'why');
    expect(why.text).toContain('because the figures of a quiet morning were corrected');
    // A further correction changes that message.
    scene.platform.reviseDay(dayAfter(day - 1), 9);
    await moveClock(scene, new Date(`${dayAfter(day)}T10:20:00Z`));
    await whileTimePasses(scene, delivered(scene, ':restated:correction:%:note'));
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(before + 1);
  },
);

test('after a week without a digest, one line says that nothing needs attention', async () => {
  await start({ at: startDay });
  const { id } = await setUpDigest(scene, {
    rhythm: 'daily',
    at: '09:00',
    zone: 'UTC',
    sections: ['readiness'],
    send: 'when_needed',
  });
  const endings: string[] = [];
  for (let day = 0; day < 9; day += 1) endings.push(await morning(id, day));
  expect(endings.filter((ending) => ending === 'sent')).toHaveLength(1);
  const { posts } = await messagesIn(scene, 'agent-usage');
  expect(posts.filter(({ text }) => text.startsWith('✅ Nothing needs attention.'))).toHaveLength(1);
});
