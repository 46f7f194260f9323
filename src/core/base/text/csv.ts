import { stringify } from 'csv-stringify/sync';
import type { Column } from './columns.ts';
import { plain } from './markup.ts';

export type CsvCell = string | number;

const FORMULA = /(^|[;,|])([\s"']*)(?=[=+\-@＝＋－＠])/gu;

const safeText = (text: string): string => plain(text).replace(FORMULA, "$1$2'");

/**
 * Returns lines of CSV, each ended by a line feed. A text that a spreadsheet would run as a formula gets an apostrophe
 * in front. The same applies after `;` and similar signs inside a text, by which spreadsheets in many countries
 * separate cells.
 *
 * @example csvLines([['=cmd()', -3]]) // "'=cmd(),-3\n"
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? safeText(cell) : cell)));
  return stringify(cells, { escape_formulas: true });
}

/** @example csvHeader([{ title: 'Day', cell: (row) => row.date }]) // 'Day\n' */
export function csvHeader(columns: readonly Pick<Column<never>, 'title'>[]): string {
  return csvLines([columns.map(({ title }) => title)]);
}

/** Has no header, so that a file can be written piece by piece. */
export function csvRows<Row>(columns: readonly Column<Row, CsvCell>[], rows: readonly Row[]): string {
  return csvLines(rows.map((row) => columns.map(({ cell }) => cell(row))));
}
