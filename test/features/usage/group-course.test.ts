import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, plusDays, type Period } from '../../../src/core/base/time/calendar.ts';
import { blocksOf, wholeBlocks } from '../../../src/core/figures/groups/blocks-of-days.ts';
import { courseOf } from '../../../src/features/usage/digest/group-course.ts';

const WEEK: Period = { first: '2026-03-23', last: '2026-03-29' };
const HISTORY: Period = { first: plusDays(WEEK.last, -91), last: WEEK.last };
const SCOPE = { period: WEEK, comparedWith: { first: '2026-03-16', last: '2026-03-22' }, today: '2026-03-30' };

const rowsOf = (amounts: readonly number[]) =>
  daysOf(HISTORY).map((date, index) => ({ date, billable_tokens: amounts[index] ?? 0 }));
const blocks = (period: Period) => ({ blocks: blocksOf(period), isByDay: false });
const past = { blocks: wholeBlocks(HISTORY), isByDay: false };

test('what is shown of blocks depends on their sums alone, not on the days within them', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 92, maxLength: 92 });
  fc.assert(
    fc.property(amounts, fc.array(fc.nat({ max: 100 }), { minLength: 92, maxLength: 92 }), (credits, percents) => {
      const rows = rowsOf(credits);
      const moved = new Map(rows.map(({ date, billable_tokens }) => [date, billable_tokens]));
      for (const { first, last } of past.blocks) {
        if (first === last) continue;
        const some = Math.floor(
          ((moved.get(first) ?? 0) * (percents[daysOf({ first: HISTORY.first, last: first }).length - 1] ?? 0)) / 100,
        );
        moved.set(first, (moved.get(first) ?? 0) - some);
        moved.set(last, (moved.get(last) ?? 0) + some);
      }
      const others = rows.map(({ date }) => ({ date, billable_tokens: moved.get(date) ?? 0 }));
      const admitted = { chart: blocks(WEEK), past };
      expect(courseOf(others, SCOPE, admitted)).toEqual(courseOf(rows, SCOPE, admitted));
    }),
  );
});

test('nothing is shown of days that may not be shown', () => {
  const rows = rowsOf(Array.from({ length: 92 }, (_, index) => index));
  expect(courseOf(rows, SCOPE, { chart: undefined, past: undefined })).toEqual({
    chart: undefined,
    moved: [],
    unusual: undefined,
    forecast: { kind: 'withheld' },
  });
});

test('each day is compared with the same weekday of the week before', () => {
  const rows = rowsOf(Array.from({ length: 92 }, (_, index) => (index === 91 ? 500 : 100)));
  const { moved } = courseOf(rows, SCOPE, { chart: undefined, past });
  expect(moved.map(({ block, value, before }) => [block.first, value, before])).toEqual([
    ['2026-03-23', 100, 100],
    ['2026-03-24', 100, 100],
    ['2026-03-25', 100, 100],
    ['2026-03-26', 100, 100],
    ['2026-03-27', 700, 300],
  ]);
});

test('a month has no changes by day, because its days have other weekdays', () => {
  const rows = rowsOf(Array.from({ length: 92 }, () => 100));
  const month = { first: '2026-03-01', last: '2026-03-29' };
  const scope = { ...SCOPE, period: month, comparedWith: { first: '2026-02-01', last: '2026-02-28' } };
  expect(courseOf(rows, scope, { chart: undefined, past }).moved).toEqual([]);
});
