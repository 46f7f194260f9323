import { canonical, type Json } from '../../../core/platform/redaction/json.ts';
import { isSecretMark, withReadableMarks } from '../../../core/platform/redaction/marks.ts';
import { listMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { Path } from './change.ts';

/** @example pathText(['customModels', 'custom:a', 'apiKey']) // 'customModels[custom:a].apiKey' */
export function pathText(path: Path): string {
  return withReadableMarks(
    path.map((name, index) => (/^[\w$-]+$/.test(name) ? `${index === 0 ? '' : '.'}${name}` : `[${name}]`)).join(''),
  );
}

export function isBelow(path: string, typed: string): boolean {
  const [lower, start] = [path.toLowerCase(), typed.toLowerCase()];
  return lower.startsWith(start) && /^$|^[.[]/.test(lower.slice(start.length));
}

export const memberMarkup = (path: Path): Markup => markup`\`${clipValue(pathText(path), 120)}\``;

/** Long enough for a sentence of a rule or a command. A longer value is cut and its length shown. */
export const MAX_VALUE_LENGTH = 300;

function clipValue(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length).toWellFormed()}… (${countOf(text.length, 'character')} in all)`;
}

export function valueMarkup(value: Json, length = MAX_VALUE_LENGTH): Markup {
  if (typeof value === 'boolean') return value ? markup`*on*` : markup`*off*`;
  if (value === null) return markup`_null_`;
  if (value === '') return markup`_an empty text_`;
  if (typeof value === 'string') return textMarkup(value, length);
  if (typeof value === 'number') return markup`\`${value}\``;
  if (Array.isArray(value) && value.length === 0) return markup`_an empty list_`;
  if (Object.keys(value).length === 0) return markup`_empty_`;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return markup`[${valuesMarkup(value, value.length)}]`;
  }
  return markup`\`${clipValue(withReadableMarks(canonical(value)), length)}\``;
}

/** A length would reveal something about a secret. */
const HIDDEN = markup`_hidden_`;

function textMarkup(text: string, length: number): Markup {
  return isSecretMark(text) ? HIDDEN : markup`\`${clipValue(withReadableMarks(text), length)}\``;
}

export const isSecret = (value: Json): boolean => typeof value === 'string' && isSecretMark(value);

export const valuesMarkup = (values: readonly Json[], most: number): Markup =>
  listMarkup(
    values.map((value) => valueMarkup(value)),
    most,
  );
