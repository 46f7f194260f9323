import type { InputValue } from '../../../slack/control-types.ts';
import { listOf, recordOf, recordsOf, stringOf, type Json } from '../core/json.ts';

const textMembers = [
  'value',
  'selected_date',
  'selected_time',
  'selected_date_time',
  'selected_user',
  'selected_channel',
  'selected_conversation',
];
const listMembers = ['selected_users', 'selected_channels', 'selected_conversations'];

const asText = (value: unknown) => (typeof value === 'number' ? String(value) : stringOf(value));
const optionValues = (value: unknown) => recordsOf(value).map((option) => stringOf(option['value']));

/** What is typed or chosen, out of Slack's state object (`{ type, selected_option: {…} }`). */
export function valueFromState(state: Json): InputValue {
  for (const member of textMembers) {
    if (state[member] !== undefined && state[member] !== null) return asText(state[member]);
  }
  for (const member of listMembers) {
    if (Array.isArray(state[member])) return listOf(state[member]).map((item) => stringOf(item));
  }
  const option = recordOf(state['selected_option']);
  if (option !== null) return stringOf(option['value']);
  if (Array.isArray(state['selected_options'])) return optionValues(state['selected_options']);
  if (Array.isArray(state['files'])) return recordsOf(state['files']).map((file) => stringOf(file['id']));
  return 'rich_text_value' in state ? richTextAsText(state['rich_text_value']) : null;
}

/** What an untouched element shows: its initial value. */
export function valueFromElement(element: Json): InputValue {
  const single = ['value', 'date', 'time', 'date_time', 'user', 'channel', 'conversation'];
  for (const name of single) {
    const value = element[`initial_${name}`];
    if (recordOf(value) !== null) return richTextAsText(value);
    if (value !== undefined && value !== null) return asText(value);
  }
  for (const name of ['users', 'channels', 'conversations']) {
    const value = element[`initial_${name}`];
    if (Array.isArray(value)) return value.map((item) => stringOf(item));
  }
  if (Array.isArray(element['initial_options'])) return optionValues(element['initial_options']);
  const option = recordOf(element['initial_option']);
  return option === null ? null : stringOf(option['value']);
}

function richTextAsText(value: unknown): string | null {
  const block = recordOf(value);
  if (block === null) return null;
  if (typeof block['text'] === 'string') return block['text'];
  return recordsOf(block['elements'])
    .map((element) => richTextAsText(element) ?? '')
    .join('');
}

export const isEmptyValue = (value: InputValue) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The one value of an element that holds one. */
export function singleValue(value: InputValue): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}

/** All values of an element that holds several. */
export function severalValues(value: InputValue): string[] {
  if (Array.isArray(value)) return value;
  return value === null || value === '' ? [] : [value];
}
