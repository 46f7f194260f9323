import { expect, test } from 'vitest';
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
