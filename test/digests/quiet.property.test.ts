import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideQuiet } from '../../src/digests/deliver/quiet.ts';
import { nextOccurrence } from '../../src/schedule/occurrences.ts';
import { propertyRuns } from '../support/property-runs.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The mornings of a year in Berlin, with both clock changes. */
function morningsOf(days: number[]): Date[] {
  const mornings: Date[] = [];
  let at = new Date('2026-01-14T00:00:00Z');
  const end = new Date('2027-01-14T00:00:00Z');
  while (at < end) {
    at = nextOccurrence({ days, at: '09:00', zone: 'Europe/Berlin' }, at).at;
    mornings.push(at);
  }
  return mornings;
}

test.each([
  ['daily', [1, 2, 3, 4, 5, 6, 7]],
  ['weekdays', [1, 2, 3, 4, 5]],
] as const)(
  'over a year, a %s digest that is sent when needed loses no morning that needs it, and is silent for at most a week',
  (cadence, days) => {
    const mornings = morningsOf([...days]);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: mornings.length, maxLength: mornings.length }), (needed) => {
        let lastSign = new Date('2026-01-13T12:00:00Z');
        let sent = 0;
        for (const [index, dueAt] of mornings.slice(0, -1).entries()) {
          const nextDueAt = mornings[index + 1] ?? dueAt;
          const isNeeded = needed[index] === true && index % 9 === 0;
          const decision = decideQuiet({ send: 'when_needed', cadence }, { isNeeded, nextDueAt, lastSign });
          expect(decision === 'send').toBe(isNeeded);
          if (decision === 'skip') continue;
          expect(dueAt.getTime() - lastSign.getTime()).toBeLessThanOrEqual(7 * DAY_MS + HOUR_MS);
          lastSign = dueAt;
          sent += 1;
        }
        expect(sent).toBeGreaterThanOrEqual(Math.floor(365 / 8));
        expect(sent).toBeLessThan(mornings.length / 2);
      }),
      { numRuns: propertyRuns(200) },
    );
  },
);

test('weekly and monthly digests, and those that are always sent, are never skipped', () => {
  const quiet = { isNeeded: false, nextDueAt: new Date(2 * DAY_MS), lastSign: new Date(0) };
  for (const cadence of ['weekly', 'monthly'] as const)
    expect(decideQuiet({ send: 'when_needed', cadence }, quiet)).toBe('send');
  expect(decideQuiet({ send: 'always', cadence: 'daily' }, quiet)).toBe('send');
});
