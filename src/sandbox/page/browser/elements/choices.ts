import { recordsOf, stringOf, type Json } from '../core/json.ts';

export interface Choice {
  value: string;
  /** A text object, or plain text. */
  label: unknown;
  description: unknown;
}

export function choicesOf(element: Json): Choice[] {
  return recordsOf(element['options']).map(({ value, text, description }) => ({
    value: stringOf(value),
    label: text,
    description,
  }));
}
