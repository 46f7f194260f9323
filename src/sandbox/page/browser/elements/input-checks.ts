import type { InputValue } from '../../../slack/people/control-types.ts';
import { numberOf, recordOf, stringOf, type Json } from '../core/json.ts';
import { isEmptyValue, singleValue } from './element-values.ts';

/**
 * What Slack's client says about a form before it sends it: empty required fields, numbers out of range. By block
 * id; nothing for a field that is in order.
 */
export function checkInputs(
  blocks: readonly Json[],
  valueOf: (blockId: string, element: Json) => InputValue,
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const block of blocks.filter(({ type }) => type === 'input')) {
    const element = recordOf(block['element']);
    if (element === null) continue;
    const blockId = stringOf(block['block_id']);
    const value = valueOf(blockId, element);
    const fault = isEmptyValue(value)
      ? block['optional'] === true
        ? null
        : 'Please complete this required field.'
      : checkValue(element, value);
    if (fault !== null) faults[blockId] = fault;
  }
  return faults;
}

function checkValue(element: Json, value: InputValue): string | null {
  const text = singleValue(value);
  switch (element['type']) {
    case 'plain_text_input':
      return checkLength(text, numberOf(element['min_length']), numberOf(element['max_length']));
    case 'number_input':
      return checkNumber(text, element);
    default:
      return null;
  }
}

function checkLength(text: string, least: number | null, most: number | null): string | null {
  if (least !== null && text.length < least) return `Write at least ${least} characters.`;
  return most !== null && text.length > most ? `Write at most ${most} characters.` : null;
}

function checkNumber(text: string, element: Json): string | null {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return 'Enter a number.';
  if (element['is_decimal_allowed'] !== true && !Number.isInteger(number)) return 'Enter a whole number.';
  const least = boundOf(element['min_value']);
  const most = boundOf(element['max_value']);
  if (least !== null && number < least) return `Enter ${least} or more.`;
  return most !== null && number > most ? `Enter ${most} or less.` : null;
}

function boundOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
}
