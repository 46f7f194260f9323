/** Selects, overflow, checkboxes and radio buttons: https://docs.slack.dev/reference/block-kit/block-elements */
import { z } from 'zod';
import {
  actionId,
  confirmation,
  conversationFilter,
  optionGroup,
  overflowOption,
  plainOption,
  plainText,
  richOption,
} from './composition.ts';
import { report } from './violation.ts';

const common = {
  action_id: actionId.optional(),
  confirm: confirmation.optional(),
  focus_on_load: z.boolean().optional(),
};
const select = { ...common, placeholder: plainText(150).optional() };
const multiSelect = { ...select, max_selected_items: z.int().min(1).optional() };
const responds = { response_url_enabled: z.boolean().optional() };
const listed = {
  options: z.array(plainOption).min(1).max(100).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
};

interface Option {
  value: string;
}
interface Listed {
  options?: Option[] | undefined;
  option_groups?: { options: Option[] }[] | undefined;
  initial_option?: Option | undefined;
  initial_options?: Option[] | undefined;
}

function checkListed(element: Listed, context: z.RefinementCtx): void {
  if ((element.options === undefined) === (element.option_groups === undefined)) {
    report(context, element, { path: [], code: 'missing', message: 'must provide one of: options, option_groups' });
    return;
  }
  checkInitial(element, context);
}

// Slack compares the whole option, its text included.
function checkInitial(element: Listed, context: z.RefinementCtx): void {
  if (!element.initial_option && !element.initial_options) return;
  const offered = element.options ?? (element.option_groups ?? []).flatMap((group) => group.options);
  const known = new Set(offered.map((option) => JSON.stringify(option)));
  const initial = element.initial_option ? [element.initial_option] : (element.initial_options ?? []);
  if (initial.every((option) => known.has(JSON.stringify(option)))) return;
  const member = element.initial_option ? 'initial_option' : 'initial_options';
  report(context, element, { path: [member], code: 'inconsistent', message: 'must be among the options' });
}

export const singleSelects = [
  z
    .strictObject({ type: z.literal('static_select'), ...select, ...listed, initial_option: plainOption.optional() })
    .superRefine(checkListed),
  z.strictObject({
    type: z.literal('external_select'),
    ...select,
    initial_option: plainOption.optional(),
    min_query_length: z.int().min(0).optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...select, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...select,
    ...responds,
    initial_conversation: z.string().optional(),
    default_to_current_conversation: z.boolean().optional(),
    filter: conversationFilter.optional(),
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...select,
    ...responds,
    initial_channel: z.string().optional(),
  }),
] as const;

export const multiSelects = [
  z
    .strictObject({
      type: z.literal('multi_static_select'),
      ...multiSelect,
      ...listed,
      initial_options: z.array(plainOption).optional(),
    })
    .superRefine(checkListed),
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...multiSelect,
    initial_options: z.array(plainOption).optional(),
    min_query_length: z.int().min(0).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...multiSelect,
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...multiSelect,
    initial_conversations: z.array(z.string()).optional(),
    default_to_current_conversation: z.boolean().optional(),
    filter: conversationFilter.optional(),
  }),
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...multiSelect,
    initial_channels: z.array(z.string()).optional(),
  }),
] as const;

export const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...common,
    options: z.array(richOption).min(1).max(10),
    initial_options: z.array(richOption).min(1).optional(),
  })
  .superRefine(checkInitial);

export const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...common,
    options: z.array(richOption).min(1).max(10),
    initial_option: richOption.optional(),
  })
  .superRefine(checkInitial);

export const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId.optional(),
  confirm: confirmation.optional(),
  options: z.array(overflowOption).min(1).max(5),
});
