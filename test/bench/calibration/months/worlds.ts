import type { Noise } from '../noise.ts';

const DAY_MS = 86_400_000;

/** A day as a generator sees it; nothing here is computed by the code under test. */
export interface WorldDay {
  date: string;
  month: string;
  isWorkday: boolean;
  /** From 0 on Sunday to 6 on Saturday. */
  weekday: number;
  /** 1 on the last workday of its month, 2 on the one before; on other days the count of workdays up to the end. */
  workdaysLeft: number;
}

/** @example worldDays('2026-01-30', 3).map(({ date }) => date) // ['2026-01-30', '2026-01-31', '2026-02-01'] */
export function worldDays(first: string, count: number): WorldDay[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(start + index * DAY_MS);
    const text = date.toISOString().slice(0, 10);
    let workdaysLeft = 0;
    for (let ms = date.getTime(); new Date(ms).getUTCMonth() === date.getUTCMonth(); ms += DAY_MS)
      if (new Date(ms).getUTCDay() % 6 !== 0) workdaysLeft += 1;
    const weekday = date.getUTCDay();
    return { date: text, month: text.slice(0, 7), isWorkday: weekday % 6 !== 0, weekday, workdaysLeft };
  });
}

/** Factors for each day; `judgedFrom` is the index of the first judged month. */
type Effect = (noise: Noise, days: readonly WorldDay[], judgedFrom: number) => number[];

const between = (noise: Noise, low: number, high: number) => low + (high - low) * noise.uniform();

const growth =
  (low: number, high: number): Effect =>
  (noise, days) => {
    const rate = between(noise, low, high);
    return days.map((_, index) => (1 + rate) ** (index / 7));
  };

const wandering: Effect = (noise, days) => {
  const size = between(noise, 0.01, 0.04);
  let level = 0;
  return days.map(() => Math.exp((level += size * noise.normal())));
};

/** From 45 days before the first judged month to the end of the last. */
const step =
  (isUp: boolean): Effect =>
  (noise, days, judgedFrom) => {
    const at = between(noise, judgedFrom - 45, days.length);
    const factor = between(noise, 1.3, 2) ** (isUp ? 1 : -1);
    return days.map((_, index) => (index < at ? 1 : factor));
  };

/** On average one workday in sixteen, without notice. */
const holidays: Effect = (noise, days) =>
  days.map(({ isWorkday }) => (isWorkday && noise.uniform() < 1 / 16 ? between(noise, 0.05, 0.3) : 1));

/** A new model is used a lot for some days, and some of that usage remains. */
const launches: Effect = (noise, days) => {
  const factors = days.map(() => 1);
  for (let at = between(noise, 0, 90); at < days.length; at += between(noise, 50, 120)) {
    const [peak, rest, life] = [between(noise, 0.3, 0.9), between(noise, 0, 0.2), between(noise, 4, 9)];
    for (let day = Math.ceil(at); day < days.length; day += 1)
      factors[day] = (factors[day] ?? 1) * (1 + rest + (peak - rest) * Math.exp((at - day) / life));
  }
  return factors;
};

/** The last three workdays of each month. */
const surge: Effect = (noise, days) => {
  const usual = between(noise, 1.2, 1.8);
  const ofMonth = new Map<string, number>();
  return days.map(({ month, isWorkday, workdaysLeft }) => {
    const factor = ofMonth.get(month) ?? usual * Math.exp(0.05 * noise.normal());
    ofMonth.set(month, factor);
    return isWorkday && workdaysLeft <= 3 ? factor : 1;
  });
};

const sometimes =
  (effect: Effect): Effect =>
  (noise, days, judgedFrom) =>
    noise.uniform() < 0.5 ? effect(noise, days, judgedFrom) : days.map(() => 1);

export interface MonthWorld {
  name: string;
  effects: Effect[];
}

export const MONTH_WORLDS: readonly MonthWorld[] = [
  { name: 'plain noise', effects: [] },
  { name: 'growth 2–8 % a week', effects: [growth(0.02, 0.08)] },
  { name: 'wandering level', effects: [wandering] },
  { name: 'step up', effects: [step(true)] },
  { name: 'step down', effects: [step(false)] },
  { name: 'holidays', effects: [holidays] },
  { name: 'launches of models', effects: [launches] },
  { name: 'surge at month end', effects: [surge] },
  {
    name: 'all mixed',
    effects: [growth(0.005, 0.03), wandering, step(true), step(false), holidays, launches, surge].map(sometimes),
  },
];

/** Noise of 5 to 30 % around the level of each weekday, with no work at weekends or some, times the effects of the world. */
export function worldAmounts(
  { effects }: MonthWorld,
  noise: Noise,
  days: readonly WorldDay[],
  judgedFrom: number,
): number[] {
  const level = 1_000_000 * Math.exp(noise.normal());
  const weekend = noise.uniform() < 0.3 ? 0 : between(noise, 0.05, 0.3);
  const profile = Array.from({ length: 7 }, (_, weekday) => (weekday % 6 === 0 ? weekend : between(noise, 0.8, 1.2)));
  const sigma = between(noise, 0.05, 0.3);
  const factors = effects.map((effect) => effect(noise, days, judgedFrom));
  return days.map(({ weekday }, index) => {
    const factor = factors.reduce((product, one) => product * (one[index] ?? 1), 1);
    return Math.round(level * (profile[weekday] ?? 0) * factor * Math.exp(sigma * noise.normal() - sigma ** 2 / 2));
  });
}
