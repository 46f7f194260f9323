import type { DailyCreditsRow } from '../../analytics/facts.ts';
import type { Period } from '../../base/time/calendar.ts';
import { sumOf } from '../measures/figures.ts';
import { admitSums, type GateDeps } from './gate.ts';

/**
 * The days of a group as those may see them who may not see single people: each day of a period, or one row with all of it on its
 * last published day; nothing of a period that may not be shown. What is outside of the periods is left out.
 *
 * @param rows of the group, oldest first
 */
export async function admitRows(
  deps: GateDeps,
  emails: readonly string[],
  rows: readonly DailyCreditsRow[],
  periods: readonly Period[],
): Promise<DailyCreditsRow[]> {
  if (deps.config.minGroup <= 1) return [...rows];
  const shown: DailyCreditsRow[] = [];
  for (const { first, last } of periods) {
    const within = rows.filter(({ date }) => first <= date && date <= last);
    const through = within.at(-1)?.date;
    if (through === undefined) continue;
    const period = { first, last: through };
    const verdict = await admitSums(deps, [[{ emails, period, isByDay: true }], [{ emails, period, isByDay: false }]]);
    if (verdict.kind !== 'shown') continue;
    const all = { date: through, billable_tokens: sumOf(within, (row) => row.billable_tokens) };
    shown.push(...(verdict.index === 0 ? within : [all]));
  }
  return shown;
}
