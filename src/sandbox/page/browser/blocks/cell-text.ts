import { stringOf, type Json } from '../core/json.ts';

/** What a cell of a table says as plain text: a number as its text, unless it has none. */
export function cellText(cell: Json): string {
  const value = cell['value'];
  return stringOf(cell['text'], typeof value === 'number' ? String(value) : '');
}
