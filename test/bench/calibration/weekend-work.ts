import { DAYS_IN_A_WEEK, dayOf } from '../../../src/core/base/time/calendar.ts';
import { USUAL_DAYS } from '../../../src/core/analytics/period.ts';
import { judgeDay, usualRange, type DayAmount } from '../../../src/core/figures/insight/unusual.ts';
import { percentOf } from '../statistics.ts';
import { createNoise, type Noise } from './noise.ts';

const WORKING_DAYS = 5;
const DAY_MS = 86_400_000;
const MONDAY_MS = Date.parse('2026-03-02');
const HISTORY_DAYS = DAYS_IN_A_WEEK * Math.ceil(USUAL_DAYS / DAYS_IN_A_WEEK);

/** How often each of some people works on a day of the weekend; on a workday it is three of four times. */
export const TEAMS = [
  { people: 6, weekend: 0.25 },
  { people: 12, weekend: 0.15 },
  { people: 20, weekend: 0.05 },
  { people: 40, weekend: 0.15 },
  { people: 100, weekend: 0.15 },
  { people: 400, weekend: 0.25 },
] as const;
const WORKDAY = 0.75;

type Team = (typeof TEAMS)[number];

export interface WeekendLine {
  name: string;
  /** In percent of workdays, of days of weekends, and of weeks with at least one. */
  workdays: number;
  weekends: number;
  weeks: number;
  /** Of doubled workdays, in percent. */
  caught: number;
}

/** Judges the week after ten ordinary weeks of each of some teams. */
export function measureWeekendWork(organizations: number, seed: number, teams: readonly Team[] = TEAMS): WeekendLine[] {
  return teams.map((team, index) => {
    const noise = createNoise(seed + index);
    const alarms = { workdays: 0, weekends: 0, weeks: 0, caught: 0 };
    for (let organization = 0; organization < organizations; organization += 1) {
      const days = daysOfTeam(team, noise, HISTORY_DAYS + DAYS_IN_A_WEEK);
      const week = days.slice(HISTORY_DAYS);
      const isAlarm = (day: DayAmount) => judgeDay(days, day).kind === 'unusual';
      const found = week.map((day) => isAlarm(day));
      alarms.workdays += found.slice(0, WORKING_DAYS).filter(Boolean).length;
      alarms.weekends += found.slice(WORKING_DAYS).filter(Boolean).length;
      if (found.includes(true)) alarms.weeks += 1;
      const chosen = week[organization % WORKING_DAYS];
      if (chosen && isAlarm({ ...chosen, amount: 2 * chosen.amount })) alarms.caught += 1;
    }
    return {
      name: `${team.people} people, ${Math.round(100 * team.weekend)} % at weekends`,
      workdays: percentOf(alarms.workdays, WORKING_DAYS * organizations),
      weekends: percentOf(alarms.weekends, (DAYS_IN_A_WEEK - WORKING_DAYS) * organizations),
      weeks: percentOf(alarms.weeks, organizations),
      caught: percentOf(alarms.caught, organizations),
    };
  });
}

function daysOfTeam({ people, weekend }: Team, noise: Noise, count: number): DayAmount[] {
  const sizes = Array.from({ length: people }, () => 60_000 * Math.exp(0.7 * noise.normal()));
  return Array.from({ length: count }, (_, day) => {
    const activity = day % DAYS_IN_A_WEEK < WORKING_DAYS ? WORKDAY : weekend;
    let amount = 0;
    for (const size of sizes) if (noise.uniform() < activity) amount += size * Math.exp(0.6 * noise.normal());
    return { day: dayOf(new Date(MONDAY_MS + day * DAY_MS)), amount };
  });
}

export interface StepLine {
  name: string;
  /** In percent of the workdays of the first, second and third week after a step: those that are called unusual. */
  alarms: number[];
  /**
   * The mean distance of the usual amount from the true one, in percent, on the first workday of the second and third
   * week.
   */
  off: number[];
}

const STEPS = [1.5, 2, 0.5];
const WEEKS_AFTER = 3;

/** Judges the weeks after the level changed for good. */
export function measureSteps(organizations: number, seed: number): StepLine[] {
  return STEPS.map((factor, index) => {
    const noise = createNoise(seed + index);
    const alarms = Array.from({ length: WEEKS_AFTER }, () => 0);
    const off = Array.from({ length: WEEKS_AFTER }, () => 0);
    for (let organization = 0; organization < organizations; organization += 1) {
      const sigma = 0.05 + 0.15 * noise.uniform();
      const before = HISTORY_DAYS + (organization % DAYS_IN_A_WEEK);
      const levels = Array.from({ length: before + (WEEKS_AFTER + 1) * DAYS_IN_A_WEEK }, (_, day) => {
        const level = day % DAYS_IN_A_WEEK < WORKING_DAYS ? 1_000_000 : 150_000;
        return level * (day < before ? 1 : factor);
      });
      const days = levels.map((level, day): DayAmount => ({
        day: dayOf(new Date(MONDAY_MS + day * DAY_MS)),
        amount: level * Math.exp(sigma * noise.normal()),
      }));
      for (let week = 0; week < WEEKS_AFTER; week += 1) {
        const start = before + week * DAYS_IN_A_WEEK;
        const own = days
          .slice(start, start + DAYS_IN_A_WEEK)
          .filter((_, at) => (start + at) % DAYS_IN_A_WEEK < WORKING_DAYS);
        alarms[week] = (alarms[week] ?? 0) + own.filter((day) => judgeDay(days, day).kind === 'unusual').length;
        const [first] = own;
        const level = levels[days.findIndex((day) => day === first)] ?? 1;
        const usual = first ? (usualRange(days, first.day)?.usual ?? 0) : 0;
        off[week] = (off[week] ?? 0) + Math.abs(usual / level - 1);
      }
    }
    return {
      name: `a step to ${factor} times as much`,
      alarms: alarms.map((count) => percentOf(count, WORKING_DAYS * organizations)),
      off: off.map((sum) => percentOf(sum, organizations)),
    };
  });
}
