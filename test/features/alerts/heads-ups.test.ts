import { expect, test } from 'vitest';
import { morningFor } from '../../../src/features/alerts/heads-ups/heads-up-message.ts';

test.each([
  ['2026-03-12T02:00:00Z', 'Europe/Berlin', '2026-03-12T07:00:00.000Z'],
  ['2026-03-12T07:00:00Z', 'Europe/Berlin', undefined],
  ['2026-03-12T16:59:00Z', 'Europe/Berlin', undefined],
  ['2026-03-12T17:00:00Z', 'Europe/Berlin', '2026-03-13T07:00:00.000Z'],
  ['2026-03-12T12:00:00Z', 'America/New_York', undefined],
  ['2026-03-12T11:59:00Z', 'America/New_York', '2026-03-12T12:00:00.000Z'],
  ['2026-03-28T22:00:00Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
])('at %s a person in %s gets the heads-up at %s', (now, zone, at) => {
  expect(morningFor(zone, new Date(now))?.toISOString()).toBe(at);
});
