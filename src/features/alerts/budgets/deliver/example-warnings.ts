import { plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import { allowEverybodysAmounts } from '../../../../core/figures/groups/admission.ts';
import { periodOf, titleOf, type Alert } from '../core/budget.ts';
import type { Notice } from '../core/budget-payload.ts';
import type { Threshold } from '../core/decide.ts';

/** Half of the budget is used in an example about the expected credits. */
const USED_IN_FORECAST = 0.5;

/** Returns a warning about the first threshold with amounts that come from the budget alone, so it reveals no figure. */
export function exampleWarning(budget: Alert, today: Day): Notice {
  const { id, credits, thresholds } = budget;
  const { amount } = allowEverybodysAmounts();
  const [threshold = { basis: 'actual', percent: 100 }] = [
    ...thresholds.actual.map((percent): Threshold => ({ basis: 'actual', percent })),
    ...thresholds.forecast.map((percent): Threshold => ({ basis: 'forecast', percent })),
  ];
  const reached = (credits * threshold.percent) / 100;
  const isForecast = threshold.basis === 'forecast';
  const period = periodOf(budget.period, today) ?? firstPeriod(budget, today);
  const yesterday = plusDays(today, -1);
  return {
    kind: 'crossed',
    budgetId: id,
    thresholds: [threshold],
    said: {
      title: titleOf(budget),
      credits,
      price: budget.kind === 'budget' ? budget.price : undefined,
      period,
      through: yesterday < period.first ? period.first : yesterday,
      spent: amount(isForecast ? credits * USED_IN_FORECAST : reached),
      ...(isForecast ? { expected: amount(reached) } : {}),
      explained: [],
    },
  };
}

function firstPeriod({ period }: Alert, today: Day): Period {
  const first = 'first' in period ? period.first : today;
  return periodOf(period, first) ?? { first, last: first };
}
