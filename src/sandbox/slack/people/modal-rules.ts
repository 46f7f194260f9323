import { textOf, type Json } from '../../json.ts';
import { findElements, isEmpty, type BlockElement } from './form.ts';
import type { FormState, Block } from '../model/workspace.ts';

/** Returns why Slack would not submit, by block id; empty if it would. */
export function localErrors(blocks: readonly Block[], values: FormState): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const field of findElements(blocks)) {
    if (field.block['type'] !== 'input') continue;
    const message = problemWith(field, values[field.blockId]?.[field.actionId]);
    if (message !== undefined) errors[field.blockId] = message;
  }
  return errors;
}

function problemWith({ block, element, type }: BlockElement, state: Json | undefined): string | undefined {
  if (isEmpty(state)) return block['optional'] === true ? undefined : 'This is a required field';
  return type === 'plain_text_input' ? lengthProblem(element, textOf(state?.['value'])) : undefined;
}

function lengthProblem(element: Json, value: string): string | undefined {
  const minimum = Number(element['min_length'] ?? 0);
  const maximum = Number(element['max_length'] ?? 3000);
  if (value.length < minimum) return `Enter at least ${minimum} characters`;
  return value.length > maximum ? `Enter at most ${maximum} characters` : undefined;
}
