import { describe, expect, test } from 'vitest';
import { reminderDue } from '../../../src/features/limits/decide/reminders.ts';
import { isWorkingTime } from '../../../src/features/limits/core/working-time.ts';

const at = (text: string) => new Date(text);

describe('a reminder', () => {
  test.each([
    ['2026-03-02T07:59:00Z', 'UTC', false],
    ['2026-03-02T08:00:00Z', 'UTC', true],
    ['2026-03-02T17:59:00Z', 'UTC', true],
    ['2026-03-02T18:00:00Z', 'UTC', false],
    ['2026-03-01T12:00:00Z', 'UTC', false],
    ['2026-03-06T23:30:00Z', 'Asia/Tokyo', false],
    ['2026-03-02T07:30:00Z', 'Europe/Berlin', true],
    ['2026-03-01T23:30:00Z', 'Asia/Tokyo', true],
  ])('may come at %s in %s: %s', (now, zone, may) => expect(isWorkingTime(at(now), zone)).toBe(may));

  test('is sent one at a time: a requester who was away for both gets the later', () => {
    const created = at('2026-03-02T09:00:00Z');
    expect(reminderDue(created, at('2026-03-02T12:59:00Z'))).toBeUndefined();
    expect(reminderDue(created, at('2026-03-02T13:00:00Z'))).toBe(4);
    expect(reminderDue(created, at('2026-03-03T09:00:00Z'))).toBe(24);
  });
});
