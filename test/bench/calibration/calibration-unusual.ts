import { DAYS_IN_A_WEEK, dayOf, type Day } from '../../../src/core/base/time/calendar.ts';
import { USUAL_DAYS } from '../../../src/core/analytics/period.ts';
import { type DayAmount, judgeDay } from '../../../src/core/figures/insight/unusual.ts';
import { createNoise, type Noise } from './noise.ts';
import { percentOf } from '../statistics.ts';
import { WEEKDAY_LEVELS, WORKING_DAYS } from './weekdays.ts';

const DAY_MS = 86_400_000;
/** A Monday. */
const FIRST_MS = Date.parse('2026-03-02');
const toDay = (index: number): Day => dayOf(new Date(FIRST_MS + index * DAY_MS));

/** Whole weeks, so that the judged week begins with a Monday. */
const HISTORY_DAYS = DAYS_IN_A_WEEK * Math.ceil(USUAL_DAYS / DAYS_IN_A_WEEK);

/** The usage of the organization on a day, counted from a Monday. */
type World = (noise: Noise) => (day: number) => number;

const level = (day: number) => WEEKDAY_LEVELS[day % DAYS_IN_A_WEEK] ?? 0;

/** Lognormal noise around levels of the weekdays. */
const noisy =
  (sigma: number, weeklyGrowth = 0): World =>
  (noise) =>
  (day) =>
    1_000_000 * level(day) * (1 + weeklyGrowth) ** (day / DAYS_IN_A_WEEK) * Math.exp(sigma * noise.normal());

/** The daily usage of three kinds of people, and how many of ten people are of each kind. */
const KINDS = [20_000, 20_000, 20_000, 60_000, 60_000, 60_000, 60_000, 60_000, 150_000, 150_000];

/** Each person lognormal 0.8, active on three of four working days. */
const ofPeople =
  (people: number, weeklyGrowth = 0): World =>
  (noise) => {
    const sizes = Array.from({ length: people }, (_, index) => KINDS[(index * 7 + 3) % KINDS.length] ?? 0);
    return (day) => {
      if (day % DAYS_IN_A_WEEK >= WORKING_DAYS) return 0;
      let sum = 0;
      for (const size of sizes) if (noise.uniform() < 0.75) sum += size * Math.exp(0.8 * noise.normal());
      return sum * (1 + weeklyGrowth) ** (day / DAYS_IN_A_WEEK);
    };
  };

const WORLDS: { name: string; world: World; leastCaught?: number }[] = [
  { name: 'noise 0.1', world: noisy(0.1), leastCaught: 99 },
  { name: 'noise 0.2', world: noisy(0.2), leastCaught: 75 },
  { name: 'noise 0.3', world: noisy(0.3), leastCaught: 40 },
  // If 1 % of days may be called high by chance, no test finds more than 14.5 % (simulated: eight days before, one
  // spread).
  { name: 'noise 0.5', world: noisy(0.5), leastCaught: 13 },
  { name: '1 person', world: ofPeople(1) },
  { name: '5 people', world: ofPeople(5) },
  { name: '40 people', world: ofPeople(40) },
  { name: '200 people', world: ofPeople(200) },
  { name: 'growth 3 %, noise 0.1', world: noisy(0.1, 0.03) },
  { name: 'growth 3 %, noise 0.3', world: noisy(0.3, 0.03) },
  { name: 'growth 3 %, 40 people', world: ofPeople(40, 0.03) },
];

export interface UnusualLine {
  name: string;
  /** In percent of all days. */
  falseAlarms: number;
  /** In percent of weeks: those with at least one. */
  weeksWithAlarm: number;
  /** In percent of doubled days. */
  caught: number;
  /** The requirement. */
  leastCaught: number | undefined;
  /** In percent of the same weekdays a week after a holiday: those that are unusual because of it. */
  afterHoliday: number;
}

/** Judges the days of the last week of this number of organizations, of each world. */
export function measureUnusual(organizations: number): UnusualLine[] {
  return WORLDS.map(({ name, world, leastCaught }, index) => {
    const noise = createNoise(index + 1);
    const counts = { days: 0, alarms: 0, weeks: 0, doubled: 0, caught: 0, after: 0 };
    for (let one = 0; one < organizations; one += 1) {
      const amountOf = world(noise);
      const history = Array.from({ length: HISTORY_DAYS + DAYS_IN_A_WEEK }, (_, day): DayAmount => ({
        day: toDay(day),
        amount: amountOf(day),
      }));
      const week = history.slice(HISTORY_DAYS);
      const isAlarm = (days: readonly DayAmount[], day: DayAmount) => judgeDay(days, day).kind === 'unusual';
      const alarms = week.filter((day) => isAlarm(history, day)).length;
      counts.days += DAYS_IN_A_WEEK;
      counts.alarms += alarms;
      if (alarms > 0) counts.weeks += 1;
      const chosen = week[one % WORKING_DAYS];
      if (!chosen) continue;
      counts.doubled += 1;
      if (isAlarm(history, { ...chosen, amount: 2 * chosen.amount })) counts.caught += 1;
      const holiday = history[HISTORY_DAYS - DAYS_IN_A_WEEK + (one % WORKING_DAYS)];
      const withHoliday = history.map((day) => (day === holiday ? { ...day, amount: 0.1 * day.amount } : day));
      if (isAlarm(withHoliday, chosen) && !isAlarm(history, chosen)) counts.after += 1;
    }
    return {
      name,
      falseAlarms: percentOf(counts.alarms, counts.days),
      weeksWithAlarm: percentOf(counts.weeks, organizations),
      caught: percentOf(counts.caught, counts.doubled),
      afterHoliday: percentOf(counts.after, counts.doubled),
      leastCaught,
    };
  });
}
