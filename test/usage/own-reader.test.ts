import { expect, test } from 'vitest';
import type { AnalyticsDays } from '../../src/analytics/days.ts';
import { daysOf, type Day } from '../../src/base/calendar.ts';
import { createOwnReader } from '../../src/usage/own/own-facts.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const PEOPLE = Array.from({ length: 8 }, (_, index) => `person${index}@acme.example`);

type OrganizationDays = Pick<AnalyticsDays, 'activity' | 'credits' | 'peopleCredits' | 'changedAfter'>;

/** Each person uses 1,000 credits a day, and the number of their place more. */
function scene() {
  let readings = 0;
  let isChanged = false;
  let isRefused = false;
  let now = NOW;
  const rowsOf = <Row>(first: Day, last: Day, rowOf: (date: Day) => Row) =>
    Promise.resolve({ kind: 'read', rows: daysOf({ first, last }).map(rowOf), readAt: now, cachedDays: 0 } as const);
  const days: OrganizationDays = {
    activity: ({ first }) => rowsOf(first, '2026-11-19', (date) => ({ date }) as never),
    credits: ({ first, last }) => rowsOf(first, last, (date) => ({ date, billable_tokens: 8028 }) as never),
    peopleCredits: async ({ first, last }, take) => {
      readings += 1;
      if (isRefused) return { kind: 'unreadable', fault: new Error('refused') as never };
      for (const date of daysOf({ first, last })) {
        take({
          date,
          people: PEOPLE.map((user_email, index) => ({
            user_id: `u${index}`,
            user_email,
            billable_tokens: 1000 + index,
          })) as never,
        });
      }
      return await rowsOf(first, last, (date) => date);
    },
    changedAfter: () => Promise.resolve(isChanged),
  };
  const readOwn = createOwnReader({
    days: days as AnalyticsDays,
    clock: { now: () => now } as never,
    people: { teams: () => Promise.resolve([]) } as never,
    limits: () => undefined,
  });
  const usedBy = async (place: number) => {
    const reading = await readOwn(PEOPLE[place] ?? '', {});
    return reading.kind === 'read' ? reading.report.used.value : reading.kind;
  };
  return {
    usedBy,
    readings: () => readings,
    change: () => (isChanged = true),
    refuse: (isSo: boolean) => (isRefused = isSo),
    wait: (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000)),
  };
}

test('what everybody used is read once for all who look within ten minutes, and each sees their own', async () => {
  const { usedBy, readings, wait } = scene();
  expect(await Promise.all([usedBy(0), usedBy(1), usedBy(7)])).toEqual([19_000, 19_019, 19_133]);
  expect(readings()).toBe(1);
  wait(11);
  await usedBy(0);
  expect(readings()).toBe(2);
});

test('what everybody used is read again when a day of it changed, once for those who saw that together', async () => {
  const { usedBy, readings, change } = scene();
  await usedBy(0);
  change();
  await Promise.all([usedBy(0), usedBy(1), usedBy(2)]);
  expect(readings()).toBe(2);
});

test('a refusal of the platform is not remembered', async () => {
  const { usedBy, readings, refuse } = scene();
  refuse(true);
  expect(await usedBy(0)).toBe('unreadable');
  refuse(false);
  expect(await usedBy(0)).toBe(19_000);
  expect(readings()).toBe(2);
});
