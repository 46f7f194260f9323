import type { InputValue } from '../../../slack/people/control-types.ts';
import { numberOf, recordOf, stringOf, type Json } from '../core/json.ts';
import { isEmptyValue, singleValue } from './element-values.ts';

/**
 * Returns the complaints of Slack's client before it sends a form, by block id: empty required fields, texts of a wrong length.
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
  if (element['type'] !== 'plain_text_input') return null;
  return checkLength(singleValue(value), numberOf(element['min_length']), numberOf(element['max_length']));
}

function checkLength(text: string, least: number | null, most: number | null): string | null {
  if (least !== null && text.length < least) return `Write at least ${least} characters.`;
  return most !== null && text.length > most ? `Write at most ${most} characters.` : null;
}
