import { plusDays, weekdayOf, type Day } from '../../../src/core/base/time/calendar.ts';
import type { Noise } from '../../bench/calibration/noise.ts';

const CREDITS_A_DAY = 50_000;
/** Of the logarithm of a day's credits. */
const SPREAD = 0.8;

interface Habit {
  /** The probability that they work on a workday, and on a day of the weekend. */
  workday: number;
  weekend: number;
  /** By how much the level of a week differs from the week before, as a standard deviation of its logarithm. */
  drift?: number;
  /** The probability of a week without work. */
  away?: number;
  /** How many days before `known` they began. */
  beganBefore?: number;
}

export const HABITS: Readonly<Record<string, Habit>> = {
  steady: { workday: 0.95, weekend: 0 },
  usual: { workday: 0.75, weekend: 0.05 },
  daily: { workday: 0.9, weekend: 0.7 },
  rare: { workday: 0.3, weekend: 0.05 },
  drifting: { workday: 0.75, weekend: 0.05, drift: 0.2 },
  absent: { workday: 0.8, weekend: 0, away: 0.1 },
  new: { workday: 0.8, weekend: 0, beganBefore: 30 },
};

/** The credits of one generated person on each day from `first`. */
export function creditsOf(habit: Habit, first: Day, days: number, known: number, noise: Noise): number[] {
  let level = 0;
  let isAway = false;
  return Array.from({ length: days }, (_, index) => {
    const weekday = weekdayOf(plusDays(first, index));
    if (weekday === 1) {
      level += (habit.drift ?? 0) * noise.normal();
      isAway = noise.uniform() < (habit.away ?? 0);
    }
    const works = noise.uniform() < (weekday % 6 === 0 ? habit.weekend : habit.workday);
    const amount = CREDITS_A_DAY * Math.exp(level + SPREAD * noise.normal());
    const hasBegun = habit.beganBefore === undefined || index >= known - habit.beganBefore;
    return works && !isAway && hasBegun ? amount : 0;
  });
}
