import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  limitPeriodAround,
  limitPeriodSchema,
  monthOf,
  periodEndWords,
  periodName,
  startDayOf,
  thisPeriodWords,
  unitOf,
  type LimitPeriod,
} from '../../../src/core/base/time/limit-period-days.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const FIRST_YEAR = 2023;
const LAST_YEAR = 2033;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface CountedDay {
  text: string;
  dayOfMonth: number;
  month: number;
  isMonday: boolean;
}

/** Days counted by hand, without any date of the program or of the language. 1 January 2023 was a Sunday. */
function countedDays(): CountedDay[] {
  const days: CountedDay[] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
    for (const [index, length] of MONTH_LENGTHS.entries()) {
      const isLeapFebruary = index === 1 && year % 4 === 0;
      for (let dayOfMonth = 1; dayOfMonth <= length + (isLeapFebruary ? 1 : 0); dayOfMonth += 1)
        days.push({
          text: `${year}-${String(index + 1).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`,
          dayOfMonth,
          month: index + 1,
          isMonday: days.length % 7 === 1,
        });
    }
  return days;
}

const DAYS = countedDays();

type Begins = (day: CountedDay) => boolean;

const BEGINS: ReadonlyMap<LimitPeriod, Begins> = new Map<LimitPeriod, Begins>([
  ['week', ({ isMonday }) => isMonday],
  ['month', ({ dayOfMonth }) => dayOfMonth === 1],
  ...Array.from({ length: 27 }, (_, index): [LimitPeriod, Begins] => [
    `month from ${index + 2}`,
    ({ dayOfMonth }) => dayOfMonth === index + 2,
  ]),
  ['quarter', ({ dayOfMonth, month }) => dayOfMonth === 1 && month % 3 === 1],
  ['year', ({ dayOfMonth, month }) => dayOfMonth === 1 && month === 1],
]);

/** The whole periods of these years, in order: each begins where the one before ended. */
const wholePeriods = (begins: Begins) => {
  const starts = DAYS.flatMap((day, index) => (begins(day) ? [index] : []));
  return starts.slice(0, -1).map((start, index) => DAYS.slice(start, starts[index + 1]).map(({ text }) => text));
};

describe('the days of a period of limits', () => {
  test.each([...BEGINS])('over a %s: each day is in the period that began last, and in no other', (period, begins) => {
    for (const days of wholePeriods(begins)) {
      const expected = { first: days[0], last: days.at(-1) };
      for (const day of days) expect(limitPeriodAround(day, period)).toEqual(expected);
    }
  });

  test('as many periods before or after are counted from the one around the day', () => {
    const periods = fc.constantFrom(...BEGINS.keys());
    fc.assert(
      fc.property(periods, fc.nat(), fc.nat(), (period, from, to) => {
        const begins = BEGINS.get(period);
        const all = begins ? wholePeriods(begins) : [];
        const [one, other] = [from % all.length, to % all.length];
        const day = all[one]?.at(from % (all[one]?.length ?? 1)) ?? '';
        const days = all[other];
        expect(limitPeriodAround(day, period, other - one)).toEqual({ first: days?.[0], last: days?.at(-1) });
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  test.each([
    ['2026-03-14', '2026-02-15', '2026-03-14'],
    ['2026-03-15', '2026-03-15', '2026-04-14'],
    ['2026-01-01', '2025-12-15', '2026-01-14'],
    ['2028-02-29', '2028-02-15', '2028-03-14'],
  ])('of a month from the 15th, %s is in %s to %s', (day, first, last) => {
    expect(limitPeriodAround(day, 'month from 15')).toEqual({ first, last });
  });
});

describe('the spelling of a period of limits', () => {
  test('each has one, and is read as it is written', () => {
    for (const period of BEGINS.keys()) expect(limitPeriodSchema.parse(period)).toBe(period);
    expect(limitPeriodSchema.parse('month from 1')).toBe('month');
  });

  test.each(['', 'day', 'Month', 'month from', 'month from 0', 'month from 29', 'month from 31', 'month from 015'])(
    '“%s” is none',
    (text) => expect(limitPeriodSchema.safeParse(text).success).toBe(false),
  );

  test.each(['week from 2', 'quarter from 15', 'month from 1.5', 'month from -3', 'month from 15 ', 'month from 1e1'])(
    '“%s” is none either',
    (text) => expect(limitPeriodSchema.safeParse(text).success).toBe(false),
  );

  test('names its unit, and the day on which it begins', () => {
    expect(['week', 'month', 'month from 22'].map((period) => periodName(limitPeriodSchema.parse(period)))).toEqual([
      'week',
      'month',
      'month from the 22nd',
    ]);
    expect([unitOf('month from 15'), startDayOf('month from 15'), startDayOf('year')]).toEqual(['month', 15, 1]);
    expect([monthOf('month from 15'), monthOf('week'), monthOf(undefined)]).toEqual([
      'month from 15',
      'month',
      'month',
    ]);
  });

  test('the running one is named by its dates if it is not the calendar’s', () => {
    const days = { first: '2026-11-15', last: '2026-12-14' };
    const words = (period: LimitPeriod, today: string) => [
      thisPeriodWords(period, days, today),
      periodEndWords(period, days, today),
    ];
    expect(words('month', '2026-11-20')).toEqual(['this month', 'the end of the month']);
    expect(words('month from 15', '2026-11-20')).toEqual(['15 Nov – 14 Dec', '14 Dec']);
    const overNewYear = { first: '2026-12-15', last: '2027-01-14' };
    expect(thisPeriodWords('month from 15', overNewYear, '2026-12-20')).toBe('15 Dec 2026 – 14 Jan 2027');
    expect(periodEndWords('month from 15', overNewYear, '2026-12-20')).toBe('14 Jan 2027');
  });
});
