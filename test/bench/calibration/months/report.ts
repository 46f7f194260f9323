import { percentOf } from '../../statistics.ts';
import { BASELINE_NAMES, type BaselineName } from './baselines.ts';
import { MONTH_DAYS_LEFT, type MonthCell } from './measure.ts';

const MIN_INSIDE = 75;
const MAX_INSIDE = 85;
const MIN_INSIDE_OF_WORLD = 70;
const MAX_RATIO_TO_BEST = 1.1;
/** In points of the month: so close to the best baseline a ratio says nothing. */
const MAX_DIFFERENCE = 0.3;

/** The error in percent in one world, or in all of them, this number of days before the end of the month. */
export interface MonthLine {
  name: string;
  daysLeft: number;
  months: number;
  withRange: number;
  /** Among the months with a range. */
  inside: number;
  above: number;
  below: number;
  /** Half the range, as a share of the month. */
  reach: number;
  bias: number;
  off: number;
  offBaselines: Record<BaselineName, number>;
  /** The mean absolute error divided by that of the best baseline. */
  ratioToBest: number;
}

const ALL = 'all worlds';

export function monthLines(cells: readonly MonthCell[]): MonthLine[] {
  return MONTH_DAYS_LEFT.flatMap((daysLeft) => {
    const own = cells.filter((cell) => cell.daysLeft === daysLeft);
    return [...own.map((cell) => lineOf(cell.world, daysLeft, [cell])), lineOf(ALL, daysLeft, own)];
  });
}

function lineOf(name: string, daysLeft: number, cells: readonly MonthCell[]): MonthLine {
  const sum = (measure: (cell: MonthCell) => number) => cells.reduce((total, cell) => total + measure(cell), 0);
  const [months, ranges] = [sum((cell) => cell.months), sum((cell) => cell.ranges)];
  const offOf = (baseline: BaselineName) => sum((cell) => cell.offBaselines[baseline]);
  const percent = (part: number) => Math.round((10_000 * part) / months) / 100;
  return {
    name,
    daysLeft,
    months,
    withRange: percentOf(ranges, months),
    inside: percentOf(
      sum((cell) => cell.inside),
      ranges,
    ),
    above: percentOf(
      sum((cell) => cell.above),
      ranges,
    ),
    below: percentOf(
      sum((cell) => cell.below),
      ranges,
    ),
    reach: percentOf(
      sum((cell) => cell.reach),
      ranges,
    ),
    bias: percent(sum((cell) => cell.bias)),
    off: percent(sum((cell) => cell.off)),
    offBaselines: {
      'seasonal naive': percent(offOf('seasonal naive')),
      'median of four': percent(offOf('median of four')),
      'Holt-Winters': percent(offOf('Holt-Winters')),
    },
    ratioToBest:
      Math.round((100 * sum((cell) => cell.off)) / Math.min(...BASELINE_NAMES.map((name) => offOf(name)))) / 100,
  };
}

export function describeMonths(lines: readonly MonthLine[], seed: number): string[] {
  const row = (name: string, values: readonly string[]) =>
    `  ${name.padEnd(22)}${values.map((value) => value.padStart(15)).join('')}`;
  const titles = ['inside', 'above / below', 'range ±', 'bias', 'mean error', ...BASELINE_NAMES, 'to the best'];
  return MONTH_DAYS_LEFT.flatMap((daysLeft) => {
    const own = lines.filter((line) => line.daysLeft === daysLeft);
    return [
      `Forecasts ${daysLeft} days before the end of the month, in percent; ${own[0]?.months} months of each world, seed ${seed}:`,
      row('', titles),
      ...own.map((line) =>
        row(line.name, [
          `${line.inside}`,
          `${line.above} / ${line.below}`,
          `${line.reach}`,
          `${line.bias}`,
          `${line.off}`,
          ...BASELINE_NAMES.map((name) => `${line.offBaselines[name]}`),
          `× ${line.ratioToBest}`,
        ]),
      ),
    ];
  });
}

export function missedByMonths(lines: readonly MonthLine[]): string[] {
  return lines.flatMap((line) => {
    const where = `${line.name}, ${line.daysLeft} days left`;
    return line.name === ALL ? missedByAll(line, where) : missedByWorld(line, where);
  });
}

function missedByAll({ inside, ratioToBest }: MonthLine, where: string): string[] {
  const faults: string[] = [];
  if (!(inside >= MIN_INSIDE && inside <= MAX_INSIDE))
    faults.push(`${where}: ${inside} % of months ended in the range; it must be ${MIN_INSIDE} to ${MAX_INSIDE} %`);
  if (!(ratioToBest < 1)) faults.push(`${where}: the error is ${ratioToBest} times that of the best baseline`);
  return faults;
}

function missedByWorld({ inside, withRange, off, offBaselines, ratioToBest }: MonthLine, where: string): string[] {
  const faults: string[] = [];
  if (withRange > 0 && !(inside >= MIN_INSIDE_OF_WORLD))
    faults.push(`${where}: ${inside} % of months ended in the range; it must be ${MIN_INSIDE_OF_WORLD} %`);
  const isClose = off <= Math.min(...Object.values(offBaselines)) + MAX_DIFFERENCE;
  if (!isClose && !(ratioToBest <= MAX_RATIO_TO_BEST))
    faults.push(
      `${where}: the error is ${ratioToBest} times that of the best baseline; ${MAX_RATIO_TO_BEST} are allowed`,
    );
  return faults;
}
