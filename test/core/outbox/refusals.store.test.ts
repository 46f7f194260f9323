import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalDelayMs, settlementOf } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import type { PostOutcome } from '../../../src/core/outbox/poster.ts';
import { readHistory } from '../../support/outbox/read-history.ts';
import { setScene, START } from '../../support/outbox/outbox-scene.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const after = (ms: number) => new Date(START.getTime() + ms);
const refusal = (code = 'team_added_to_org'): PostOutcome => ({ kind: 'later', reason: `Slack refused (${code}).` });

/**
 * The times of the attempts for a message that Slack refuses for some time from the first attempt on; the last attempt
 * is the first that succeeds.
 */
function attemptsDuring(outageMs: number): number[] {
  const attempts = [0];
  for (let atMs = 0; atMs < outageMs; attempts.push(atMs))
    atMs += refusalDelayMs(atMs === 0 ? undefined : START, after(atMs));
  return attempts;
}

describe('a refusal that may pass', () => {
  test('is followed by a wait as long as it has lasted, from 5 seconds to 10 minutes', () => {
    expect(attemptsDuring(45 * SECOND).map((ms) => ms / SECOND)).toEqual([0, 5, 10, 20, 40, 80]);
    expect(refusalDelayMs(START, after(DAY))).toBe(10 * MINUTE);
    // The clock of another replica may be ahead.
    expect(refusalDelayMs(after(MINUTE), START)).toBe(5 * SECOND);
  });

  test('delays a message by at most its own length again, and by at most ten minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DAY }), (outageMs) => {
        const takenMs = attemptsDuring(outageMs).at(-1) ?? 0;
        const lateMs = takenMs - outageMs;
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThanOrEqual(Math.min(10 * MINUTE, Math.max(5 * SECOND, outageMs)));
      }),
      { numRuns: 500 },
    );
  });

  test('of a whole day costs fewer than 160 attempts', () => {
    expect(attemptsDuring(DAY).length).toBeLessThan(160);
  });
});

describe.each(availableEngines())('a delivery that Slack refuses temporarily, on %s', (engine) => {
  test('is posted once when Slack accepts it, and keeps the time of the first refusal', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [refusal(), refusal(), refusal('no_permission')];
    await scene.enqueue('a');
    for (const [waitMs, lastedMs] of [
      [5 * SECOND, 0],
      [5 * SECOND, 5 * SECOND],
      [10 * SECOND, 10 * SECOND],
    ] as const) {
      expect(await scene.settled('a', 'waiting')).toMatchObject({ delayMs: waitMs });
      expect((await scene.state('a')).nextAttemptAt).toBe(after(lastedMs + waitMs).toISOString());
      scene.advance(waitMs);
    }
    await scene.settled('a', 'sent');
    expect(scene.channel.posted).toHaveLength(1);
    // A refused post does not exist: no search is necessary.
    expect(scene.channel.searches).toEqual([]);
    const steps = (await readHistory(scene.store.db, 'a')).map(({ step }) => step).filter((step) => step !== 'posting');
    expect(steps).toEqual(['planned', 'refused', 'refused', 'sent']);
  });

  test('after hours of waiting for its day is retried as soon as any other', async () => {
    let waits = 0;
    const scene = await setScene(engine, {
      kind: {
        prepare: () => {
          waits += 1;
          if (waits > 12) return Promise.resolve({ kind: 'send', message: { text: markup`digest` } });
          const until = new Date(scene.clock.now().getTime() + 10 * MINUTE);
          return Promise.resolve({ kind: 'wait', until, reason: 'not published' });
        },
      },
    });
    scene.channel.answers = [refusal(), refusal()];
    await scene.enqueue('a');
    for (let index = 0; index < 12; index += 1) {
      await scene.settled('a', 'waiting');
      scene.advance(10 * MINUTE);
    }
    for (const wait of [1, 2]) {
      expect(await scene.settled('a', 'waiting'), `wait ${wait}`).toMatchObject({ delayMs: 5 * SECOND });
      scene.advance(5 * SECOND);
    }
    await scene.settled('a', 'sent');
  });

  test('survives the first refusal, however long it has waited for something else', async () => {
    let waits = 0;
    const scene = await setScene(engine, {
      kind: {
        prepare: () => {
          waits += 1;
          if (waits > 1) return Promise.resolve({ kind: 'send', message: { text: markup`card` } });
          return Promise.resolve({ kind: 'wait', until: after(2 * DAY), reason: 'nothing new' });
        },
      },
    });
    scene.channel.answers = [refusal()];
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    scene.advance(2 * DAY);
    expect(await scene.settled('a', 'waiting')).toMatchObject({ delayMs: 5 * SECOND });
    scene.advance(5 * SECOND);
    await scene.settled('a', 'sent');
  });

  test('survives a wait that Slack asks for, even if it is days old after an outage', async () => {
    const scene = await setScene(engine);
    const later: PostOutcome = { kind: 'later', delayMs: 30 * SECOND, reason: 'Slack asked to wait' };
    scene.channel.answers = [later, later];
    await scene.enqueue('a');
    scene.advance(3 * DAY);
    expect(await scene.settled('a', 'waiting')).toMatchObject({ delayMs: 30 * SECOND });
    scene.advance(30 * SECOND);
    expect(await scene.settled('a', 'waiting')).toMatchObject({ delayMs: 30 * SECOND });
    scene.advance(30 * SECOND);
    await scene.settled('a', 'sent');
  });

  test('is given up after a day of refusals, without a code', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [refusal(), refusal()];
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    scene.advance(DAY);
    expect(await scene.settled('a', 'failed')).toEqual({
      state: 'failed',
      reason: 'Given up after a day: Slack refused (team_added_to_org).',
    });
  });

  test('lets others of its channel pass', async () => {
    const scene = await setScene(engine);
    scene.channel.answers = [refusal()];
    await scene.enqueue('a');
    await scene.settled('a', 'waiting');
    await scene.enqueue('b');
    await scene.settled('b', 'sent');
    expect(scene.channel.posted.map(({ key }) => key)).toEqual(['b']);
  });
});

test('a wait that Slack asks for keeps its length, whatever was refused before', async () => {
  const scene = await setScene('sqlite');
  await scene.enqueue('a');
  await scene.settled('a', 'sent');
  const outcome: PostOutcome = { kind: 'later', delayMs: 30_000, reason: 'Slack asked to wait', isForChannel: true };
  expect(settlementOf(await scene.state('a'), outcome, after(MINUTE), undefined, START)).toEqual({
    state: 'waiting',
    delayMs: 30_000,
    reason: 'Slack asked to wait',
    isRefusal: true,
    restsMs: 30_000,
  });
});
