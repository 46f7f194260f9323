import { stringify } from 'csv-stringify/sync';
import { plain } from './text.ts';

/** A cell of a file: numbers stay numbers. */
export type CsvCell = string | number;

/**
 * Lines of CSV, each ended by a line feed. A text that a spreadsheet would take for a formula gets an apostrophe in front;
 * numbers stay numbers, negative ones too.
 *
 * @example csvLines([['=cmd()', -3]]) // "'=cmd(),-3\n"
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? plain(cell) : cell)));
  return stringify(cells, { escape_formulas: true });
}
