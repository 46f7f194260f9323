import { afterEach, describe, expect, test } from 'vitest';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const DAY = '2026-04-14';

/** A group of eight; the first of them used a hundred times their usual amount on the last day. */
async function start(): Promise<string[]> {
  scene = await startTestApp({ at: new Date(`${DAY}T12:00:00Z`) });
  const emails = scene.platform.organization.people.flatMap(({ email }) => email ?? []).slice(0, 8);
  for (const email of emails) {
    const handle = email.split('@')[0] ?? email;
    if (!scene.slack.workspace.findPerson(email)) await scene.slack.control.addPerson({ handle, name: handle, email });
  }
  await scene.slack.control.setUserGroup({ handle: 'eight', members: emails });
  return emails;
}

const watchPosts = async () => {
  const { posts, replies } = await messagesIn(scene, 'agent-usage');
  return [...posts, ...replies].filter((post) => post.text.includes('@eight'));
};

/** Waits until the watch has judged a day. */
const assessed = (day: string) =>
  until(scene, (db) =>
    db
      .withTables<{ usageWatchDays: { day: string } }>()
      .selectFrom('usageWatchDays')
      .select('day')
      .where('day', '=', day)
      .executeTakeFirst(),
  );

describe('a watch of a group whose members change', () => {
  test('sends no correction because of the change, so that no two sums differ by one person', async () => {
    const emails = await start();
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage @eight');
    scene.platform.reviseDay(DAY, 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-15');
    const before = (await watchPosts()).map(({ text }) => text);
    expect(before.some((text) => text.includes('unusually high for @eight'))).toBe(true);
    // The people who made the day unusual leave the group, one after the other.
    for (let left = 1; left <= 3; left += 1) {
      await scene.slack.control.setUserGroup({ handle: 'eight', members: emails.slice(left) });
      await moveClock(scene, new Date(scene.clock.now().getTime() + 2 * 60 * 60_000));
      await typeCommand(scene.slack, 'morgan', '/usage', 'yesterday');
    }
    await moveClock(scene, new Date('2026-04-16T09:00:00Z'));
    await assessed('2026-04-15');
    const corrections = (await watchPosts()).filter((post) => everythingIn(post).includes('Corrected'));
    expect(corrections.map(({ text }) => text)).toEqual([]);
  });

  test('is corrected for the reported members when the platform restates the day', async () => {
    const emails = await start();
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage @eight');
    scene.platform.reviseDay(DAY, 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-15');
    await scene.slack.control.setUserGroup({ handle: 'eight', members: emails.slice(2) });
    scene.platform.reviseDay(DAY, 1);
    await moveClock(scene, new Date('2026-04-15T09:10:00Z'));
    await delivered(scene, 'usage-watch:%:correction:%:note');
    const note = (await watchPosts()).find((post) => post.text.includes('The platform revised'));
    expect(note?.text).toContain('which is usual for @eight');
    // The same eight as before: the sum of a settled group, not that of the remaining six.
    const { text } = await typeCommand(scene.slack, 'ada', '/usage', `${DAY} @eight`);
    expect(text).not.toBe('');
  });
});

describe('a watch aimed at the direct messages of another person', () => {
  test.each([
    ['/usage', 'watch <#U0MIA|x>', 'morgan'],
    ['/usage', 'watch <#D0MIA|x>', 'morgan'],
    ['/readiness', 'watch <#U0MIA|x>', 'morgan'],
    ['/controls', 'watch <#U0MIA|x>', 'ada'],
    ['/controls', 'watch <#D0MIA|x>', 'ada'],
  ])('is refused: %s %s', async (command, text, as) => {
    scene = await startTestApp({ at: new Date(`${DAY}T12:00:00Z`) });
    const since = scene.slack.mark();
    await scene.slack.control.command({ as, channel: 'general', command, text, isForged: true });
    const { message } = await scene.slack.next('ephemeral', () => true, { since });
    expect(message.text).toContain('This is a person, not a channel.');
    const watches = await until(scene, (db) => db.selectFrom('channelSubscriptions').selectAll().execute());
    expect(watches).toEqual([]);
  });
});
