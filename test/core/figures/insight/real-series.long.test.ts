import { expect, test } from 'vitest';
import { measureRealSeries } from '../../../bench/calibration/real-series.ts';
import { BASELINE_NAMES } from '../../../bench/calibration/months/baselines.ts';

const LINES = measureRealSeries();

test.each(LINES)('few days of the $name are called unusual', ({ days, high, low }) => {
  expect((high + low) / days).toBeLessThan(0.04);
});

test.each(LINES)('months of the $name are forecast about as well as by the baselines', ({ months }) => {
  for (const { count, off, offBaselines } of months) {
    const ofBaselines = BASELINE_NAMES.map((name) => offBaselines[name] / count);
    const mean = ofBaselines.reduce((sum, one) => sum + one, 0) / ofBaselines.length;
    expect(off / count).toBeLessThan(1.15 * mean + 0.005);
  }
});

test('three of four months of all series end in the likely range', () => {
  const months = LINES.flatMap((line) => line.months);
  const inside = months.reduce((sum, month) => sum + month.inside, 0);
  expect(inside / months.reduce((sum, month) => sum + month.ranges, 0)).toBeGreaterThan(0.75);
});
