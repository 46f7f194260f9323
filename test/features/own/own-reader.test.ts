import { PLATFORM_BEGINNING } from '../../../src/core/analytics/period.ts';
import { expect, test } from 'vitest';
import type { Part } from '../../../src/core/analytics/day-facts.ts';
import { daysOf, type Day } from '../../../src/core/base/time/calendar.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import type { ActivityRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createOwnReader } from '../../../src/features/own/own-facts.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const PEOPLE = Array.from({ length: 8 }, (_, index) => ({
  user_id: `u${index}`,
  user_email: `person${index}@acme.example`,
  billable_tokens: 1000 + index,
}));
const fault = new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' });

const activityOf = (date: Day): ActivityRow => ({
  date,
  daily_active_users: 8,
  weekly_active_users: null,
  monthly_active_users: null,
  daily_active_users_by_client: {},
  sessions: 8,
  messages: 8,
  user_messages: 8,
});

/** Each person uses 1,000 credits a day, plus the number of their position. */
function scene() {
  let readings = 0;
  let isChanged = false;
  let isRefused = false;
  let now = NOW;
  const part = <Row>(first: Day, last: Day, rowOf: (date: Day) => Row): Part<Row> => ({
    kind: 'read',
    rows: daysOf({ first, last }).map(rowOf),
    readAt: now,
  });
  const readOwn = createOwnReader({
    config: { minGroup: 5 },
    days: {
      activity: ({ first }) => Promise.resolve(part(first, '2026-11-19', activityOf)),
      credits: () => Promise.resolve({ kind: 'unreadable', fault }),
      peopleCredits: ({ first, last }, take) => {
        readings += 1;
        if (isRefused) return Promise.resolve({ kind: 'unreadable', fault });
        for (const date of daysOf({ first, last })) take(creditsColumns(date, PEOPLE));
        return Promise.resolve(part(first, last, (date) => date));
      },
      beginningOfPeople: () => PLATFORM_BEGINNING,
      changedAfter: () => Promise.resolve(isChanged),
    },
    clock: { ...systemClock, now: () => now },
    limits: {
      limitOf: () => Promise.resolve({ kind: 'none' }),
      emailsWithLimit: () => Promise.resolve([]),
      countWithoutOwn: () => Promise.resolve({ count: 0, areShown: false }),
      requestMoreButtons: () => [],
      blockedButton: () => {
        throw new Error('Not needed');
      },
      blockedRequestOf: () => Promise.resolve(undefined),
      requestLowerButton: () => {
        throw new Error('Not needed');
      },
    },
    readLimitPeriod: () => Promise.resolve(undefined),
  });
  const usedBy = async (place: number) => {
    const reading = await readOwn(`person${place}@acme.example`, {});
    return reading.kind === 'read' ? reading.report.used.value : reading.kind;
  };
  const usualFor = async (place: number) => {
    const reading = await readOwn(`person${place}@acme.example`, {});
    return reading.kind === 'read' ? reading.report.usual : reading.kind;
  };
  return {
    usedBy,
    usualFor,
    readings: () => readings,
    change: () => (isChanged = true),
    refuse: (isSo: boolean) => (isRefused = isSo),
    wait: (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000)),
  };
}

test('the totals of all people are read once for all viewers within ten minutes, and each sees their own part', async () => {
  const { usedBy, readings, wait } = scene();
  expect(await Promise.all([usedBy(0), usedBy(1), usedBy(7)])).toEqual([19_000, 19_019, 19_133]);
  expect(readings()).toBe(1);
  wait(11);
  await usedBy(0);
  expect(readings()).toBe(2);
});

test('the totals of all people are read again when a day of them changed, once for all viewers who shared them', async () => {
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

test('the range of most people is that of the last full week, and the same for each viewer, with or without figures', async () => {
  const { usualFor } = scene();
  const usual = { week: { first: '2026-11-09', last: '2026-11-15' }, low: 5_000, high: 10_000 };
  for (const place of [0, 7, 8]) expect(await usualFor(place)).toEqual(usual);
});
