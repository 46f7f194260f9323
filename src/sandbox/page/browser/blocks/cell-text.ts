import { stringOf, type Json } from '../core/json.ts';

/** Returns the plain text of a cell: the text of a number, or its value without one. */
export function cellText(cell: Json): string {
  const value = cell['value'];
  return stringOf(cell['text'], typeof value === 'number' ? String(value) : '');
}
