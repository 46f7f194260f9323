import { recordsOf, stringOf, type Json } from '../core/json.ts';

/** One thing that can be chosen. */
export interface Choice {
  value: string;
  /** A text object, or plain text. */
  label: unknown;
  description: unknown;
}

/** The options of an element. */
export function choicesOf(element: Json): Choice[] {
  return recordsOf(element['options']).map(({ value, text, description }) => ({
    value: stringOf(value),
    label: text,
    description,
  }));
}
