import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLATFORM_BEGINNING } from '../../../src/core/analytics/period.ts';
import { daysOf, plusDays, type Day } from '../../../src/core/base/time/calendar.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { createOwnReader } from '../../../src/features/own/own-facts.ts';
import { barOf, decideLimitCourse, limitLine } from '../../../src/features/own/own-limit.ts';
import type { Outlook } from '../../../src/features/own/own-outlook.ts';
import { periodAround, type Unit } from './dated-periods.ts';
import { knownLimit } from '../../support/limits/known-limit.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const FIRST_DAY = '2026-01-14';
const MIA = 'mia@acme.example';
/** Divisible by the number of weeks of a pace, so that sums of means are exact. */
const STEP = 12;

const units = fc.constantFrom<Unit>('week', 'month', 'month from 15', 'month from 28', 'quarter', 'year');

interface Ledger {
  today: Day;
  through: Day;
  unit: Unit;
  limit: number;
  /** By day; a missing day is 0. */
  credits: ReadonlyMap<Day, number>;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A month from another day is named by its dates, with the year if it ends in another one. */
function datesOf({ today, unit }: Pick<Ledger, 'today' | 'unit'>): string | undefined {
  if (unit !== 'month from 15' && unit !== 'month from 28') return undefined;
  const { first, last } = periodAround(today, unit);
  const words = (day: Day) => `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]}`;
  const [from, to] = [first.slice(0, 4), last.slice(0, 4)];
  return from === to ? `${words(first)} – ${words(last)}` : `${words(first)} ${from} – ${words(last)} ${to}`;
}

/** Calculates the answer from the raw rows. */
function expectedOf({ today, through, unit, limit, credits }: Ledger) {
  const { first, last } = periodAround(today, unit);
  const amountOn = (day: Day) => credits.get(day) ?? 0;
  let used = 0;
  for (let day = FIRST_DAY; day <= through; day = plusDays(day, 1)) if (day >= first) used += amountOn(day);
  if (used > limit) return { used, kind: 'over' };
  if (used === limit) return { used, kind: 'used_up' };
  if (through >= last) return { used, kind: 'lasts', byEnd: used };
  let known = 55;
  while (known > 0 && amountOn(plusDays(through, -known)) === 0) known -= 1;
  return known + 1 < 14 ? { used, kind: 'open', why: 'few_days' } : { used };
}

const ledgers: fc.Arbitrary<Ledger> = fc
  .record({
    now: fc.integer({ min: 0, max: 290 }),
    late: fc.integer({ min: 1, max: 3 }),
    unit: units,
    knownDays: fc.oneof(fc.constant(28), fc.integer({ min: 1, max: 28 })),
    amounts: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 })), { minLength: 300, maxLength: 300 }),
    pace: fc.double({ min: 0, max: 1.5, noNaN: true }),
    isExact: fc.boolean(),
  })
  .map(({ now, late, unit, knownDays, amounts, pace, isExact }) => {
    const today = plusDays('2026-03-02', now);
    const through = plusDays(today, -late);
    const began = knownDays === 28 ? FIRST_DAY : plusDays(through, -knownDays);
    const credits = new Map(
      daysOf({ first: began, last: through }).map((day, index) => [day, (amounts[index % 300] ?? 0) * STEP]),
    );
    // The first day of use decides how many weeks the pace has.
    credits.set(plusDays(through, -knownDays), STEP);
    const { first, last } = periodAround(today, unit);
    const used = daysOf({ first, last: through }).reduce((sum, day) => sum + (credits.get(day) ?? 0), 0);
    const ahead = daysOf({ first: plusDays(through, 1), last }).length * 250 * STEP;
    return { today, through, unit, credits, limit: isExact ? used : used + Math.round((pace - 0.2) * ahead) };
  })
  .filter(({ limit }) => limit >= 0);

