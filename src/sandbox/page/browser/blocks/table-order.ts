import { numberOf, type Json } from '../core/json.ts';
import { cellText } from './cell-text.ts';

export type Row = Json[];

export interface Order {
  column: number;
  isDescending: boolean;
}

/** A column is sorted by number only if each of its cells is one, as in Slack. */
export function isNumeric(rows: readonly Row[], column: number): boolean {
  return rows.length > 0 && rows.every((row) => row[column]?.['type'] === 'raw_number');
}

/** Returns the rows in the requested order; equal rows keep theirs. */
export function sortedRows(rows: readonly Row[], order: Order | null): Row[] {
  if (order === null) return [...rows];
  const { column, isDescending } = order;
  const direction = isDescending ? -1 : 1;
  const compare = isNumeric(rows, column) ? compareNumbers : compareTexts;
  return rows.toSorted((a, b) => direction * compare(a[column] ?? {}, b[column] ?? {}));
}

const compareNumbers = (a: Json, b: Json) => (numberOf(a['value']) ?? 0) - (numberOf(b['value']) ?? 0);
const compareTexts = (a: Json, b: Json) => cellText(a).localeCompare(cellText(b), 'en', { numeric: true });

/** Returns the next order after a click on a heading: ascending, descending, original. */
export function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? null : { column, isDescending: true };
}

/** Returns one page of rows; a page past the end is the last one. */
export function pageOf<Item>(
  rows: readonly Item[],
  page: number,
  size: number,
): { rows: Item[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const current = Math.min(Math.max(page, 0), pages - 1);
  return { rows: rows.slice(current * size, (current + 1) * size), page: current, pages };
}
