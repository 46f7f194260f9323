import { DAY_MS } from '../../../core/base/time/durations.ts';
import { notBeforeFirstDay, todayOf } from '../../../core/analytics/period.ts';
import { plusDays, type Day } from '../../../core/base/time/calendar.ts';
import {
  isSameModel,
  readMainModels,
  type MainModels,
  type PersonModels,
} from '../../../core/figures/measures/main-models.ts';
import type { AlertDeps } from '../alerts-deps.ts';

/** Somebody who was away for longer is told when they are back, or never. */
const LOOKED_BACK_DAYS = 28;

/** Who used which main model lately. Rows of people take thousands of pages, so a day old ones do. */
export function readModelsLately(deps: Pick<AlertDeps, 'days' | 'clock'>): Promise<MainModels> {
  const today: Day = todayOf(deps);
  const period = { first: notBeforeFirstDay(plusDays(today, -LOOKED_BACK_DAYS)), last: plusDays(today, -1) };
  return readMainModels(deps.days, period, { maxAgeMs: DAY_MS });
}

/** Those whose main model it was on their last day of use; others have moved. */
export const stillUsing = (people: readonly PersonModels[], model: string): PersonModels[] =>
  people.filter(({ last }) => isSameModel(last.model, model));
