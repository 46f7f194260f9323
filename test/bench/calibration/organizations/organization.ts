import type { Noise } from '../noise.ts';

const DAY_MS = 86_400_000;

/** The days on which an organization rests, from 0 on Sunday to 6 on Saturday. */
export const WEEKS = {
  'Mon–Fri': [6, 0],
  'Sun–Thu': [5, 6],
  'Sat–Wed': [4, 5],
  'Mon–Sat': [0],
  '24/7': [],
} as const satisfies Record<string, readonly number[]>;
export type Week = keyof typeof WEEKS;
export const WEEK_NAMES = ['Mon–Fri', 'Sun–Thu', 'Sat–Wed', 'Mon–Sat', '24/7'] as const satisfies readonly Week[];

export const SIZES = [3, 12, 25, 60, 200] as const;

export interface OrganizationKind {
  week: Week;
  people: number;
  /** A few people use most of the credits, and their days differ more. */
  isHeavyTailed?: boolean;
}

/** A day as the generators see it; nothing here is computed by the code under test. */
export interface OrganizationDay {
  date: string;
  month: string;
  isWorkday: boolean;
}

/** @example organizationDays('2027-01-01', 2, 'Mon–Fri').map(({ isWorkday }) => isWorkday) // [true, false] */
export function organizationDays(first: string, count: number, week: Week): OrganizationDay[] {
  const rests: readonly number[] = WEEKS[week];
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(start + index * DAY_MS);
    const date = at.toISOString().slice(0, 10);
    return { date, month: date.slice(0, 7), isWorkday: !rests.includes(at.getUTCDay()) };
  });
}

/** How a day differs from an ordinary one: the share of people who are there, and the factor of their use. */
export interface DayEffect {
  presence: number;
  factor: number;
}

export const NO_EFFECT: DayEffect = { presence: 1, factor: 1 };

export const between = (noise: Noise, low: number, high: number) => low + (high - low) * noise.uniform();

const CREDITS_A_DAY = 50_000;

/**
 * Adds the days of each person: whether they work, and a lognormal amount. All of them share how busy a day and a week
 * are. On its rest days an organization has a few who work.
 */
export function organizationAmounts(
  { people, isHeavyTailed = false, week }: OrganizationKind,
  noise: Noise,
  days: readonly OrganizationDay[],
  effects: readonly DayEffect[],
): number[] {
  const [sizeSigma, daySigma] = isHeavyTailed ? [1.3, 1] : [0.7, 0.5];
  const sizes = Array.from({ length: people }, () => CREDITS_A_DAY * Math.exp(sizeSigma * noise.normal()));
  const [workday, restDay] = [between(noise, 0.65, 0.9), between(noise, 0, 0.08)];
  // The Saturday of some six-day weeks is half a day.
  const saturday = week === 'Mon–Sat' ? between(noise, 0.5, 1) : 1;
  const profile = Array.from({ length: 7 }, () => Math.exp(0.08 * noise.normal()));
  const [daily, weekly] = [between(noise, 0.03, 0.09), between(noise, 0, 0.06)];
  let busyWeek = 0;
  return days.map(({ date, isWorkday }, index) => {
    const { presence, factor } = effects[index] ?? NO_EFFECT;
    const weekday = new Date(date).getUTCDay();
    if (weekday === 1) busyWeek = 0.6 * busyWeek + 0.8 * weekly * noise.normal();
    const chance = (isWorkday ? workday * (weekday === 6 ? saturday : 1) : restDay) * presence;
    const busy = factor * (profile[weekday] ?? 1) * Math.exp(busyWeek + daily * noise.normal());
    let sum = 0;
    for (const size of sizes) if (noise.uniform() < chance) sum += size * Math.exp(daySigma * noise.normal());
    return Math.round(sum * busy);
  });
}

/** Returns the index of the workday that is this number of workdays before a day. */
export function workdaysBefore(days: readonly OrganizationDay[], at: number, count: number): number {
  let [place, left] = [at, count];
  while (left > 0 && place > 0) {
    place -= 1;
    if (days[place]?.isWorkday === true) left -= 1;
  }
  return place;
}
