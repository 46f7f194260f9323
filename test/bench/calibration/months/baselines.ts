const WEEK = 7;

/** Sums the next days, from the amounts of days without a gap, oldest first. */
type Baseline = (amounts: readonly number[], count: number) => number;

const at = (amounts: readonly number[], index: number) => amounts[index] ?? 0;

function sumOfDays(count: number, dayAhead: (ahead: number) => number): number {
  let sum = 0;
  for (let ahead = 0; ahead < count; ahead += 1) sum += dayAhead(ahead);
  return sum;
}

/** Each day is like the same weekday of the last week. */
const seasonalNaive: Baseline = (amounts, count) =>
  sumOfDays(count, (ahead) => at(amounts, amounts.length - WEEK + (ahead % WEEK)));

/** Each day is the median of the last four of its weekday. */
const medianOfFour: Baseline = (amounts, count) =>
  sumOfDays(count, (ahead) => {
    const same = [1, 2, 3, 4].map((week) => at(amounts, amounts.length - week * WEEK + (ahead % WEEK)));
    const sorted = same.toSorted((a, b) => a - b);
    return (at(sorted, 1) + at(sorted, 2)) / 2;
  });

const ALPHAS = [0.02, 0.05, 0.1, 0.2, 0.4];
const BETAS = [0, 0.01, 0.05];
const GAMMAS = [0.05, 0.15, 0.3];

interface Smoothed {
  level: number;
  trend: number;
  seasons: number[];
  squares: number;
}

/** Additive, by weeks; the three parameters minimize the errors of one day ahead. */
const holtWinters: Baseline = (amounts, count) => {
  let best: Smoothed | undefined;
  for (const alpha of ALPHAS)
    for (const beta of BETAS)
      for (const gamma of GAMMAS) {
        const smoothed = smooth(amounts, alpha, beta, gamma);
        if (!best || smoothed.squares < best.squares) best = smoothed;
      }
  const { level, trend, seasons } = best ?? { level: 0, trend: 0, seasons: [] };
  return sumOfDays(count, (ahead) =>
    Math.max(0, level + trend * (ahead + 1) + at(seasons, (amounts.length + ahead) % WEEK)),
  );
};

function smooth(amounts: readonly number[], alpha: number, beta: number, gamma: number): Smoothed {
  const meanOfWeek = (week: number) => sumOfDays(WEEK, (day) => at(amounts, week * WEEK + day)) / WEEK;
  let level = meanOfWeek(0);
  let trend = 0;
  const seasons = Array.from(
    { length: WEEK },
    (_, day) => (at(amounts, day) - meanOfWeek(0) + at(amounts, WEEK + day) - meanOfWeek(1)) / 2,
  );
  let squares = 0;
  for (let day = WEEK; day < amounts.length; day += 1) {
    const season = at(seasons, day % WEEK);
    const amount = at(amounts, day);
    squares += (amount - level - trend - season) ** 2;
    const before = level;
    level = alpha * (amount - season) + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
    seasons[day % WEEK] = gamma * (amount - level) + (1 - gamma) * season;
  }
  return { level, trend, seasons, squares };
}

export const BASELINE_NAMES = ['seasonal naive', 'median of four', 'Holt-Winters'] as const;
export type BaselineName = (typeof BASELINE_NAMES)[number];

export const BASELINES: Readonly<Record<BaselineName, Baseline>> = {
  'seasonal naive': seasonalNaive,
  'median of four': medianOfFour,
  'Holt-Winters': holtWinters,
};
