/** Buttons, images and input elements: https://docs.slack.dev/reference/block-kit/block-elements */
import { z } from 'zod';
import {
  actionId,
  checkImageSource,
  confirmation,
  dispatchConfig,
  imageSource,
  plainText,
  webUrl,
} from './composition.ts';
import { richText } from './rich-text.ts';
import { checkboxes, multiSelects, overflow, radioButtons, singleSelects } from './selects.ts';

const id = { action_id: actionId.optional() };
const focus = { focus_on_load: z.boolean().optional() };
const confirm = { confirm: confirmation.optional() };
const placeholder = { placeholder: plainText(150).optional() };
const label = z.string().min(1).max(75);

export const button = z.strictObject({
  type: z.literal('button'),
  ...id,
  ...confirm,
  text: plainText(75),
  value: z.string().max(2000).optional(),
  url: webUrl.optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: label.optional(),
  agent_prompt: z.string().min(1).max(4000).optional(),
});

const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  ...id,
  ...confirm,
  text: plainText(75),
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: webUrl,
      customizable_input_parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    }),
  }),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: label.optional(),
});

export const imageElement = z
  .strictObject({ type: z.literal('image'), alt_text: z.string().max(2000), ...imageSource })
  .superRefine(checkImageSource);

const feedbackChoice = z.strictObject({
  text: plainText(75),
  accessibility_label: label.optional(),
  value: z.string().min(1).max(2000),
});
export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  ...id,
  positive_button: feedbackChoice,
  negative_button: feedbackChoice,
});
export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  ...id,
  ...confirm,
  icon: z.literal('trash'),
  text: plainText(75),
  accessibility_label: label.optional(),
  value: z.string().max(2000).optional(),
  visible_to_user_ids: z.array(z.string()).optional(),
});

const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...id,
  ...confirm,
  ...focus,
  ...placeholder,
  initial_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date YYYY-MM-DD')
    .optional(),
});
const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...id,
  ...confirm,
  ...focus,
  ...placeholder,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:mm')
    .optional(),
  timezone: z.string().min(1).optional(),
});
const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...id,
  ...confirm,
  ...focus,
  // Ten digits: seconds between 2001 and 2286.
  initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
});

const typed = { ...id, ...focus, ...placeholder, dispatch_action_config: dispatchConfig.optional() };
const numeral = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a number as a string');

const inputOnly = [
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }),
  z.strictObject({
    type: z.literal('number_input'),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: numeral.optional(),
    min_value: numeral.optional(),
    max_value: numeral.optional(),
  }),
  z.strictObject({ type: z.literal('email_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({ type: z.literal('url_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({
    type: z.literal('file_input'),
    ...id,
    filetypes: z.array(z.string().min(1)).optional(),
    max_files: z.int().min(1).max(10).optional(),
  }),
] as const;

const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  ...typed,
  initial_value: richText.optional(),
  min_lines: z.int().min(1).optional(),
  max_lines: z.int().min(1).optional(),
});

export const accessory = z.discriminatedUnion('type', [
  button,
  workflowButton,
  checkboxes,
  datepicker,
  timepicker,
  imageElement,
  overflow,
  radioButtons,
  ...singleSelects,
  ...multiSelects,
]);

export const actionElement = z.discriminatedUnion('type', [
  button,
  workflowButton,
  checkboxes,
  datepicker,
  datetimepicker,
  timepicker,
  overflow,
  radioButtons,
  richTextInput,
  ...singleSelects,
  ...multiSelects,
]);

export const inputElement = z.discriminatedUnion('type', [
  ...inputOnly,
  richTextInput,
  checkboxes,
  datepicker,
  datetimepicker,
  timepicker,
  radioButtons,
  ...singleSelects,
  ...multiSelects,
]);
