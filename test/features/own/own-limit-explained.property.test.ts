import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthOf, type Day } from '../../../src/core/base/time/calendar.ts';
import type { ExplainedPart } from '../../../src/core/figures/explanation/explanation.ts';
import { decideLimitCourse, explainLimit } from '../../../src/features/own/own-limit.ts';
import { type LimitFacts } from '../../../src/features/own/own-report.ts';
import { declaredLimit, knownLimit, NO_LIMIT } from '../../support/limits/known-limit.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const NOVEMBER = { first: '2026-11-01', last: '2026-11-30' };
const TODAY = '2026-11-21';

const factsOf = (days: readonly number[], limit: number, isDeclared = false): LimitFacts => ({
  limit: isDeclared ? declaredLimit(limit) : knownLimit(limit),
  countsOver: 'month',
  use: {
    period: NOVEMBER,
    through: '2026-11-20',
    used: days.slice(-20).reduce((sum, one) => sum + one, 0),
    days,
  },
});

const sumOf = (terms: readonly { value: number | undefined }[] = []) =>
  terms.reduce((sum, { value = 0 }) => sum + value, 0);

const known = (part: ExplainedPart | undefined) => (part?.value.kind === 'known' ? part.value.value : 0);

/** The days of the period after this one. */
const daysAfter = (day: Day) => lengthOf({ first: day, last: NOVEMBER.last }) - 1;

test('the parts of the explanation lead to the date and the sums of the line', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 20, maxLength: 56 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 40_000 }), (days, limit) => {
      const facts = factsOf(days, limit);
      const course = decideLimitCourse(facts);
      if (course.kind !== 'counted') throw new Error('The limit is counted');
      const [own, used, pace, ahead] = explainLimit(facts, TODAY);
      expect(own?.value).toEqual({ kind: 'known', value: limit });
      expect(used?.value).toEqual({ kind: 'known', value: course.used });
      expect(sumOf(used?.terms)).toBe(course.used);
      const { outlook } = course;
      const sums = ahead?.terms?.map(({ value = 0 }) => value) ?? [];
      const isAhead = outlook.kind === 'reached' || outlook.kind === 'lasts';
      expect(sums).toHaveLength(isAhead ? 10 - (outlook.kind === 'reached' ? daysAfter(outlook.on) : 0) : 0);
      expect(pace?.terms ?? []).toHaveLength(isAhead ? 7 : 0);
      expect(known(pace)).toBeCloseTo(sumOf(pace?.terms), 6);
      expect(known(ahead)).toBe(sums.at(-1) ?? 0);
      expect((sums.at(-1) ?? 0) >= limit).toBe(outlook.kind === 'reached');
      expect(sums.slice(0, -1).every((sum) => sum < limit)).toBe(true);
      expect(outlook.kind === 'lasts' ? outlook.byEnd : known(ahead)).toBe(known(ahead));
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('says where the limit comes from, and that its change elsewhere is unknown', () => {
  const days = Array.from({ length: 56 }, () => 100);
  expect(explainLimit(factsOf(days, 3_000), TODAY)[0]?.formula).toBe(
    'It was set here on 3 Nov. It counts over each month. The platform doesn’t say whether it was changed elsewhere.',
  );
  expect(explainLimit(factsOf(days, 3_000, true), TODAY)[0]?.formula).toContain(
    'An admin declared it on 3 Nov; it wasn’t set here.',
  );
});

test('is empty without a limit, its period or its use', () => {
  const facts = factsOf([100], 3_000);
  for (const missing of [{ limit: NO_LIMIT }, { countsOver: undefined }, { use: undefined }])
    expect(explainLimit({ ...facts, ...missing }, TODAY)).toEqual([]);
});
