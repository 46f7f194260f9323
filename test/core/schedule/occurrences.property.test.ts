import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideDue,
  EVERY_DAY,
  lastOccurrence,
  nextOccurrence,
  type Schedule,
} from '../../../src/core/schedule/occurrences.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
const schedules = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  at: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hours, minutes]) => {
    return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  }),
  zone: fc.constantFrom(...ZONES),
});
const instants = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2027-12-31T00:00:00Z'),
  noInvalidDate: true,
});

/** Every occurrence in a span, one after the other. */
function occurrencesBetween(schedule: Schedule, from: Date, to: Date) {
  const found = [];
  for (let at = from; ;) {
    const next = nextOccurrence(schedule, at);
    if (next.at > to) return found;
    found.push(next);
    at = next.at;
  }
}

describe('the times of a schedule', () => {
  test('the next occurrence is later, the last one is not, and none lies between them', () => {
    fc.assert(
      fc.property(schedules, instants, (schedule, now) => {
        const next = nextOccurrence(schedule, now);
        const last = lastOccurrence(schedule, now);
        expect(next.at > now).toBe(true);
        expect(last.at <= now).toBe(true);
        expect(nextOccurrence(schedule, last.at).at).toEqual(next.at);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'at 02:30 in %s there is one occurrence on every date of two years, over all changes of the clocks',
    (zone) => {
      const schedule = { days: EVERY_DAY, at: '02:30', zone };
      const found = occurrencesBetween(schedule, new Date('2026-01-01T12:00:00Z'), new Date('2027-12-31T12:00:00Z'));
      const dates = found.map((occurrence) => occurrence.localDate);
      expect(new Set(dates).size).toBe(dates.length);
      expect(dates.length).toBe(729);
    },
  );

  test('a local time that the clocks skip is moved by the gap', () => {
    const schedule = { days: EVERY_DAY, at: '02:30', zone: 'Europe/Berlin' };
    const next = nextOccurrence(schedule, new Date('2026-03-28T12:00:00Z'));
    expect(next).toEqual({ at: new Date('2026-03-29T01:30:00Z'), localDate: '2026-03-29' });
  });

  test('a local time that occurs twice counts the first time', () => {
    const schedule = { days: EVERY_DAY, at: '02:30', zone: 'Europe/Berlin' };
    const next = nextOccurrence(schedule, new Date('2026-10-24T12:00:00Z'));
    expect(next).toEqual({ at: new Date('2026-10-25T00:30:00Z'), localDate: '2026-10-25' });
  });
});

describe('the occurrence that is due', () => {
  const daily = { days: EVERY_DAY, at: '09:00', zone: 'Europe/Berlin' };
  const planned = new Date('2026-03-02T08:00:00Z');

  test('is none before its time', () => {
    expect(decideDue(daily, planned, new Date('2026-03-02T07:59:59Z'))).toEqual({ kind: 'not_due' });
  });

  test('on time is this one, and the next is planned', () => {
    expect(decideDue(daily, planned, planned)).toEqual({
      kind: 'deliver',
      occurrence: { at: planned, localDate: '2026-03-02' },
      nextDueAt: new Date('2026-03-03T08:00:00Z'),
    });
  });

  test('after three days of downtime is the last one alone', () => {
    const decision = decideDue(daily, planned, new Date('2026-03-05T10:00:00Z'));
    expect(decision).toMatchObject({ kind: 'deliver', occurrence: { localDate: '2026-03-05' } });
  });

  test('of a weekly schedule is skipped if it was missed by more than a day, and the next is planned', () => {
    const weekly = { ...daily, days: [1] };
    expect(decideDue(weekly, planned, new Date('2026-03-04T10:00:00Z'))).toEqual({
      kind: 'too_late',
      occurrence: { at: planned, localDate: '2026-03-02' },
      nextDueAt: new Date('2026-03-09T08:00:00Z'),
    });
  });

  const NINE = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };

  test.each([
    ['an hour after it', '2026-03-02T10:00:00Z', 'deliver'],
    ['six hours after it', '2026-03-02T15:00:00Z', 'deliver'],
  ])('is that of today if it was planned %s, as by other rules of its zone', (_when, plannedFor, kind) => {
    expect(decideDue(NINE, new Date(plannedFor), new Date(plannedFor))).toEqual({
      kind,
      occurrence: { at: new Date('2026-03-02T09:00:00Z'), localDate: '2026-03-02' },
      nextDueAt: new Date('2026-03-03T09:00:00Z'),
    });
  });

  test('is postponed if it was planned an hour before it', () => {
    expect(decideDue(NINE, new Date('2026-03-02T08:00:00Z'), new Date('2026-03-02T08:00:30Z'))).toEqual({
      kind: 'postponed',
      nextDueAt: new Date('2026-03-02T09:00:00Z'),
    });
    expect(decideDue(NINE, new Date('2026-03-02T08:00:00Z'), new Date('2026-03-02T09:00:30Z'))).toMatchObject({
      kind: 'deliver',
      occurrence: { localDate: '2026-03-02' },
    });
  });

  test('is always followed by one in the future', () => {
    fc.assert(
      fc.property(schedules, instants, instants, (schedule, plannedAt, now) => {
        const decision = decideDue(schedule, plannedAt, now);
        expect(decision.kind === 'not_due' ? plannedAt > now : decision.nextDueAt > now).toBe(true);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
