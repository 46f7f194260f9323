import { dayStateOf, type DayState } from '../../analytics/day-state.ts';
import type { Part } from '../../analytics/day-facts.ts';
import { daysOf, type Day } from '../../base/time/calendar.ts';
import type { DatedRow, ReportScope } from './figures.ts';

/** A day of a period; `row` is undefined if the day is not published, which is not zero. */
export interface DayRow<Row> {
  day: Day;
  state: DayState;
  row?: Row;
}

/** Returns every day of the period, with its row if it is published; empty if the part could not be read. */
export function dayRowsOf<Row extends DatedRow>(part: Part<Row>, { period, today }: ReportScope): DayRow<Row>[] {
  if (part.kind === 'unreadable') return [];
  const byDay = new Map(part.rows.map((row) => [row.date, row]));
  return daysOf(period).map((day) => {
    const row = byDay.get(day);
    const state = dayStateOf(day, row !== undefined, today);
    return row ? { day, state, row } : { day, state };
  });
}
