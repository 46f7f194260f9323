import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { delivered, messagesIn, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z'), ...options }));
afterEach(() => scene.close());

const unusualPosts = async () => {
  const { posts, replies } = await messagesIn(scene, 'agent-usage');
  const isOurs = ({ metadata }: (typeof posts)[number]) =>
    String(metadata?.event_payload['key']).startsWith('usage-watch:');
  return { posts: posts.filter(isOurs), replies: replies.filter(isOurs) };
};

describe('a watch of unusual days', () => {
  test('reports an unusual day to a channel once, accepts “Expected”, and reports when days are usual again', async () => {
    await start();
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage');
    expect(text).toContain('now gets a message when a day’s credits of the organization are unusual');
    await delivered(scene, 'usage-introduction:');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-15');
    const [post] = (await unusualPosts()).posts;
    expect(post?.text).toMatch(
      /Tue 14 Apr was unusually high for the organization\.\* [\d.]+ [KM] credits, above the usual .* for a Tuesday\./,
    );
    expect(post?.text).toContain('Mostly: ');
    if (!post) throw new Error('Nothing was posted');
    await clickButton(scene.slack, 'morgan', post, 'Expected', 'agent-usage');
    await delivered(scene, 'usage-watch:%:expected');
    const edited = await until(scene, async () => {
      const [again] = (await unusualPosts()).posts;
      return again && everythingIn(again).includes('Expected, says') ? again : undefined;
    });
    expect(edited.ts).toBe(post.ts);
    await moveClock(scene, new Date('2026-04-16T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-16');
    expect((await unusualPosts()).posts.at(-1)?.text).toContain('Back to usual: the organization, Wed 15 Apr.');
  });

  test('corrects a restated day, in its place and in its thread, once', async () => {
    await start();
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:C0USAGE:2026-04-15');
    scene.platform.reviseDay('2026-04-14', 1);
    await moveClock(scene, new Date('2026-04-15T09:10:00Z'));
    await delivered(scene, 'usage-watch:%:correction:%:note');
    const { posts, replies } = await unusualPosts();
    expect(posts).toHaveLength(1);
    expect(posts[0]?.text).toContain('Corrected: Tue 14 Apr was usual for the organization');
    expect(replies).toHaveLength(1);
  });

  test('shows a channel no figures of a small group', async () => {
    await start();
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage @web-team');
    expect(text).toContain('has fewer than 5 people');
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'watch me @web-team')).text).toContain('You now get');
  });

  test('names the explaining people to a manager in a direct message', async () => {
    await start();
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch me @web-team');
    scene.platform.reviseDay('2026-04-14', 40);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    await delivered(scene, 'usage-watch:U0MORGAN:2026-04-15');
    const { posts } = await messagesIn(scene, 'dm', 'morgan');
    const post = posts.find(({ text }) => text.includes('unusually high for @web-team'));
    expect(post?.text).toMatch(/Mostly: (?:Mia Chen|Nora Lindqvist) [\d.]+ [KM] instead of about /);
  });

  test('is for managers, and is ended by a word', async () => {
    await start();
    expect((await typeCommand(scene.slack, 'mia', '/usage', 'watch me')).text).toContain(
      onlyFor('manager', '/usage watch'),
    );
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch me');
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', 'unwatch me');
    expect(text).toContain('Alerts about unusual days for you are off: unusual days of the organization.');
    expect((await typeCommand(scene.slack, 'morgan', '/usage', 'unwatch me')).text).toContain(
      'Alerts about unusual days for you are already off.',
    );
  });
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('/usage %s is an unknown word', async (word) => {
  await start();
  expect((await typeCommand(scene.slack, 'morgan', '/usage', word)).text).toContain(`Unknown word “${word}”`);
});
