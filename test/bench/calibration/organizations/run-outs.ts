import { outlookOf } from '../../../../src/features/own/own-outlook.ts';
import { createNoise, type Noise } from '../noise.ts';
import { between, organizationDays, WEEK_NAMES, type OrganizationDay } from './organization.ts';

const KNOWN_DAYS = 56;
const AHEAD_DAYS = 62;
const DAY_MS = 86_400_000;
const CREDITS_A_DAY = 50_000;

interface Habit {
  /** The chance of a workday, and the spread of its logarithm. */
  workday: [number, number];
  spread: [number, number];
  /** By day from the last known one; 0: away. */
  level?: (noise: Noise) => (day: number) => number;
}

const usual: Pick<Habit, 'workday' | 'spread'> = { workday: [0.7, 0.9], spread: [0.4, 0.7] };

const HABITS: Readonly<Record<string, Habit>> = {
  steady: { workday: [0.85, 0.98], spread: [0.3, 0.6] },
  usual,
  bursty: { workday: [0.4, 0.7], spread: [0.8, 1.1] },
  joiner: {
    ...usual,
    level: (noise) => {
      const since = -between(noise, 8, 40);
      return (day) => (day > since ? 1 : 0);
    },
  },
  leaver: {
    ...usual,
    level: (noise) => {
      const since = -Math.floor(between(noise, 3, 11));
      return (day) => (day > since ? 0 : 1);
    },
  },
  'back from leave': {
    ...usual,
    level: (noise) => {
      const since = -Math.floor(between(noise, 4, 16));
      const length = between(noise, 14, 32);
      return (day) => (day <= since && day > since - length ? 0 : 1);
    },
  },
  growing: {
    ...usual,
    level: (noise) => {
      const rate = between(noise, 0.04, 0.1);
      return (day) => (1 + rate) ** (day / 7);
    },
  },
  drifting: {
    ...usual,
    level: (noise) => {
      const weeks = Array.from({ length: 20 }, () => 0.15 * noise.normal());
      return (day) => Math.exp(weeks.slice(0, 9 + Math.ceil(day / 7)).reduce((sum, one) => sum + one, 0));
    },
  },
};

export interface RunOutCell {
  habit: string;
  people: number;
  open: number;
  lasts: number;
  lastsWrongly: number;
  reached: number;
  reachedWrongly: number;
  /** Of those who reach it by a range of days, those who did within it. */
  ranges: number;
  inside: number;
  sums: number;
  sumsInside: number;
}

/** Asks on any morning of a month whether a limit lasts, and lets the rest of the month pass. */
export function measureRunOuts(people: number, seed: number): RunOutCell[] {
  return Object.entries(HABITS).map(([name, habit], index) => {
    const noise = createNoise(seed + 1_000 * index);
    const cell: RunOutCell = {
      habit: name,
      people: 0,
      open: 0,
      lasts: 0,
      lastsWrongly: 0,
      reached: 0,
      reachedWrongly: 0,
      ranges: 0,
      inside: 0,
      sums: 0,
      sumsInside: 0,
    };
    for (let person = 0; person < people; person += 1) judge(cell, habit, person, noise);
    return cell;
  });
}

function creditsOf(habit: Habit, noise: Noise, days: readonly OrganizationDay[]): number[] {
  const [chance, spread] = [between(noise, ...habit.workday), between(noise, ...habit.spread)];
  const size = CREDITS_A_DAY * Math.exp(0.8 * noise.normal());
  const levelOf = habit.level?.(noise) ?? (() => 1);
  return days.map(({ isWorkday }, index) => {
    const level = levelOf(index - KNOWN_DAYS + 1);
    const works = noise.uniform() < (isWorkday ? chance : 0.03);
    const amount = size * level * Math.exp(spread * noise.normal());
    return works ? Math.round(amount) : 0;
  });
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, one) => sum + one, 0);

function judge(cell: RunOutCell, habit: Habit, person: number, noise: Noise): void {
  const through = Date.UTC(2027, 2, 1) + DAY_MS * Math.floor(300 * noise.uniform());
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const at = new Date(through);
  const period = {
    first: dateOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
    last: dateOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)),
  };
  const ahead = Math.round((Date.parse(period.last) - through) / DAY_MS);
  if (ahead < 2) return;
  const week = WEEK_NAMES[person % WEEK_NAMES.length] ?? 'Mon–Fri';
  const all = creditsOf(
    habit,
    noise,
    organizationDays(dateOf(through - (KNOWN_DAYS - 1) * DAY_MS), KNOWN_DAYS + AHEAD_DAYS, week),
  );
  const days = all.slice(0, KNOWN_DAYS);
  const elapsed = Math.round((through - Date.parse(period.first)) / DAY_MS) + 1;
  const used = sumOf(days.slice(-elapsed));
  // So that about half of the limits last, by what the person did in the weeks in which they worked.
  const weeks = Array.from({ length: KNOWN_DAYS / 7 }, (_, index) => sumOf(days.slice(7 * index, 7 * index + 7)));
  const worked = weeks.filter((sum) => sum > 0);
  if (worked.length === 0) return;
  const limit = used + (sumOf(worked) / worked.length / 7) * ahead * between(noise, 0.2, 2) + 1;
  const outlook = outlookOf({ period, through: dateOf(through), used, days }, limit);
  const future = all.slice(KNOWN_DAYS, KNOWN_DAYS + ahead);
  let sum = used;
  const place = future.findIndex((amount) => (sum += amount) >= limit);
  const reachedOn = place === -1 ? undefined : dateOf(through + (place + 1) * DAY_MS);
  cell.people += 1;
  if (outlook.kind === 'open') cell.open += 1;
  if (outlook.kind === 'lasts') {
    cell.lasts += 1;
    cell.lastsWrongly += Number(reachedOn !== undefined);
    if (outlook.likely && outlook.likely.lower < outlook.likely.upper) {
      const total = used + sumOf(future);
      cell.sums += 1;
      cell.sumsInside += Number(total >= outlook.likely.lower && total <= outlook.likely.upper);
    }
  }
  if (outlook.kind === 'reached') {
    cell.reached += 1;
    cell.reachedWrongly += Number(reachedOn === undefined);
    if (outlook.earliest === outlook.latest) return;
    cell.ranges += 1;
    const { earliest, latest } = outlook;
    cell.inside += Number(
      (reachedOn ?? '9999') >= earliest && (latest === undefined || (reachedOn ?? '9999') <= latest),
    );
  }
}
