import { afterEach, describe, expect, test } from 'vitest';
import { availableEngines } from '../support/databases.ts';
import { askForComputer, computersNamed, createRequests, later, watches, whenMessage } from '../support/computers.ts';
import { delivered, messagesIn } from '../support/digests.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

describe.each(availableEngines())('/computers create on %s', (engine) => {
  test('makes one computer, and one card follows it until it is ready; then a direct message comes', async () => {
    const { slack } = await start({ engine });
    const since = slack.mark();
    const said = await askForComputer(scene, { repos: 'https://github.com/acme/web' }, 'mia', 'agent-usage');
    expect(said).toContain('The platform is creating night-build');
    await delivered(scene, ':card');
    const ready = await whenMessage(scene, 'message_updated', ({ text }) => text.includes('Ready after'), { since });
    expect(ready.text).toContain('Host name: night-build.computers.acme.example');
    await delivered(scene, ':done:0:ready');
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts).toHaveLength(1);
    const direct = await messagesIn(scene, 'dm', 'mia');
    expect(direct.posts.map(({ text }) => text.includes('Your computer is ready'))).toEqual([true]);
    expect(await computersNamed(scene.platform, 'night-build')).toHaveLength(1);
    expect(createRequests(scene)).toBe(1);
    expect((await watches(scene)).map(({ state }) => state)).toEqual(['ready']);
    later(scene, 1);
  });
});
