import type { Block } from './blocks.ts';
import { clip, plain } from './text.ts';

const MAXIMUM_OPTIONS = 100;
const MAXIMUM_CHOICES = 10;
const LABEL_LENGTH = 2_000;
const OPTION_LENGTH = 75;

/** What every input has. Slack keeps what was typed when a view is shown again with the same ids. */
interface InputWish {
  /** Also the key in `FormState`, and of the errors that are shown at the field. */
  id: string;
  label: string;
  hint?: string;
  isOptional?: boolean;
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

function input(wish: InputWish, element: object): Block {
  return {
    type: 'input',
    block_id: wish.id,
    label: plainText(wish.label, LABEL_LENGTH),
    element: { action_id: wish.id, ...element },
    ...(wish.hint === undefined ? {} : { hint: plainText(wish.hint, LABEL_LENGTH) }),
    ...(wish.isOptional ? { optional: true } : {}),
  };
}

const toOption = ({ value, text, description }: Option) => ({
  text: plainText(text, OPTION_LENGTH),
  value,
  ...(description === undefined ? {} : { description: plainText(description, OPTION_LENGTH) }),
});

/** @throws RangeError for a value that Slack would refuse: cut, it would name another thing */
function toOptions(options: readonly Option[], maximum: number) {
  const kept = options.slice(0, maximum);
  if (kept.length === 0) throw new RangeError('A choice has at least one option');
  if (kept.some(({ value }) => value.length < 1 || value.length > OPTION_LENGTH))
    throw new RangeError('The value of an option has 1 to 75 characters');
  return kept.map((option) => toOption(option));
}

const chosenOf = (options: readonly Option[], values: readonly string[], maximum: number) =>
  options.slice(0, maximum).filter(({ value }) => values.includes(value));

/** One of up to 100 options. */
export function selectInput(wish: InputWish & { options: readonly Option[]; initial?: string | undefined }): Block {
  const [chosen] = chosenOf(wish.options, wish.initial === undefined ? [] : [wish.initial], MAXIMUM_OPTIONS);
  return input(wish, {
    type: 'static_select',
    options: toOptions(wish.options, MAXIMUM_OPTIONS),
    ...(chosen ? { initial_option: toOption(chosen) } : {}),
  });
}

/** Some of up to 100 options. */
export function multiSelectInput(wish: InputWish & { options: readonly Option[]; initial?: readonly string[] }): Block {
  const chosen = chosenOf(wish.options, wish.initial ?? [], MAXIMUM_OPTIONS);
  return input(wish, {
    type: 'multi_static_select',
    options: toOptions(wish.options, MAXIMUM_OPTIONS),
    ...(chosen.length > 0 ? { initial_options: chosen.map((option) => toOption(option)) } : {}),
  });
}

/** Some of up to ten options, all of them in sight. */
export function checkboxesInput(wish: InputWish & { options: readonly Option[]; initial?: readonly string[] }): Block {
  const chosen = chosenOf(wish.options, wish.initial ?? [], MAXIMUM_CHOICES);
  return input(wish, {
    type: 'checkboxes',
    options: toOptions(wish.options, MAXIMUM_CHOICES),
    ...(chosen.length > 0 ? { initial_options: chosen.map((option) => toOption(option)) } : {}),
  });
}

/** One of up to ten options, all of them in sight. */
export function radioInput(wish: InputWish & { options: readonly Option[]; initial?: string | undefined }): Block {
  const [chosen] = chosenOf(wish.options, wish.initial === undefined ? [] : [wish.initial], MAXIMUM_CHOICES);
  return input(wish, {
    type: 'radio_buttons',
    options: toOptions(wish.options, MAXIMUM_CHOICES),
    ...(chosen ? { initial_option: toOption(chosen) } : {}),
  });
}

/** A public or private channel; Slack offers each person those that they see. */
export function channelInput(wish: InputWish & { initial?: string | undefined }): Block {
  return input(wish, {
    type: 'conversations_select',
    filter: { include: ['public', 'private'], exclude_bot_users: true, exclude_external_shared_channels: true },
    ...(wish.initial ? { initial_conversation: wish.initial } : {}),
  });
}

export function usersInput(wish: InputWish & { initial?: readonly string[] }): Block {
  return input(wish, {
    type: 'multi_users_select',
    ...(wish.initial && wish.initial.length > 0 ? { initial_users: wish.initial } : {}),
  });
}

export function timeInput(wish: InputWish & { initial?: string | undefined }): Block {
  return input(wish, { type: 'timepicker', ...(wish.initial ? { initial_time: wish.initial } : {}) });
}

/** Slack takes no more than this into a text input. */
export const LONGEST_TYPED_TEXT = 3_000;

export function textInput(
  wish: InputWish & { isMultiline?: boolean; longest?: number; initial?: string | undefined; placeholder?: string },
): Block {
  const longest = Math.min(wish.longest ?? LONGEST_TYPED_TEXT, LONGEST_TYPED_TEXT);
  return input(wish, {
    type: 'plain_text_input',
    max_length: longest,
    ...(wish.isMultiline ? { multiline: true } : {}),
    ...(wish.initial ? { initial_value: clip(wish.initial, longest) } : {}),
    ...(wish.placeholder === undefined ? {} : { placeholder: plainText(wish.placeholder, 150) }),
  });
}

/** A number from 0 up. */
export function numberInput(wish: InputWish & { initial?: number | undefined }): Block {
  return input(wish, {
    type: 'number_input',
    is_decimal_allowed: true,
    min_value: '0',
    // Slack takes no exponents, and no reader either.
    ...(wish.initial === undefined || !/^\d+(\.\d+)?$/.test(String(wish.initial))
      ? {}
      : { initial_value: String(wish.initial) }),
  });
}

/** A date and a time in the zone of whoever chooses. */
export function dateTimeInput(wish: InputWish & { initial?: Date | undefined }): Block {
  const seconds = wish.initial && Math.floor(wish.initial.getTime() / 1_000);
  return input(wish, { type: 'datetimepicker', ...(seconds === undefined ? {} : { initial_date_time: seconds }) });
}

/** One file. Its type is only asked for: whatever comes is checked. */
export function fileInput(wish: InputWish & { fileTypes: readonly string[] }): Block {
  return input(wish, { type: 'file_input', filetypes: wish.fileTypes, max_files: 1 });
}
