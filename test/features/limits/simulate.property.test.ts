import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysOf, lengthOf, type Period } from '../../../src/core/base/time/calendar.ts';
import type { PeopleByDay } from '../../../src/core/analytics/amounts.ts';
import { closedPeriods, simulate } from '../../../src/features/limits/simulate/simulate.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const FEBRUARY = { first: '2026-02-01', last: '2026-02-28' };
const MARCH = { first: '2026-03-01', last: '2026-03-31' };
const RANGE = { first: FEBRUARY.first, last: MARCH.last };

function people(
  amounts: Record<string, number[]>,
  missing: readonly string[] = [],
  range: Period = RANGE,
): PeopleByDay {
  return {
    credits: new Map(
      Object.entries(amounts).map(([key, values]) => [
        key,
        Float64Array.from({ length: lengthOf(range) }, (_, place) => values[place] ?? 0),
      ]),
    ),
    keyByEmail: new Map([['second@acme.example', 'mia@acme.example']]),
    published: daysOf(range).flatMap((day, place) => (missing.includes(day) ? [] : [{ day, place }])),
  };
}

describe('a simulated limit', () => {
  test('stops on the first day on which it would be passed, for each period separately', () => {
    const daily = Array.from({ length: 59 }, () => 10);
    const simulation = simulate(people({ 'mia@acme.example': daily }), {
      limits: new Map([['mia@acme.example', 290]]),
      periods: [FEBRUARY, MARCH],
      range: RANGE,
    });
    expect(simulation).toEqual({
      kind: 'simulated',
      periods: [
        { period: FEBRUARY, people: 1, stopped: [] },
        {
          period: MARCH,
          people: 1,
          stopped: [{ email: 'mia@acme.example', on: '2026-03-30', used: 310, limit: 290, preventedShare: 20 / 310 }],
        },
      ],
    });
  });

  test('counts people from their first day on, and two e-mails of one person once', () => {
    const late = [...Array.from({ length: 40 }, () => 0), 5];
    const simulation = simulate(people({ 'mia@acme.example': late }), {
      limits: new Map(['mia@acme.example', 'second@acme.example', 'nobody@acme.example'].map((email) => [email, 1])),
      periods: [FEBRUARY, MARCH],
      range: RANGE,
    });
    const [first, second] = simulation.kind === 'simulated' ? simulation.periods : [];
    expect([first?.people, second?.people, second?.stopped.length]).toEqual([0, 1, 1]);
  });

  test('is refused if more than a tenth of the days are missing', () => {
    const wanted = { limits: new Map<string, number>(), periods: [FEBRUARY, MARCH], range: RANGE };
    const days = daysOf(RANGE);
    expect(simulate(people({}, days.slice(0, 6)), wanted)).toEqual({ kind: 'missing_days', missing: 6, days: 59 });
    expect(simulate(people({}, days.slice(0, 5)), wanted).kind).toBe('simulated');
  });

  test('of any height stops exactly the people who used more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(100), { minLength: 28, maxLength: 28 }), { minLength: 1, maxLength: 6 }),
        fc.nat(3_000),
        (amounts, limit) => {
          const named = Object.fromEntries(amounts.map((own, index) => [`p${index}@acme.example`, own]));
          const simulation = simulate(people(named, [], FEBRUARY), {
            limits: new Map(Object.keys(named).map((email) => [email, limit])),
            periods: [FEBRUARY],
            range: FEBRUARY,
          });
          const stopped = simulation.kind === 'simulated' ? (simulation.periods[0]?.stopped ?? []) : [];
          const over = Object.entries(named).filter(([, own]) => own.reduce((sum, one) => sum + one, 0) > limit);
          expect(stopped.map(({ email }) => email).toSorted()).toEqual(over.map(([email]) => email).toSorted());
          for (const { preventedShare, used } of stopped) expect(Math.round(used * (1 - preventedShare))).toBe(limit);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });

  test.each([
    ['month', '2026-05-10', ['2026-02-01', '2026-03-01', '2026-04-01']],
    ['week', '2026-03-04', ['2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23']],
  ] as const)('by %s on %s covers closed periods with figures', (unit, today, firsts) => {
    expect(closedPeriods(unit, today).map(({ first }) => first)).toEqual(firsts);
  });
});
