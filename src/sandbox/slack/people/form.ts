/** Typed and chosen values of interactive elements, in Slack's shapes. */
import type { InputValue } from './control-types.ts';
import { ControlError } from './control-error.ts';
import type { Block, FormState } from '../model/workspace.ts';
import { isJson, objectsIn, textOf, type Json } from '../../json.ts';

export interface BlockElement {
  block: Block;
  blockId: string;
  actionId: string;
  type: string;
  element: Json;
}

export function findElements(blocks: readonly Block[]): BlockElement[] {
  return blocks.flatMap((block) => inside(block, block));
}

function inside(value: unknown, block: Block): BlockElement[] {
  if (Array.isArray(value)) return value.flatMap((item) => inside(item, block));
  if (!isJson(value)) return [];
  const actionId = value['action_id'];
  const innerElements = Object.values(value).flatMap((member) =>
    typeof member === 'object' ? inside(member, block) : [],
  );
  if (typeof actionId !== 'string') return innerElements;
  return [
    { block, blockId: textOf(block['block_id']), actionId, type: textOf(value['type']), element: value },
    ...innerElements,
  ];
}

/** Returns the values of an untouched form: initial values, or null. */
export function initialState(blocks: readonly Block[]): FormState {
  const state: FormState = {};
  for (const field of findElements(blocks)) {
    if (field.type === 'button') continue;
    (state[field.blockId] ??= {})[field.actionId] = initialOf(field);
  }
  return state;
}

/** Keeps the values of elements with the same block_id and action_id, as views.update does. */
export function carryOver(old: FormState, blocks: readonly Block[]): FormState {
  const state = initialState(blocks);
  for (const [blockId, actions] of Object.entries(state)) {
    for (const actionId of Object.keys(actions)) {
      const typed = old[blockId]?.[actionId];
      if (typed && typed['type'] === actions[actionId]?.['type']) actions[actionId] = typed;
    }
  }
  return state;
}

interface Shape {
  /** The member of the state object. */
  member: string;
  initial: string;
  kind: 'text' | 'option' | 'options' | 'list' | 'number' | 'files';
}

const shapes: Record<string, Shape> = {
  plain_text_input: { member: 'value', initial: 'initial_value', kind: 'text' },
  timepicker: { member: 'selected_time', initial: 'initial_time', kind: 'text' },
  datetimepicker: { member: 'selected_date_time', initial: 'initial_date_time', kind: 'number' },
  static_select: { member: 'selected_option', initial: 'initial_option', kind: 'option' },
  radio_buttons: { member: 'selected_option', initial: 'initial_option', kind: 'option' },
  checkboxes: { member: 'selected_options', initial: 'initial_options', kind: 'options' },
  multi_static_select: { member: 'selected_options', initial: 'initial_options', kind: 'options' },
  conversations_select: { member: 'selected_conversation', initial: 'initial_conversation', kind: 'text' },
  multi_users_select: { member: 'selected_users', initial: 'initial_users', kind: 'list' },
  file_input: { member: 'files', initial: '', kind: 'files' },
};

/** All elements that have a value. */
export const statefulElements: readonly string[] = Object.keys(shapes);

const isList = (shape: Shape) => ['options', 'list', 'files'].includes(shape.kind);

function initialOf({ type, element }: BlockElement): Json {
  const shape = shapes[type];
  if (!shape) return { type };
  return { type, [shape.member]: element[shape.initial] ?? (isList(shape) ? [] : null) };
}

export function isEmpty(state: Json | undefined): boolean {
  const value = state && shapes[textOf(state['type'])] ? state[shapes[textOf(state['type'])]?.member ?? ''] : undefined;
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

interface Lookup {
  /** Returns the id for the name of a person or channel. */
  resolve(type: string, reference: string): string;
  file(id: string): Json;
}

/**
 * Returns the state that Slack sends after a person typed or chose `value` in an element. Throws a ControlError if that is
 * impossible: an option that is not offered, text in a multi-select.
 */
export function stateFor(field: BlockElement, value: InputValue, lookup: Lookup): Json {
  const shape = shapes[field.type];
  if (!shape) throw new ControlError('not_a_field', `${field.type} "${field.actionId}" takes no value`);
  if (value === null) return { type: field.type, [shape.member]: isList(shape) ? [] : null };
  if (isList(shape) !== Array.isArray(value)) {
    throw new ControlError(
      'wrong_value',
      `${field.type} "${field.actionId}" takes ${isList(shape) ? 'a list' : 'one value'}`,
    );
  }
  const chosen = [value].flat().map((item) => chosenValue(field, shape, item, lookup));
  return { type: field.type, [shape.member]: isList(shape) ? chosen : chosen[0] };
}

function chosenValue(field: BlockElement, shape: Shape, value: string, lookup: Lookup): unknown {
  switch (shape.kind) {
    case 'option':
    case 'options':
      return chosenOption(field, value);
    case 'number':
      return Number(value);
    case 'files':
      return lookup.file(value);
    case 'list':
    case 'text':
      return lookup.resolve(field.type, value);
    default:
      return shape.kind satisfies never;
  }
}

function chosenOption({ element, type, actionId }: BlockElement, value: string): Json {
  const options = objectsIn(element['options']);
  const option = options.find((candidate) => candidate['value'] === value);
  if (option) return option;
  const values = options.map((candidate) => textOf(candidate['value'])).join(', ');
  throw new ControlError('no_such_option', `${type} "${actionId}" has no option "${value}"; it has: ${values}`);
}
