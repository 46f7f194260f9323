import { afterEach, expect, test } from 'vitest';
import { delivered, messagesIn, setUpDigest, whileTimePasses } from '../../support/digests.ts';
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
  const key = `${id}:${dayAfter(days)}`;
  scene.clock.moveTo(new Date(`${dayAfter(days)}T09:00:00Z`));
  return whileTimePasses(
    scene,
    Promise.any([
      delivered(scene, key, 'sent').then(() => 'sent' as const),
      delivered(scene, key, 'skipped').then(() => 'skipped' as const),
    ]),
  );
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
