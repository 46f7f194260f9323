import { describe, expect, test } from 'vitest';
import { coveredWords } from '../../../src/features/digests/core/covered-words.ts';
import { coveredDays } from '../../../src/features/digests/core/coverage.ts';
import { scheduleOf, type Rhythm } from '../../../src/features/digests/core/settings.ts';
import { nextOccurrence } from '../../../src/core/schedule/occurrences.ts';
import { shareOf } from '../../support/property-runs.ts';

const FROM = new Date('2026-11-22T12:00:00Z');
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const YEAR_LATER = new Date('2027-11-22T12:00:00Z');
const words = (rhythm: Rhythm, at: string, zone: string) =>
  coveredWords(rhythm.cadence, scheduleOf(rhythm, at, zone), FROM);

describe('the words for the days that a digest covers', () => {
  test.each([
    ['09:00', 'UTC', 'Fri to Sun'],
    ['09:00', 'Europe/Berlin', 'Fri to Sun'],
    ['09:00', 'Pacific/Auckland', 'Thu to Sat'],
    ['17:00', 'America/Los_Angeles', 'Sat to Mon'],
    ['00:30', 'Europe/Berlin', 'Thu to Sat'],
    ['12:30', 'Pacific/Auckland', 'Thu to Sat, in other months Fri to Sun'],
    ['16:30', 'America/Los_Angeles', 'Sat to Mon, in other months Fri to Sun'],
  ])('match the local time on weekdays at %s in %s: %s', (at, zone, span) => {
    expect(words({ cadence: 'weekdays' }, at, zone)).toBe(`Monday’s digest covers ${span} (UTC days)`);
  });

  test('name the weekday of the other digests', () => {
    expect(words({ cadence: 'daily' }, '09:00', 'Pacific/Auckland')).toBe('Monday’s digest covers Sat (UTC days)');
    expect(words({ cadence: 'weekly', weekday: 5 }, '09:00', 'UTC')).toBe(
      'Friday’s digest covers Fri to Thu (UTC days)',
    );
    expect(words({ cadence: 'monthly', monthDay: 3 }, '09:00', 'UTC')).toBe(
      'each digest covers the calendar month before (UTC days)',
    );
  });

  test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'name the covered days on every Monday of a year in %s except the two on which the clocks changed',
    (zone) => {
      for (const hour of shareOf(HOURS)) {
        const schedule = scheduleOf({ cadence: 'weekdays' }, `${String(hour).padStart(2, '0')}:15`, zone);
        const said = coveredWords('weekdays', schedule, FROM);
        const unsaid: string[] = [];
        for (let at = FROM; at < YEAR_LATER;) {
          const occurrence = nextOccurrence({ ...schedule, days: [1] }, at);
          at = occurrence.at;
          const covered = coveredDays('weekdays', schedule, occurrence);
          const name = (day: string) =>
            new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(new Date(day));
          const span = covered ? `${name(covered.first)} to ${name(covered.last)}` : 'none';
          if (!said.includes(span)) unsaid.push(`${occurrence.localDate}: ${span}`);
        }
        expect(unsaid.length, `${said}; ${unsaid.join(', ')}`).toBeLessThanOrEqual(said.includes('other') ? 2 : 0);
      }
    },
  );
});
