import { expect, test } from 'vitest';
import { daysOf, plusDays, weekdayOf, type Day } from '../../../src/core/base/time/calendar.ts';
import { isUnusual, planWatch, type AssessedDay } from '../../../src/features/alerts/unusual-days/plan.ts';
import { createNoise } from '../../bench/calibration/noise.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const ORGANIZATIONS = propertyRuns(1_000);
const FIRST = '2026-01-01';
const WATCHED_FROM = '2026-03-15';
const LAST = '2026-04-30';
const PLANTED: Record<Day, number> = { '2026-04-07': 2, '2026-04-16': 4, '2026-04-23': 0 };

/** Plays the mornings of a watch. Returns the messages by day, and the days that were found unusual. */
function play(amounts: ReadonlyMap<Day, number>) {
  const assessed: AssessedDay[] = [];
  const messages = new Map<Day, string>();
  for (const today of daysOf({ first: plusDays(WATCHED_FROM, 2), last: plusDays(LAST, 1) })) {
    const rows = daysOf({ first: FIRST, last: plusDays(today, -1) }).map((date) => ({
      date,
      billable_tokens: amounts.get(date) ?? 0,
    }));
    const { days, message } = planWatch({
      rows,
      rowsOf: () => rows,
      assessed,
      since: WATCHED_FROM,
      today,
      isSnoozed: false,
    });
    const deliveryKey = message === 'none' ? null : today;
    for (const { day, judgement, amount } of days) {
      assessed.push({ day, judgement, amount, isExpected: 0, deliveryKey, members: null });
      if (message !== 'none') messages.set(day, message);
    }
  }
  return { messages, unusual: new Set(assessed.filter(({ judgement }) => isUnusual(judgement)).map(({ day }) => day)) };
}

test(`in ${ORGANIZATIONS} organizations the watch finds days with double, fourfold and no usage, with as few false alarms as calibrated`, () => {
  const found = { double: 0, fourfold: 0, nothing: 0, falseAlarms: 0, days: 0, messages: 0 };
  for (let organization = 0; organization < ORGANIZATIONS; organization += 1) {
    const noise = createNoise(organization + 1);
    const amounts = new Map(
      daysOf({ first: FIRST, last: LAST }).map((day) => {
        const level = weekdayOf(day) % 6 === 0 ? 150_000 : 1_000_000;
        return [day, Math.round(level * Math.exp(0.15 * noise.normal()) * (PLANTED[day] ?? 1))];
      }),
    );
    const { messages, unusual } = play(amounts);
    found.double += Number(unusual.has('2026-04-07'));
    found.fourfold += Number(unusual.has('2026-04-16'));
    found.nothing += Number(unusual.has('2026-04-23'));
    const others = daysOf({ first: plusDays(WATCHED_FROM, 1), last: LAST }).filter((day) => !(day in PLANTED));
    found.days += others.length;
    found.falseAlarms += others.filter((day) => unusual.has(day)).length;
    found.messages += messages.size;
  }
  expect(found.double / ORGANIZATIONS).toBeGreaterThan(0.85);
  expect(found.fourfold).toBe(ORGANIZATIONS);
  expect(found.nothing).toBe(ORGANIZATIONS);
  // 1 % too high and 0.1 % too low by chance alone; see the calibration of the rule.
  expect(found.falseAlarms / found.days).toBeLessThan(0.02);
  process.stdout.write(
    `unusual days of ${ORGANIZATIONS} organizations: ${((100 * found.double) / ORGANIZATIONS).toFixed(1)} % of doubled days found, all fourfold and missing ones; false alarms on ${((100 * found.falseAlarms) / found.days).toFixed(2)} % of days; ${(found.messages / ORGANIZATIONS).toFixed(1)} messages in 46 days\n`,
  );
});
