import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines, whereThereIsPostgres } from '../../support/stores/databases.ts';
import { delivered, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startReplica, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

/** The digest about Monday, sent on Tuesday at nine. */
async function sendOne(): Promise<string> {
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
  await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-03`);
  return `digest:${id}:2026-03-03`;
}
const digest = async () => {
  const { posts, replies } = await messagesIn(scene, 'agent-usage');
  const notes = replies.filter(({ metadata }) => String(metadata?.event_payload['key']).includes(':correction:'));
  return { post: posts.at(-1), notes };
};
const memoOf = (key: string) =>
  until(scene, (db) => db.selectFrom('deliveries').select('memo').where('key', '=', key).executeTakeFirst());

describe.each(availableEngines())('a sent digest, on %s', (engine) => {
  test('is corrected in its place when a figure changes, and one message in its thread says so', async () => {
    await start({ engine, at: new Date('2026-03-02T12:00:00Z') });
    await sendOne();
    const before = (await digest()).post;
    scene.platform.reviseDay('2026-03-02', 1.2);
    await moveClock(scene, new Date('2026-03-03T09:20:00Z'));
    await delivered(scene, ':correction:%:note');
    const { post, notes } = await digest();
    expect(post?.ts).toBe(before?.ts);
    expect(post?.isEdited).toBe(true);
    expect(post?.text).toMatch(/✏️ Corrected .*2026-03-03 09:2\d UTC>: [\d,]+ → [\d,]+ credits \(details in thread\)/);
    expect(notes).toHaveLength(1);
    expect(notes[0]?.text).toContain('The platform revised these figures; the digest above is updated.');
    await moveClock(scene, new Date('2026-03-03T09:40:00Z'));
    await moveClock(scene, new Date('2026-03-03T10:00:00Z'));
    await delivered(scene, ':correction:%:note');
    expect((await digest()).notes).toHaveLength(1);
  });

  test('is corrected at the next whole ten minutes, whenever the digests were last checked', async () => {
    await start({ engine, at: new Date('2026-03-02T12:00:00Z') });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:04', zone: 'UTC', sections: ['summary'] });
    // All jobs run after this jump.
    await moveClock(scene, new Date('2026-03-03T09:04:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    scene.platform.reviseDay('2026-03-02', 1.2);
    await moveClock(scene, new Date('2026-03-03T09:10:00Z'));
    await delivered(scene, ':correction:%:note');
    expect((await digest()).post?.text).toContain('2026-03-03 09:10 UTC');
  });

  test('that was incomplete is completed when its day is published', async () => {
    await start({ engine, at: new Date('2026-03-02T12:00:00Z') });
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
    scene.platform.holdDay('2026-03-02');
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`, 'waiting');
    await moveClock(scene, new Date('2026-03-03T15:00:01Z'));
    await delivered(scene, `${id}:2026-03-03`);
    expect((await digest()).post?.text).toContain(
      '⏳ Monday’s figures aren’t out yet. This message will fill in when they are.',
    );
    // A detail about a missing day would be empty.
    expect((await messagesIn(scene, 'agent-usage')).replies).toEqual([]);
    scene.platform.releaseDay('2026-03-02');
    await moveClock(scene, new Date('2026-03-03T16:00:00Z'));
    await delivered(scene, ':detail:summary');
    await delivered(scene, ':correction:%:note');
    const { post, notes } = await digest();
    expect(post?.text).not.toContain('aren’t out yet');
    expect(post?.text).toMatch(/✅ Completed .*2026-03-03 16:00 UTC/);
    expect(post?.text).toContain('6 hours late: Monday’s figures came late.');
    expect(notes[0]?.text).toContain('The missing figures are out; the digest above is complete now.');
    expect((await typeCommand(scene.slack, 'morgan', '/digest', 'why')).text).toContain(': ✅ completed');
  });
});

describe('a sent digest', () => {
  test('stays unchanged when a figure moves by less than half a percent', async () => {
    await start({ at: new Date('2026-03-02T12:00:00Z') });
    const key = await sendOne();
    const { memo } = await memoOf(key);
    scene.platform.reviseDay('2026-03-02', 1.002);
    await moveClock(scene, new Date('2026-03-03T09:20:00Z'));
    await until(scene, async (db) => {
      const now = await db.selectFrom('deliveries').select('memo').where('key', '=', key).executeTakeFirst();
      return now?.memo === memo ? undefined : true;
    });
    const { post, notes } = await digest();
    expect([post?.isEdited, notes]).toEqual([false, []]);
  });

  test('explains more in its thread, in separate messages', async () => {
    await start({ at: new Date('2026-03-02T12:00:00Z') });
    // Outside of its usual band; otherwise one line would suffice.
    scene.platform.reviseDay('2026-03-02', 20);
    await sendOne();
    await delivered(scene, ':detail:summary');
    const { posts, replies } = await messagesIn(scene, 'agent-usage');
    expect(replies.map(({ threadTs }) => threadTs)).toEqual([posts.at(-1)?.ts]);
  });

  test('whose edit is lost is edited again', async () => {
    await start({ at: new Date('2026-03-02T12:00:00Z') });
    await sendOne();
    await scene.slack.control.addFault({ method: 'chat.update', kind: 'dropped', times: 1 });
    scene.platform.reviseDay('2026-03-02', 1.5);
    await moveClock(scene, new Date('2026-03-03T09:20:00Z'));
    await delivered(scene, ':correction:', 'waiting');
    await moveClock(scene, new Date('2026-03-03T09:21:00Z'));
    await delivered(scene, ':correction:%:note');
    const isEdited = await until(scene, async () => ((await digest()).post?.isEdited ? true : undefined));
    expect(isEdited).toBe(true);
  });
});

test.each(whereThereIsPostgres())(
  'two replicas correct a digest once',
  async (engine) => {
    await start({ engine, at: new Date('2026-03-02T12:00:00Z') });
    const second = await startReplica(scene);
    try {
      const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
      for (const [day, factor] of [
        [3, 1.2],
        [4, 1.5],
      ] as const) {
        await moveClock(scene, new Date(`2026-03-0${day}T09:00:00Z`));
        await delivered(scene, `${id}:2026-03-0${day}`);
        scene.platform.reviseDay(`2026-03-0${day - 1}`, factor);
        await moveClock(scene, new Date(`2026-03-0${day}T09:20:00Z`));
        await delivered(scene, `${id}:2026-03-0${day}:correction:%:note`);
      }
      await moveClock(scene, new Date('2026-03-04T10:00:00Z'));
      await delivered(scene, `${id}:2026-03-04:correction:%:note`);
      const { notes } = await digest();
      expect(notes).toHaveLength(2);
    } finally {
      await second.stop();
    }
  },
  120_000,
);
