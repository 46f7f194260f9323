import { expect, test } from 'vitest';
import { measureMonths } from '../../../bench/calibration/months/measure.ts';
import { monthLines } from '../../../bench/calibration/months/report.ts';

// A few organizations of each world; `npm run bench -- --only calibration` judges hundreds, with new seeds each time.
test('months end in the likely range about eight of ten times, even after steps and with a surge at their end', () => {
  const lines = monthLines(measureMonths(4, 3));
  const all = lines.filter(({ name }) => name === 'all worlds');
  expect(all.map(({ daysLeft }) => daysLeft)).toEqual([25, 15, 5, 1]);
  for (const { inside, withRange, ratioToBest } of all) {
    // For two weeks after a step there is none.
    expect(withRange).toBeGreaterThan(85);
    expect(inside).toBeGreaterThan(72);
    expect(inside).toBeLessThan(92);
    expect(ratioToBest).toBeLessThan(1.03);
  }
  const surges = lines.filter(({ name, daysLeft }) => name === 'surge at month end' && daysLeft <= 5);
  for (const { inside, ratioToBest } of surges) {
    expect(inside).toBeGreaterThan(60);
    expect(ratioToBest).toBeLessThan(0.9);
  }
});
