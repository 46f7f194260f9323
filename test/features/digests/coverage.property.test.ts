import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coveredDays, coveredNow } from '../../../src/features/digests/core/coverage.ts';
import { waitsSince } from '../../../src/features/digests/core/wait.ts';
import { scheduleOf, type Rhythm } from '../../../src/features/digests/core/settings.ts';
import { nextOccurrence, type Occurrence } from '../../../src/core/schedule/occurrences.ts';
import { daysOf, lengthOf, type Period } from '../../../src/core/base/time/calendar.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Apia',
  'Asia/Kolkata',
  'America/St_Johns',
];

/** All occurrences of 2026 and 2027 with the days that each covers. */
function coverages(rhythm: Rhythm, at: string, zone: string): (Period | undefined)[] {
  const schedule = scheduleOf(rhythm, at, zone);
  const found: (Period | undefined)[] = [];
  let occurrence: Occurrence = nextOccurrence(schedule, new Date('2026-02-01T00:00:00Z'));
  while (occurrence.at < new Date('2028-01-01T00:00:00Z')) {
    found.push(coveredDays(rhythm.cadence, schedule, occurrence));
    occurrence = nextOccurrence(schedule, occurrence.at);
  }
  return found;
}

const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
const toTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const rhythms = fc.oneof(
  fc.constantFrom<Rhythm>({ cadence: 'daily' }, { cadence: 'weekdays' }),
  fc.integer({ min: 1, max: 7 }).map((weekday): Rhythm => ({ cadence: 'weekly', weekday })),
);

describe('the days that a digest covers', () => {
  test('are each covered exactly once, in every zone, at every time, over all changes of the clocks', () => {
    fc.assert(
      fc.property(rhythms, fc.constantFrom(...ZONES), minutes, (rhythm, zone, minute) => {
        const days = coverages(rhythm, toTime(minute), zone).flatMap((period) => (period ? daysOf(period) : []));
        const [first = '', last = ''] = [days[0], days.at(-1)];
        expect(days).toEqual(daysOf({ first, last }));
      }),
      { numRuns: propertyRuns(8) },
    );
  }, 120_000);

  test('are those of one weekday, or with Monday those of the weekend', () => {
    const covered = coverages({ cadence: 'weekdays' }, '09:00', 'Europe/Berlin').slice(0, 6);
    expect(covered.map((period) => period && lengthOf(period))).toEqual([3, 1, 1, 1, 1, 3]);
    expect(covered[0]).toEqual({ first: '2026-01-30', last: '2026-02-01' });
  });

  test('are a week that ends on the day before', () => {
    expect(coverages({ cadence: 'weekly', weekday: 1 }, '09:00', 'UTC')[0]).toEqual({
      first: '2026-01-26',
      last: '2026-02-01',
    });
  });

  test('are the previous calendar month, even if the first comes earlier than in UTC', () => {
    for (const zone of ['UTC', 'Pacific/Auckland', 'Pacific/Honolulu']) {
      const [january] = coverages({ cadence: 'monthly', monthDay: 2 }, '09:00', zone);
      expect(january).toEqual({ first: '2026-01-14', last: '2026-01-31' });
    }
    // On the first of January in Auckland the last of December is not over in UTC: the digest waits for it.
    const newYear = { at: new Date('2027-12-31T20:00:00Z'), localDate: '2028-01-01' };
    const schedule = scheduleOf({ cadence: 'monthly', monthDay: 1 }, '09:00', 'Pacific/Auckland');
    expect(coveredDays('monthly', schedule, newYear)).toEqual({ first: '2027-12-01', last: '2027-12-31' });
    expect(waitsSince(newYear.at, newYear.at, '2027-12-31')).toEqual(new Date('2028-01-01T00:00:00Z'));
  });

  test('are none if a change of the clocks moves a digest to the same UTC date twice', () => {
    const empty = coverages({ cadence: 'daily' }, '01:30', 'Europe/Berlin').filter((period) => period === undefined);
    expect(empty).toHaveLength(2);
  });

  test('are none before the first figures', () => {
    const schedule = scheduleOf({ cadence: 'daily' }, '09:00', 'UTC');
    const occurrence = { at: new Date('2026-01-10T09:00:00Z'), localDate: '2026-01-10' };
    expect(coveredDays('daily', schedule, occurrence)).toBeUndefined();
  });
});

describe('the days of a digest that is requested now', () => {
  test.each([
    ['daily', '2026-03-01', '2026-03-01'],
    ['weekdays', '2026-02-27', '2026-03-01'],
    ['weekly', '2026-02-23', '2026-03-01'],
    ['monthly', '2026-02-01', '2026-02-28'],
  ] as const)('%s, on a Monday: %s to %s', (cadence, first, last) => {
    expect(coveredNow(cadence, new Date('2026-03-02T12:00:00Z'))).toEqual({ first, last });
  });
});
