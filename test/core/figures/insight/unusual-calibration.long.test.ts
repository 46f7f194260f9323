import { expect, test } from 'vitest';
import { plusDays } from '../../../../src/core/base/time/calendar.ts';
import { usualRange } from '../../../../src/core/figures/insight/unusual.ts';
import { createNoise } from '../../../bench/calibration/noise.ts';
import { measureSteps, measureWeekendWork, TEAMS } from '../../../bench/calibration/weekend-work.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Each team has 125 ordinary workdays and 50 days of weekends; `npm run bench -- --only calibration` judges many more.
test('in teams that sometimes work at weekends, about one day in a hundred is called unusual, at weekends and on workdays', () => {
  const lines = measureWeekendWork(25, 1, TEAMS.slice(0, 5));
  expect(mean(lines.map(({ weekends }) => weekends))).toBeLessThan(2);
  expect(mean(lines.map(({ workdays }) => workdays))).toBeLessThan(2);
  expect(lines.find(({ name }) => name.startsWith('20 people'))?.caught).toBeGreaterThan(30);
});

test('after a lasting step the usual amount follows within a week', () => {
  for (const { alarms, off } of measureSteps(15, 1)) {
    expect(alarms[0]).toBeGreaterThan(20);
    expect(mean(alarms.slice(1))).toBeLessThan(5);
    expect(Math.max(...off.slice(1))).toBeLessThan(18);
  }
});

const MONDAY = '2026-01-05';
const WEEKS = 13;

test.each([
  ['five days', [-0.15, 0.05, 0.1, 0.1, -0.1]],
  ['seven days, with quiet weekends', [0.05, 0.1, 0.1, 0.05, 0, -0.5, -0.5]],
])('the usual amount of a weekday is learned from all its weeks: %s', (_, logarithmsOfShares) => {
  const errors: number[] = [];
  for (let seed = 0; seed < 100; seed += 1) {
    const noise = createNoise(seed);
    const days = Array.from({ length: 7 * WEEKS }, (__, index) => {
      const share = logarithmsOfShares[index % 7];
      const amount = share === undefined ? 0 : 1e6 * Math.exp(share + 0.15 * noise.normal());
      return { day: plusDays(MONDAY, index), amount };
    });
    for (const [weekday, share] of logarithmsOfShares.entries()) {
      const usual = usualRange(days, plusDays(MONDAY, 7 * WEEKS + weekday))?.usual ?? Number.NaN;
      errors.push((Math.log(usual / 1e6) - share) ** 2);
    }
  }
  // The mean of thirteen days is off by 0.042, and the level by about as much.
  expect(Math.sqrt(mean(errors))).toBeLessThan(0.056);
});

test('while a tool is adopted, a day on the curve of its growth is rarely called unusually high', () => {
  let [high, judged] = [0, 0];
  for (let seed = 0; seed < 120; seed += 1) {
    const noise = createNoise(seed);
    const [middle, width] = [7 * WEEKS - 20 + 30 * noise.uniform(), 12 + 8 * noise.uniform()];
    const days = Array.from({ length: 7 * (WEEKS + 2) }, (_, index) => {
      const grown = 1 + 4 / (1 + Math.exp((middle - index) / width));
      const amount = index % 7 > 4 ? 0 : 1e6 * grown * Math.exp(0.15 * noise.normal());
      return { day: plusDays(MONDAY, index), amount };
    });
    for (const { day, amount } of days.slice(7 * WEEKS).filter((one) => one.amount > 0)) {
      const range = usualRange(days, day);
      judged += 1;
      if (range && amount > range.high) high += 1;
    }
  }
  expect(judged).toBe(1200);
  expect(high / judged).toBeLessThan(0.012);
});
