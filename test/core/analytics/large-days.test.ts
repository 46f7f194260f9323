import { expect, test } from 'vitest';
import { createSources } from '../../../src/core/analytics/reading/resources.ts';
import { createPeopleDictionary } from '../../../src/core/analytics/columns/people-dictionary.ts';
import { createByteBudget } from '../../../src/core/base/work-queue.ts';
import { daysOf, lengthOf, type Period } from '../../../src/core/base/time/calendar.ts';
import { createAnalytics } from '../../../src/core/platform/endpoints/analytics.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';

const WEEK = { first: '2026-03-02', last: '2026-03-08' };
const DAY = { first: WEEK.first, last: WEEK.first };
const NO_CREDITS = {
  billable_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  by_model: [],
};
const unlimited = () => createByteBudget(Number.MAX_SAFE_INTEGER, { oldestContinues: true }).open();

/** A platform with this many people, whose answers may hold a number of days. */
function sourceOf({ people, mostDays = 31 }: { people: number; mostDays?: number }) {
  const calls: Period[] = [];
  const users = Array.from({ length: people }, (_, index) => ({
    user_id: `user_${index}`,
    user_email: `person.${index}@acme.example`,
    billable_tokens: 1_000 + index,
  }));
  const analytics = createAnalytics(async ({ query, path, method, schema }) => {
    const period = { first: String(query?.['startDate']), last: String(query?.['endDate']) };
    calls.push(period);
    if (lengthOf(period) > mostDays)
      throw new PlatformError({ code: 'wrong_shape', method, path, detail: 'too long', isTooLarge: true });
    const data = daysOf(period).map((date) => ({ ...NO_CREDITS, date, by_user: users }));
    return schema.parse({ data, meta: {} });
  });
  return { source: createSources(analytics, () => {}).tokens, calls };
}

test('days whose answer is too large are read in smaller parts', async () => {
  const { source, calls } = sourceOf({ people: 3, mostDays: 2 });
  const days = await source.fetch(WEEK, createPeopleDictionary(), unlimited());
  expect([...days.keys()]).toEqual(daysOf(WEEK));
  expect(calls.filter((period) => lengthOf(period) <= 2).flatMap((period) => daysOf(period))).toEqual(daysOf(WEEK));
});

test('a single day that is too large is not tried again', async () => {
  const { source, calls } = sourceOf({ people: 3, mostDays: 0 });
  await expect(source.fetch(DAY, createPeopleDictionary(), unlimited())).rejects.toMatchObject({ isTooLarge: true });
  expect(calls).toHaveLength(1);
});

test('with 1,000 people seven days are read at once, and with 30,000 a single one', async () => {
  for (const [people, days] of [
    [1_000, 7],
    [30_000, 1],
  ] as const) {
    const { source } = sourceOf({ people });
    await source.fetch(DAY, createPeopleDictionary(), unlimited());
    expect(source.mostDaysAtOnce()).toBe(days);
  }
});

test('calls wait for one another until the size of a day is known, and then for as much as fits', async () => {
  const { source, calls } = sourceOf({ people: 100 });
  const budget = createByteBudget(200_000, { oldestContinues: true });
  const holds = [budget.open(), budget.open(), budget.open()];
  const fetches = holds.map((hold) => source.fetch(WEEK, createPeopleDictionary(), hold));
  await fetches[0];
  expect(calls).toHaveLength(1);
  holds[0]?.close();
  await fetches[1];
  // A week of 100 people is about 140 KB: the third has to wait for the second.
  expect(calls).toHaveLength(2);
  holds[1]?.close();
  await fetches[2];
  expect(calls).toHaveLength(3);
});
