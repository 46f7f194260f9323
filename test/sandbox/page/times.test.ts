import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  instantOf,
  knownZone,
  localDay,
  localTime,
  nextTimeOfDay,
} from '../../../src/sandbox/page/browser/core/zone-time.ts';
import { dayDivider, formatSlackDate } from '../../../src/sandbox/page/browser/text/slack-date.ts';

const iso = (instantMs: number) => new Date(instantMs).toISOString();

describe('the next morning', () => {
  test.each([
    ['2026-03-02T07:30:00Z', 'Europe/Berlin', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00:00Z', 'Europe/Berlin', '2026-03-03T08:00:00.000Z'],
    ['2026-03-02T08:00:05Z', 'Europe/Berlin', '2026-03-03T08:00:00.000Z'],
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T07:00:00.000Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T08:00:00.000Z'],
    ['2026-03-02T23:30:00Z', 'Asia/Tokyo', '2026-03-03T00:00:00.000Z'],
    ['2026-03-02T23:30:00Z', 'America/New_York', '2026-03-03T14:00:00.000Z'],
  ])('after %s in %s is %s', (now, zone, expected) => {
    expect(iso(nextTimeOfDay(Date.parse(now), '09:00', zone))).toBe(expected);
  });

  test('is nine o’clock there, later than now and within two days', () => {
    const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Pacific/Apia',
    );
    fc.assert(
      fc.property(instants, zones, (now, zone) => {
        const next = nextTimeOfDay(now.getTime(), '09:00', zone);
        expect(localTime(next, zone)).toBe('09:00');
        expect(next).toBeGreaterThan(now.getTime());
        expect(next - now.getTime()).toBeLessThan(49 * 3_600_000);
      }),
    );
  });

  test('comes after the gap if a clock change skips it', () => {
    const next = nextTimeOfDay(Date.parse('2026-03-28T12:00:00Z'), '02:30', 'Europe/Berlin');
    expect(iso(next)).toBe('2026-03-29T01:30:00.000Z');
  });
});

describe('local time', () => {
  test('is read and written in the zone of the viewer', () => {
    const instantMs = Date.parse('2026-03-02T23:30:00Z');
    expect(localDay(instantMs, 'Asia/Tokyo')).toBe('2026-03-03');
    expect(localTime(instantMs, 'Asia/Tokyo')).toBe('08:30');
    expect(instantOf(Date.UTC(2026, 2, 3, 8, 30), 'Asia/Tokyo')).toBe(instantMs);
  });

  test('falls back to UTC for a zone that does not exist', () => {
    expect(knownZone('Mars/Olympus')).toBe('UTC');
  });
});

describe("Slack's dates", () => {
  const reader = { timeZone: 'Europe/Berlin', nowMs: Date.parse('2026-03-02T12:00:00Z') };
  const seconds = (text: string) => Date.parse(text) / 1000;

  test.each([
    ['2014-02-18T14:39:42Z', '{date_num} {time_secs}', '2014-02-18 3:39:42 PM'],
    ['2014-02-18T14:39:42Z', '{date}', 'February 18th, 2014'],
    ['2014-02-18T14:39:42Z', '{date_short}', 'Feb 18, 2014'],
    ['2014-02-18T14:39:42Z', '{date_long} at {time}', 'Tuesday, February 18th, 2014 at 3:39 PM'],
    ['2026-03-02T00:10:00Z', '{date_pretty} {time}', 'today 1:10 AM'],
    ['2026-03-01T22:30:00Z', '{date_short_pretty}', 'yesterday'],
    ['2026-03-01T23:30:00Z', '{date_short_pretty}', 'today'],
    ['2026-03-03T12:00:00Z', '{date_long_pretty}', 'tomorrow'],
    ['2026-02-22T12:00:00Z', '{date_pretty}', 'February 22nd, 2026'],
    ['2026-03-02T11:57:00Z', '{ago}', '3 minutes ago'],
    ['2026-03-02T14:00:00Z', '{ago}', 'in 2 hours'],
    ['2026-03-11T12:00:00Z', '{date_slash} {of_the_future}', '03/11/2026 {of_the_future}'],
  ])('%s as %s is %s', (instant, format, expected) => {
    expect(formatSlackDate(seconds(instant), format, reader)).toBe(expected);
  });

  test('divide messages by the name of the day', () => {
    expect(dayDivider(Date.parse('2026-03-02T09:00:00Z'), reader)).toBe('Today');
    expect(dayDivider(Date.parse('2026-02-26T09:00:00Z'), reader)).toBe('Thursday, February 26th');
  });
});
