import { Session } from 'node:inspector/promises';
import { expect, onTestFinished, test } from 'vitest';
import { clickButton, nextAnswer, typeCommand } from '../support/slack/conversation.ts';
import { startTestApp } from '../support/test-app.ts';

/** How many files of the bot have a function that ran while something happened. */
async function openCounter(): Promise<(happen: () => Promise<unknown>) => Promise<number>> {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async (happen) => {
    await session.post('Profiler.takePreciseCoverage');
    await happen();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.filter(
      ({ url, functions }) =>
        /\/src\/(?!sandbox\/)/.test(url) &&
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
    ).length;
  };
}

test('a command, a click, a digest and a revision pass through few files', async () => {
  const scene = await startTestApp({
    settings: { DIGEST_CHANNEL: 'agent-usage', DIGEST_AT: '09:00', CONTROLS_CHANNEL: 'agent-usage' },
  });
  onTestFinished(() => scene.close());
  const { slack, platform, clock } = scene;
  const count = await openCounter();
  // What is loaded and read once is no part of the walk.
  const answer = await typeCommand(slack, 'morgan', '/usage');
  const command = await count(() => typeCommand(slack, 'morgan', '/usage'));
  const click = await count(async () => {
    const since = slack.mark();
    await clickButton(slack, 'morgan', answer, 'Details');
    await nextAnswer(slack, since);
  });
  const inChannel = (since: number, text: string) =>
    slack.next('message', ({ message }) => JSON.stringify(message).includes(text), { since });
  const digest = await count(async () => {
    const since = slack.mark();
    clock.moveTo(new Date('2026-03-03T09:00:30Z'));
    await inChannel(since, 'redits');
  });
  const revision = await count(async () => {
    const since = slack.mark();
    platform.addRevision({ settings: { rolloutRing: 'ring 9' } });
    clock.moveTo(new Date(clock.now().getTime() + 61_000));
    await inChannel(since, 'evision');
  });
  process.stdout.write(`files: command ${command}, click ${click}, digest ${digest}, revision ${revision}\n`);
  expect([command, click, digest, revision].every((files) => files > 20 && files < 300)).toBe(true);
});
