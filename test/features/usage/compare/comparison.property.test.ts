import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareSides, pointsOfSides, type Side } from '../../../../src/features/usage/compare/comparison.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const DAY_MS = 86_400_000;
const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 14) + index * DAY_MS).toISOString().slice(0, 10);

const side = fc
  .record({
    first: fc.integer({ min: 0, max: 200 }),
    amounts: fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 95 }),
  })
  .map(({ first, amounts }): Side => ({
    label: `side of ${first}`,
    period: { first: dayOf(first), last: dayOf(first + amounts.length - 1) },
    part: {
      kind: 'read',
      readAt: new Date(0),
      rows: amounts.map((credits, index) => ({ date: dayOf(first + index), credits })),
    },
    isByDay: true,
  }));

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const rowsOf = ({ part }: Side) => (part.kind === 'read' ? part.rows : []);
/** Whether a weekday of this side does not occur in the other, from raw rows. */
const lacksWeekday = (one: Side, other: Side) => {
  const present = new Set(rowsOf(other).map(({ date }) => weekday(date)));
  return rowsOf(one).some(({ date }) => !present.has(weekday(date)));
};

/** The mean of the other side's weekday for each day of this side, from raw rows. */
function expectedBase(one: Side, other: Side): number {
  const rows = other.part.kind === 'read' ? other.part.rows : [];
  let base = 0;
  for (const { date } of one.part.kind === 'read' ? one.part.rows : []) {
    const same = rows.filter((row) => weekday(row.date) === weekday(date));
    base += same.reduce((sum, { credits }) => sum + credits, 0) / Math.max(1, same.length);
  }
  return base;
}

test('sums are those of the rows, and the base is the other side on the weekdays of the first', () => {
  fc.assert(
    fc.property(side, side, (one, other) => {
      const { sides, base, isAdjusted, hasOtherWeekdays } = compareSides(one, other);
      for (const [index, each] of [one, other].entries()) {
        const rows = each.part.kind === 'read' ? each.part.rows : [];
        expect(sides[index]?.credits).toBe(rows.reduce((sum, { credits }) => sum + credits, 0));
      }
      expect(hasOtherWeekdays).toBe(lacksWeekday(one, other));
      const expected = isAdjusted ? expectedBase(one, other) : (sides[1].credits ?? 0);
      expect(base === undefined ? undefined : Math.abs(base - expected) < 0.001).toBe(
        hasOtherWeekdays ? undefined : true,
      );
    }),
    { numRuns: propertyRuns(1_000) },
  );
});

test('the points of a chart add up to the sums while they fit', () => {
  fc.assert(
    fc.property(side, side, (one, other) => {
      const comparison = compareSides(one, other);
      const { values } = pointsOfSides(comparison);
      for (const [index, points] of values.entries()) {
        expect(points.length).toBeLessThanOrEqual(20);
        expect(points.reduce((sum, value) => sum + value, 0)).toBe(comparison.sides[index]?.credits);
      }
    }),
    { numRuns: propertyRuns(1_000) },
  );
});

test('a missing day is not zero: it ends the comparison', () => {
  fc.assert(
    fc.property(side, side, fc.nat(), (one, other, at) => {
      if (one.part.kind !== 'read') return;
      const { rows: all } = one.part;
      const rows = all.filter((_, index) => index !== at % all.length);
      expect(compareSides({ ...one, part: { ...one.part, rows } }, other).base).toBeUndefined();
    }),
    { numRuns: propertyRuns(300) },
  );
});
