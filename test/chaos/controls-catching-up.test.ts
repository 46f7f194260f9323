import { afterEach, expect, test } from 'vitest';
import { nextPoll, noticesIn, repliesIn, startWatching } from '../support/controls.ts';
import type { TestApp } from '../support/test-app.ts';

const REVISIONS = 500;
/** Slack takes about one message a second in a channel; its time stamps here are those of the clock. */
const PACE_SECONDS = 0.99;

let scene: TestApp;
afterEach(() => scene.close());

test(`catching up on ${REVISIONS} revisions takes one message a burst, inside of the pace of a channel, and tells of each`, async () => {
  scene = await startWatching();
  for (let step = 1; step <= REVISIONS; step += 1) {
    const email = step <= REVISIONS / 2 ? 'ada.admin@acme.example' : 'morgan.manager@acme.example';
    scene.platform.addRevision({ settings: { rolloutRing: `ring ${step}` }, email });
  }
  const before = scene.platform.requests.length;
  const startedMs = performance.now();
  nextPoll(scene);
  const told = new Set<number>();
  for (let count = 1; told.size < REVISIONS; count += 1) {
    for (const { text } of await repliesIn(scene, count)) {
      for (const [, revision] of text.matchAll(/\*Revision (\d+)\*/g)) told.add(Number(revision));
    }
  }
  const notices = await noticesIn(scene, 3);
  expect(notices).toHaveLength(3);
  expect([...told].toSorted((a, b) => a - b)).toEqual(Array.from({ length: REVISIONS }, (_, index) => index + 12));
  const replies = await repliesIn(scene, 1);
  const times = [...notices, ...replies].map(({ ts }) => Number(ts)).toSorted((a, b) => a - b);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(PACE_SECONDS);
  const calls = scene.platform.requests.slice(before).filter(({ path }) => path.includes('enterprise-controls')).length;
  process.stdout.write(
    `${REVISIONS} revisions: ${notices.length - 1} messages and ${replies.length} replies in ${Math.round((performance.now() - startedMs) / 1000)} s, ${calls} calls\n`,
  );
});
