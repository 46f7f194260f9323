import { onTestFinished, expect, test } from 'vitest';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { passTime } from '../../src/sandbox/demo/pass-time.ts';

const start = new Date('2026-03-02T15:10:00Z');
const end = new Date('2026-03-03T08:00:05Z');
const idle = () => Promise.resolve(true);

test('a long move passes each due moment in order, and waits for what it starts', async () => {
  const clock = createMovableClock(start, { frozen: true });
  onTestFinished(() => clock.dispose());
  const done: string[] = [];
  clock.eachMinute(async () => {
    const at = clock.now().toISOString().slice(11, 16);
    await new Promise((resolve) => setImmediate(resolve));
    done.push(`${at} ${clock.now().toISOString().slice(11, 16)}`);
  });
  await clock.whenTicked();
  expect(done.splice(0)).toEqual(['15:10 15:10']);
  await passTime(clock, end, idle);
  expect(clock.now()).toEqual(end);
  expect(done.slice(0, 2)).toEqual(['15:15 15:15', '15:30 15:30']);
  expect(done.at(-1)).toBe('08:00 08:00');
  expect(done).toHaveLength(68);
});

test('it waits for the bot at each moment, and moves backwards at once', async () => {
  const clock = createMovableClock(start, { frozen: true });
  onTestFinished(() => clock.dispose());
  const asked: string[] = [];
  await passTime(clock, new Date('2026-03-02T15:20:00Z'), () => {
    asked.push(clock.now().toISOString().slice(11, 16));
    return Promise.resolve(asked.length % 2 === 0);
  });
  expect(asked).toEqual(['15:15', '15:15', '15:20', '15:20']);
  await passTime(clock, start, idle);
  expect(clock.now()).toEqual(start);
});
