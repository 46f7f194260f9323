import type { Block } from './blocks.ts';
import { clip, plain } from '../../base/text/markup.ts';

const MAX_OPTIONS = 100;
const MAX_CHOICES = 10;
const LABEL_LENGTH = 2_000;
const OPTION_LENGTH = 75;

/** Slack keeps typed values when a view is shown again with the same ids. */
interface InputField {
  /** Also the key in `FormState`, and of errors shown at the field. */
  id: string;
  label: string;
  hint?: string | undefined;
  isOptional?: boolean;
  /** Runs on each choice. Without it, the choice is read when the form is submitted. */
  actionId?: string;
}

export interface Option {
  /** At most 75 characters. */
  value: string;
  text: string;
  description?: string;
}

const plainText = (text: string, length: number) => ({
  type: 'plain_text',
  text: clip(plain(text), length) || ' ',
  emoji: false,
});

function input(field: InputField, element: object): Block {
  return {
    type: 'input',
    block_id: field.id,
    label: plainText(field.label, LABEL_LENGTH),
    element: { action_id: field.actionId ?? field.id, ...element },
    ...(field.actionId === undefined ? {} : { dispatch_action: true }),
    ...(field.hint === undefined ? {} : { hint: plainText(field.hint, LABEL_LENGTH) }),
    ...(field.isOptional ? { optional: true } : {}),
  };
}

const toOption = ({ value, text, description }: Option) => ({
  text: plainText(text, OPTION_LENGTH),
  value,
  ...(description === undefined ? {} : { description: plainText(description, OPTION_LENGTH) }),
});

/** @throws RangeError for a value that Slack would refuse: if it were cut, it would name another thing */
function toOptions(options: readonly Option[], maximum: number) {
  const offered = options.slice(0, maximum);
  if (offered.length === 0) throw new RangeError('A choice has at least one option');
  if (offered.some(({ value }) => value.length < 1 || value.length > OPTION_LENGTH))
    throw new RangeError('The value of an option has 1 to 75 characters');
  return offered.map((option) => toOption(option));
}

type Choice<T> = InputField & { options: readonly Option[]; initial?: T | undefined };

function choice(
  { options, initial, ...field }: Choice<string | readonly string[]>,
  { type, maximum, isMany }: { type: string; maximum: number; isMany: boolean },
): Block {
  const offered = toOptions(options, maximum);
  const chosen = offered.filter(({ value }) => (isMany ? initial?.includes(value) : initial === value));
  const initially = isMany ? { initial_options: chosen } : { initial_option: chosen[0] };
  return input(field, { type, options: offered, ...(chosen.length > 0 ? initially : {}) });
}

export const selectInput = (field: Choice<string>): Block =>
  choice(field, { type: 'static_select', maximum: MAX_OPTIONS, isMany: false });

export const multiSelectInput = (field: Choice<readonly string[]>): Block =>
  choice(field, { type: 'multi_static_select', maximum: MAX_OPTIONS, isMany: true });

/** Holds up to ten options. */
export const checkboxesInput = (field: Choice<readonly string[]>): Block =>
  choice(field, { type: 'checkboxes', maximum: MAX_CHOICES, isMany: true });

/** Holds up to ten options. */
export const radioInput = (field: Choice<string>): Block =>
  choice(field, { type: 'radio_buttons', maximum: MAX_CHOICES, isMany: false });

/** Slack offers each person the public and private channels that they can see. */
export function channelInput(field: InputField & { initial?: string | undefined }): Block {
  return input(field, {
    type: 'conversations_select',
    filter: { include: ['public', 'private'], exclude_bot_users: true, exclude_external_shared_channels: true },
    ...(field.initial ? { initial_conversation: field.initial } : {}),
  });
}

export function usersInput(field: InputField & { initial?: readonly string[] }): Block {
  return input(field, {
    type: 'multi_users_select',
    ...(field.initial && field.initial.length > 0 ? { initial_users: field.initial } : {}),
  });
}

export function timeInput(field: InputField & { initial?: string | undefined }): Block {
  return input(field, { type: 'timepicker', ...(field.initial ? { initial_time: field.initial } : {}) });
}

export const MAX_TYPED_TEXT_LENGTH = 3_000;

export function textInput(
  field: InputField & { isMultiline?: boolean; longest?: number; initial?: string | undefined; placeholder?: string },
): Block {
  const longest = Math.min(field.longest ?? MAX_TYPED_TEXT_LENGTH, MAX_TYPED_TEXT_LENGTH);
  return input(field, {
    type: 'plain_text_input',
    max_length: longest,
    ...(field.isMultiline ? { multiline: true } : {}),
    ...(field.initial ? { initial_value: clip(field.initial, longest) } : {}),
    ...(field.placeholder === undefined ? {} : { placeholder: plainText(field.placeholder, 150) }),
  });
}

/** A date and time in the zone of the person who fills in the form. */
export function dateTimeInput(field: InputField & { initial?: Date | undefined }): Block {
  const seconds = field.initial && Math.floor(field.initial.getTime() / 1_000);
  return input(field, { type: 'datetimepicker', ...(seconds === undefined ? {} : { initial_date_time: seconds }) });
}

/** Slack does not enforce the type of a file, so every file is checked. */
export function fileInput(field: InputField & { fileTypes: readonly string[] }): Block {
  return input(field, { type: 'file_input', filetypes: field.fileTypes, max_files: 1 });
}
