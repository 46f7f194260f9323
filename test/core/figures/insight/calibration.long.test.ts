import { expect, test } from 'vitest';
import { measureMonthEnds } from '../../../bench/calibration/organizations/month-ends.ts';
import { measureRunOuts } from '../../../bench/calibration/organizations/run-outs.ts';
import { HOLIDAYS, measureUnusualDays } from '../../../bench/calibration/organizations/unusual-days.ts';

// Fewer organizations than `npm run bench -- --only calibration`, so there is room for chance.
const SEED = 5;

const sum = <Item>(items: readonly Item[], measure: (item: Item) => number) =>
  items.reduce((total, item) => total + measure(item), 0);

test('unusual days are found in each kind of week after any number of holidays, with few false alarms', () => {
  const cells = measureUnusualDays(25, SEED);
  for (const kind of ['workdays', 'offDays'] as const) {
    const ordinary = cells.filter(({ people, isHeavyTailed }) => people > 3 && !isHeavyTailed);
    const alarms = sum(ordinary, (cell) => cell[kind].high + cell[kind].low);
    expect(alarms / sum(ordinary, (cell) => cell[kind].days)).toBeLessThan(0.0125);
  }
  const sixty = cells.filter(({ people, isHeavyTailed }) => people === 60 && !isHeavyTailed);
  for (const count of HOLIDAYS) {
    const found = sixty.flatMap((cell) => cell.found[count] ?? []);
    expect(sum(found, (one) => one.double) / sum(found, (one) => one.judged)).toBeGreaterThan(0.82);
    expect(sum(found, (one) => one.triple) / sum(found, (one) => one.judged)).toBeGreaterThan(0.97);
    expect(sum(found, (one) => one.zero) / sum(found, (one) => one.zeroJudged)).toBeGreaterThan(0.97);
  }
});

test('months are forecast at least as well as by each baseline, and eight of ten end in the range', () => {
  const all = Map.groupBy(measureMonthEnds(20, SEED), ({ daysLeft }) => daysLeft);
  expect([...all.keys()]).toEqual([25, 15, 5, 1]);
  for (const cells of all.values()) {
    for (const baseline of ['seasonal naive', 'median of four', 'Holt-Winters'] as const)
      expect(sum(cells, ({ off }) => off)).toBeLessThan(sum(cells, ({ offBaselines }) => offBaselines[baseline]));
    const inside = sum(cells, (cell) => cell.inside) / sum(cells, ({ ranges }) => ranges);
    expect(inside).toBeGreaterThan(0.75);
    expect(inside).toBeLessThan(0.9);
    expect(sum(cells, ({ calmRanges }) => calmRanges)).toBeGreaterThan(
      0.85 * sum(cells, ({ months, shocks }) => months - shocks),
    );
  }
});

test('“Will I run out?” is right for people of each kind, or says that too little is known', () => {
  for (const cell of measureRunOuts(1_500, SEED)) {
    expect(cell.open / cell.people).toBeLessThan(cell.habit === 'steady' ? 0.22 : 0.53);
    expect(cell.lastsWrongly / cell.lasts).toBeLessThan(cell.habit === 'growing' ? 0.32 : 0.22);
    // People who left reach nothing: some of them are told otherwise on the first day without use.
    const [wrong, most] =
      cell.habit === 'leaver'
        ? [cell.reached / cell.people, 0.02]
        : [cell.reachedWrongly / cell.reached, cell.habit === 'bursty' ? 0.32 : 0.22];
    expect(wrong).toBeLessThan(most);
    expect(cell.habit === 'leaver' ? 1 : cell.inside / cell.ranges).toBeGreaterThan(0.8);
  }
});
