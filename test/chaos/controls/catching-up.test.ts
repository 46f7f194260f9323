import { afterEach, expect, test } from 'vitest';
import { cursorThat, nextPoll, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import type { TestApp } from '../../support/test-app.ts';

const REVISIONS = 500;
/** Slack accepts about one message a second in a channel; its time stamps here are those of the clock. */
const PACE_SECONDS = 0.99;

let scene: TestApp;
afterEach(() => scene.close());

test(`catching up on ${REVISIONS} revisions takes one message a burst, respects the rate limit of a channel, and reports each revision`, async () => {
  scene = await startWatching();
  for (let step = 1; step <= REVISIONS; step += 1) {
    const email = step <= REVISIONS / 2 ? 'ada.admin@acme.example' : 'morgan.manager@acme.example';
    scene.platform.addRevision({ settings: { rolloutRing: `ring ${step}` }, email });
  }
  const before = scene.platform.requests.length;
  const startedMs = performance.now();
  await nextPoll(scene);
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

const MANY = 10_000;
const FAILING_SHARE = 0.05;
/** Commands are acknowledged by the same event loop. */
const MAX_ACK_MS = 1_000;

test(`${MANY} revisions between two polls, with ${FAILING_SHARE * 100} % of the pages failing, are one message that counts all of them`, async () => {
  scene = await startWatching();
  for (let step = 1; step <= MANY; step += 1) {
    scene.platform.addRevision({
      settings: { rolloutRing: `ring ${step}` },
      email: `person${step % 30}@acme.example`,
    });
  }
  scene.platform.faults.add({
    kind: 'status',
    status: 500,
    probability: FAILING_SHARE,
    match: { path: '/api/v0/organization/enterprise-controls' },
  });
  const startedMs = performance.now();
  await nextPoll(scene);
  const over = new AbortController();
  const ackMs: number[] = [];
  const typing = (async () => {
    while (!over.signal.aborted) {
      const typed = { as: 'mia', channel: 'general', command: '/usage', text: 'help' };
      ackMs.push((await scene.slack.control.command(typed)).ackMs ?? Infinity);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  const last = 11 + MANY;
  await cursorThat(scene, ({ revision }) => revision === last);
  const [, notice] = await noticesIn(scene, 2);
  const replies = await repliesIn(scene, 3);
  over.abort();
  await typing;
  process.stdout.write(
    `${MANY} revisions: reported after ${Math.round((performance.now() - startedMs) / 1000)} s, longest acknowledgement ${Math.round(Math.max(...ackMs))} ms\n`,
  );
  expect(notice?.text).toContain('10,000 revisions of the enterprise controls by 30 people');
  expect(replies[0]?.text).toContain('*12*');
  expect(await noticesIn(scene, 2)).toHaveLength(2);
  expect(Math.max(...ackMs)).toBeLessThan(MAX_ACK_MS);
}, 600_000);
