/** The elements that are sent: https://docs.slack.dev/reference/block-kit/block-elements */
import { z } from 'zod';
import { actionId, confirmation, conversationFilter, option, plainText } from './composition.ts';
import { report } from './violation.ts';

const id = { action_id: actionId.optional() };
const named = { ...id, placeholder: plainText(150).optional() };

export const button = z.strictObject({
  type: z.literal('button'),
  ...id,
  confirm: confirmation.optional(),
  text: plainText(75),
  value: z.string().max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

interface Option {
  value: string;
}
interface OptionList {
  options: Option[];
  initial_option?: Option | undefined;
  initial_options?: Option[] | undefined;
}

// Slack compares the whole option, including its text.
function checkInitial(element: OptionList, context: z.RefinementCtx): void {
  const offeredOptions = new Set(element.options.map((offered) => JSON.stringify(offered)));
  const initial = element.initial_option ? [element.initial_option] : (element.initial_options ?? []);
  if (initial.every((chosen) => offeredOptions.has(JSON.stringify(chosen)))) return;
  const member = element.initial_option ? 'initial_option' : 'initial_options';
  report(context, element, { path: [member], code: 'inconsistent', message: 'must be among the options' });
}

const listed = (maximum: number) => ({ options: z.array(option).min(1).max(maximum) });
const one = { initial_option: option.optional() };
const several = { initial_options: z.array(option).min(1).optional() };

const staticSelect = z
  .strictObject({ type: z.literal('static_select'), ...named, ...listed(100), ...one })
  .superRefine(checkInitial);

const choices = [
  z
    .strictObject({ type: z.literal('multi_static_select'), ...named, ...listed(100), ...several })
    .superRefine(checkInitial),
  z.strictObject({ type: z.literal('checkboxes'), ...id, ...listed(10), ...several }).superRefine(checkInitial),
  z.strictObject({ type: z.literal('radio_buttons'), ...id, ...listed(10), ...one }).superRefine(checkInitial),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...named,
    initial_conversation: z.string().min(1).optional(),
    filter: conversationFilter.optional(),
    response_url_enabled: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...named,
    initial_users: z.array(z.string().min(1)).min(1).optional(),
  }),
] as const;

const times = [
  z.strictObject({
    type: z.literal('timepicker'),
    ...named,
    initial_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:mm')
      .optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...id,
    // Ten digits: seconds between 2001 and 2286.
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
] as const;

const typed = [
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...named,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }),
  z.strictObject({
    type: z.literal('file_input'),
    ...id,
    filetypes: z.array(z.string().min(1)).min(1).optional(),
    max_files: z.int().min(1).max(10).optional(),
  }),
] as const;

export const actionElement = z.discriminatedUnion('type', [button, staticSelect]);
export const inputElement = z.discriminatedUnion('type', [staticSelect, ...choices, ...times, ...typed]);