async function readCourse({ today, through, unit, limit, credits }: Ledger) {
  const readOwn = createOwnReader({
    config: { minGroup: 5 },
    days: {
      activity: ({ first, last }) =>
        Promise.resolve({
          kind: 'read',
          readAt: new Date(),
          rows: daysOf({ first, last: through < last ? through : last }).map((date) => ({
            date,
            daily_active_users: 1,
            weekly_active_users: null,
            monthly_active_users: null,
            daily_active_users_by_client: {},
            sessions: 1,
            messages: 1,
            user_messages: 1,
          })),
        }),
      credits: () => Promise.resolve({ kind: 'read', rows: [], readAt: new Date() }),
      peopleCredits: ({ first, last }, take) => {
        const rows = daysOf({ first, last });
        for (const date of rows)
          take(
            creditsColumns(date, [
              { user_id: 'u1', user_email: MIA, billable_tokens: credits.get(date) ?? 0 },
              { user_id: 'u2', user_email: 'max@acme.example', billable_tokens: 7_777_777 },
            ]),
          );
        return Promise.resolve({ kind: 'read', rows, readAt: new Date() });
      },
      beginningOfPeople: () => PLATFORM_BEGINNING,
      changedAfter: () => Promise.resolve(false),
    },
    clock: { ...systemClock, now: () => new Date(`${today}T09:00:00Z`) },
    limits: {
      limitOf: () => Promise.resolve(knownLimit(limit, { at: new Date(FIRST_DAY) })),
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
    readLimitPeriod: () => Promise.resolve(unit),
  });
  const reading = await readOwn(MIA, {});
  const isMonthPublished = through.slice(0, 7) === today.slice(0, 7);
  expect(reading.kind).toBe(isMonthPublished ? 'read' : 'begun');
  const month = reading.kind === 'read' ? reading.report : reading.kind === 'begun' ? reading.month : undefined;
  if (!month) throw new Error(reading.kind);
  const course = decideLimitCourse(month.limit);
  if (course.kind !== 'counted') throw new Error(course.kind);
  return course;
}

/** The later the limit is reached, the less. */
function caution(outlook: Outlook): number {
  const order = { lasts: 0, open: 1, reached: 2, used_up: 3, over: 4 };
  return order[outlook.kind];
}

describe('“Will I run out?”', () => {
  test('counts the use of generated ledgers as an independent calculation does, and has a higher limit never reached earlier', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (ledger) => {
        const expected = expectedOf(ledger);
        const course = await readCourse(ledger);
        const { outlook, used } = course;
        expect({ used, ...outlook }).toMatchObject(expected);
        const higher = await readCourse({ ...ledger, limit: 2 * ledger.limit + 1 });
        expect(caution(higher.outlook)).toBeLessThanOrEqual(caution(outlook));
        const { on, earliest, latest } =
          outlook.kind === 'reached' ? outlook : { on: '9', earliest: '9', latest: undefined };
        expect(earliest > ledger.through && earliest <= on && (latest === undefined || latest >= on)).toBe(true);
        const [line = ''] = limitLine(course, { slackId: 'U1', admins: [], today: ledger.today }).lines;
        const words = mrkdwnOf(markup`${line}`);
        const isPublished = ledger.through >= periodAround(ledger.today, ledger.unit).first;
        const isForecast = outlook.kind === 'reached' || outlook.kind === 'lasts';
        const isUnknown = !isPublished && outlook.kind !== 'over' && outlook.kind !== 'used_up';
        expect(words.includes(`*${formatCompact(used)} of `)).toBe(!isUnknown);
        const named = datesOf(ledger) ?? `this ${ledger.unit}`;
        expect(words.includes(`${formatCompact(ledger.limit)}* ${named}`)).toBe(!isUnknown);
        const isIdle = outlook.kind === 'lasts' && outlook.idleDays !== undefined;
        expect(words.includes('at this pace')).toBe(isForecast && !isIdle && isPublished);
        expect(words.includes(':* no figures yet. ')).toBe(isUnknown);
        expect(!isUnknown || words.includes(`your ${formatCompact(ledger.limit)}`)).toBe(true);
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  test('draws a bar whose cells are full tenths of the limit', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (used, limit) => {
        const bar = barOf(used, limit);
        const full = bar.split('█').length - 1;
        expect(bar).toHaveLength(10);
        expect(full === 10).toBe(used >= limit);
        const isFullTenths = full * limit <= used * 10 && (full + 1) * limit > used * 10;
        expect(used >= limit || isFullTenths).toBe(true);
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });
});
