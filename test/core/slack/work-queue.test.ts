import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkQueue, type WorkQueueLimits } from '../../../src/core/base/work-queue.ts';

const LIMITS: WorkQueueLimits = { maxRunning: 64, maxRunningEach: 64, maxWaiting: 1_000, maxWaitingEach: 1_000 };
/** Resolves when a piece of a person's work starts. */
const turns = () => {
  const queue = createWorkQueue(LIMITS);
  return () => queue.run('U1', () => () => Promise.resolve());
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work starts when nothing more has arrived for ten milliseconds', async () => {
  const turn = turns();
  const begun: number[] = [];
  for (let arrival = 0; arrival < 5; arrival += 1) {
    void turn().then(() => begun.push(arrival));
    await vi.advanceTimersByTimeAsync(6);
  }
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(30);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('work starts even if more and more arrives, and in the order of arrival', async () => {
  const turn = turns();
  const waits: number[] = [];
  for (let arrival = 0; arrival < 200; arrival += 1) {
    const arrivedMs = performance.now();
    void turn().then(() => waits.push(performance.now() - arrivedMs));
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(500);
  expect(waits).toHaveLength(200);
  expect(Math.max(...waits)).toBeLessThan(250);
});

test('work that arrives between two pieces is seen before the second starts', async () => {
  const turn = turns();
  const order: string[] = [];
  const arrive = (name: string) => {
    order.push(`${name} arrived`);
    return turn().then(() => void order.push(`${name} began`));
  };
  const first = arrive('first').then(() => void arrive('late'));
  const second = arrive('second');
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([first, second]);
  expect(order).toEqual([
    'first arrived',
    'second arrived',
    'first began',
    'late arrived',
    'second began',
    'late began',
  ]);
});

test('urgent steps wait for the end of the burst, and not for work that is running', async () => {
  const queue = createWorkQueue({ ...LIMITS, maxRunning: 1 });
  void queue.run('busy', () => () => new Promise<void>(() => {}));
  await vi.advanceTimersByTimeAsync(50);
  const steps: string[] = [];
  void queue.run('calm', () => {
    steps.push('urgent');
    return () => Promise.resolve(steps.push('rest'));
  });
  await vi.advanceTimersByTimeAsync(9);
  expect(steps).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(steps).toEqual(['urgent']);
  expect(queue.counts()).toEqual({ waiting: 1, running: 1 });
});

test('urgent steps wait while more arrives, but no longer than fifty milliseconds', async () => {
  const queue = createWorkQueue(LIMITS);
  const waitsMs: number[] = [];
  const arrive = () => {
    const arrivedMs = performance.now();
    void queue.run('U1', () => {
      waitsMs.push(performance.now() - arrivedMs);
      return () => Promise.resolve();
    });
  };
  for (let arrival = 0; arrival < 12; arrival += 1) {
    arrive();
    await vi.advanceTimersByTimeAsync(6);
  }
  await vi.advanceTimersByTimeAsync(50);
  expect(waitsMs).toHaveLength(12);
  expect(Math.max(...waitsMs)).toBe(50);
  expect(Math.min(...waitsMs)).toBe(10);
});

test('an error of the urgent steps reaches the caller, and the next work runs', async () => {
  const queue = createWorkQueue({ ...LIMITS, maxRunning: 1 });
  const failing = queue.run('U1', () => {
    throw new Error('No such view');
  });
  const next = queue.run('U1', () => () => Promise.resolve('done'));
  void vi.advanceTimersByTimeAsync(100);
  await expect(failing).rejects.toThrow('No such view');
  await expect(next).resolves.toBe('done');
  expect(queue.counts()).toEqual({ waiting: 0, running: 0 });
});

test('at most the allowed number runs at a time, and all of it in the end', async () => {
  const queue = createWorkQueue({ ...LIMITS, maxRunning: 3 });
  let most = 0;
  const all = Array.from({ length: 20 }, () =>
    queue.run('U1', () => async () => {
      most = Math.max(most, queue.counts().running);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all(all);
  expect(most).toBe(3);
  expect(queue.counts()).toEqual({ waiting: 0, running: 0 });
});

test('people take turns: a person with a hundred pieces does not delay another one', async () => {
  const queue = createWorkQueue({ ...LIMITS, maxRunning: 1 });
  const order: string[] = [];
  const add = (person: string) => queue.run(person, () => () => Promise.resolve(order.push(person)));
  const all = [...Array.from({ length: 100 }, () => add('busy')), add('calm')];
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all(all);
  expect(order.indexOf('calm')).toBeLessThan(3);
});

test('past its bounds the queue accepts only work of people who have nothing waiting while others fill it', () => {
  const queue = createWorkQueue({ maxRunning: 1, maxRunningEach: 1, maxWaiting: 10, maxWaitingEach: 8 });
  const never = () => () => new Promise<void>(() => {});
  let own = 0;
  while (queue.hasRoom('busy')) {
    void queue.run('busy', never);
    own += 1;
  }
  expect(own).toBe(8);
  expect(queue.hasRoom('calm')).toBe(true);
  for (let person = 0; queue.hasRoom(`U${person}`); person += 1) void queue.run(`U${person}`, never);
  expect(queue.counts().waiting).toBe(20);
  expect(queue.hasRoom('busy')).toBe(false);
});

test('one person never has more running than their share, and the work of others continues', async () => {
  const queue = createWorkQueue({ ...LIMITS, maxRunning: 10, maxRunningEach: 2 });
  let busy = 0;
  let most = 0;
  const slow = () =>
    queue.run('busy', () => async () => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise((resolve) => setTimeout(resolve, 100));
      busy -= 1;
    });
  const all = Array.from({ length: 10 }, slow);
  await vi.advanceTimersByTimeAsync(50);
  let isCalmDone = false;
  void queue.run('calm', () => () => Promise.resolve()).then(() => (isCalmDone = true));
  await vi.advanceTimersByTimeAsync(30);
  expect(isCalmDone).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all(all);
  expect(most).toBe(2);
});
