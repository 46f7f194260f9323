import { DAYS_IN_A_WEEK } from '../../base/time/calendar.ts';
import { meanOf, median, NORMAL_DEVIATION } from '../../base/statistics.ts';
import { classOf, findSteps } from './level-step.ts';
import {
  findSurge,
  isNearMonthEnd,
  monthPlaces,
  surgeFactor,
  type MonthPlace,
  type MonthSurge,
} from './month-surge.ts';

/** The level of a day is computed from this many days before and after it. */
const NEIGHBOURS = 10;
/** These parts of the average day are added before logarithms and ratios, so that a day without work has them too. */
const [OFFSET_OF_LOGARITHMS, OFFSET_OF_RATIOS] = [0.03, 0.01];
/** A workday that deviates by more standard deviations, and by at least this logarithm, is an exception. */
const MAX_DEVIATIONS = 4;
const LEAST_DEVIATION = 0.35;
/** Deviations on a larger share of workdays are normal, not exceptions. */
const MAX_EXCEPTIONS = 0.15;

/** Past days made comparable with the days to come. */
export interface OrdinaryDays {
  /** Amounts at the level after the last step, without the surge of month ends. */
  withoutSteps: number[];
  /** The same, with an expected amount in place of exceptions such as holidays. */
  withoutExceptions: number[];
  exceptions: {
    /** The factor by which exceptions change the sum. */
    factor: number;
    rate: number;
  };
  surge: MonthSurge | undefined;
}

/** Removes lasting steps, month-end surges and exceptions. @param first the number of the first day */
export function ordinaryDays(amounts: readonly number[], first: number): OrdinaryDays {
  const mean = meanOf(amounts);
  const none = { factor: 1, rate: 0 };
  if (mean <= 0)
    return { withoutSteps: [...amounts], withoutExceptions: [...amounts], exceptions: none, surge: undefined };
  const amountsWithoutSteps = removeSteps(amounts, first, OFFSET_OF_LOGARITHMS * mean);
  const places = monthPlaces(first, amounts.length);
  const expected = expectedByNeighbours(amountsWithoutSteps, places);
  const offset = OFFSET_OF_RATIOS * mean;
  const ratioAt = (amount: number, at: number) =>
    (Math.max(0, amount) + offset) / (Math.max(0, expected[at] ?? 0) + offset);
  const ratios = amountsWithoutSteps.map(ratioAt);
  const isWorkday = amounts.map((_, at) => classOf(first + at) === 'workday');
  const distances = ratios.filter((_, at) => isWorkday[at]).map((one) => Math.abs(Math.log(one)));
  const spread = distances.length === 0 ? 0 : NORMAL_DEVIATION * median(distances);
  const surge = findSurge(places, ratios, spread);
  const withoutSteps = amountsWithoutSteps.map((amount, at) => amount / surgeFactor(surge, places[at]));
  const limit = Math.max(MAX_DEVIATIONS * spread, LEAST_DEVIATION);
  const isException = withoutSteps.map(
    (amount, at) => isWorkday[at] === true && Math.abs(Math.log(ratioAt(amount, at))) > limit,
  );
  const count = isException.filter(Boolean).length;
  if (count === 0 || count > MAX_EXCEPTIONS * distances.length)
    return { withoutSteps, withoutExceptions: withoutSteps, exceptions: none, surge };
  const withoutExceptions = withoutSteps.map((amount, at) => (isException[at] === true ? (expected[at] ?? 0) : amount));
  const factor = meanOf(withoutExceptions) > 0 ? meanOf(withoutSteps) / meanOf(withoutExceptions) : 1;
  return {
    withoutSteps,
    withoutExceptions,
    exceptions: { factor, rate: count / amounts.length },
    surge,
  };
}

function removeSteps(amounts: readonly number[], first: number, offset: number): number[] {
  const steps = findSteps(
    amounts.map((amount, at) => ({
      dayNumber: first + at,
      value: Math.log(Math.max(0, amount) + Math.max(1, offset)),
    })),
  );
  return amounts.map((amount, at) => {
    const later = steps.filter(({ dayNumber }) => first + at < dayNumber);
    return amount * Math.exp(later.reduce((sum, { size }) => sum + size, 0));
  });
}

/** Scales the usual amount of a weekday by the level of the days around it, without the day itself and month ends. */
function expectedByNeighbours(amounts: readonly number[], places: readonly MonthPlace[]): number[] {
  const medians = Array.from({ length: DAYS_IN_A_WEEK }, (_, weekday) =>
    median(amounts.filter((_amount, at) => at % DAYS_IN_A_WEEK === weekday)),
  );
  return amounts.map((amount, at) => {
    let [sum, usual] = [0, 0];
    const last = Math.min(amounts.length - 1, at + NEIGHBOURS);
    for (let day = Math.max(0, at - NEIGHBOURS); day <= last; day += 1) {
      const place = places[day];
      if (day === at || !place || isNearMonthEnd(place)) continue;
      sum += amounts[day] ?? 0;
      usual += medians[day % DAYS_IN_A_WEEK] ?? 0;
    }
    return usual > 0 ? (sum / usual) * (medians[at % DAYS_IN_A_WEEK] ?? 0) : amount;
  });
}
