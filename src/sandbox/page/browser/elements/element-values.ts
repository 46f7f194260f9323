import type { InputValue } from '../../../slack/people/control-types.ts';
import { listOf, recordOf, recordsOf, stringOf, type Json } from '../core/json.ts';

const textMembers = ['value', 'selected_time', 'selected_date_time', 'selected_conversation'];

const asText = (value: unknown) => (typeof value === 'number' ? String(value) : stringOf(value));
const optionValues = (value: unknown) => recordsOf(value).map((option) => stringOf(option['value']));

/** Returns the typed or chosen value of Slack's state object (`{ type, selected_option: {…} }`). */
export function valueFromState(state: Json): InputValue {
  for (const member of textMembers) {
    if (state[member] !== undefined && state[member] !== null) return asText(state[member]);
  }
  if (Array.isArray(state['selected_users'])) return listOf(state['selected_users']).map((item) => stringOf(item));
  const option = recordOf(state['selected_option']);
  if (option !== null) return stringOf(option['value']);
  if (Array.isArray(state['selected_options'])) return optionValues(state['selected_options']);
  if (Array.isArray(state['files'])) return recordsOf(state['files']).map((file) => stringOf(file['id']));
  return null;
}

export function valueFromElement(element: Json): InputValue {
  for (const name of ['value', 'time', 'date_time', 'conversation']) {
    const value = element[`initial_${name}`];
    if (value !== undefined && value !== null) return asText(value);
  }
  if (Array.isArray(element['initial_users'])) return listOf(element['initial_users']).map((item) => stringOf(item));
  if (Array.isArray(element['initial_options'])) return optionValues(element['initial_options']);
  const option = recordOf(element['initial_option']);
  return option === null ? null : stringOf(option['value']);
}

export const isEmptyValue = (value: InputValue) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function singleValue(value: InputValue): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}

export function severalValues(value: InputValue): string[] {
  if (Array.isArray(value)) return value;
  return value === null || value === '' ? [] : [value];
}
