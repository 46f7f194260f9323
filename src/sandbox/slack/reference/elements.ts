/** https://docs.slack.dev/reference/block-kit/block-elements: the page of each is `/<name>-element`. */
import {
  actionId,
  boxOption,
  confirmation,
  conversationFilter,
  dispatchActionConfig,
  linkOption,
  menuOption,
  optionGroup,
  plainText,
  slackFile,
  workflow,
} from './composition.ts';
import { richText } from './rich-text.ts';
import {
  boolean,
  choice,
  formatted,
  list,
  object,
  string,
  stringOrEmpty,
  whole,
  type Members,
  type Rule,
  type Types,
} from './shape.ts';

const named = { action_id: actionId };
const focusable = { ...named, focus_on_load: boolean };
const confirmed = { ...focusable, confirm: confirmation };
const menu = { ...confirmed, placeholder: plainText(150) };
const field = { ...focusable, placeholder: plainText(150), dispatch_action_config: dispatchActionConfig };
const style = choice('primary', 'danger');
const several = { max_selected_items: whole(1) };
const choices = { options: list(menuOption, 100), option_groups: list(optionGroup, 100) };
const optionsOrGroups: readonly Rule[] = [
  { rule: 'at least one', of: ['options', 'option_groups'] },
  { rule: 'at most one', of: ['options', 'option_groups'] },
];
const aNumber = formatted({ pattern: /^-?\d+(\.\d+)?$/, description: 'a number' });

const date = formatted({ pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, description: 'a date YYYY-MM-DD' });
const time = formatted({ pattern: /^([01]\d|2[0-3]):[0-5]\d$/, description: 'a time HH:mm' });

const feedbackButton = object({
  needs: { text: plainText(75), value: string(2_000) },
  may: { accessibility_label: string(75) },
});

const one = (initial: Members['may'], more: Members = {}): Members => ({ ...more, may: { ...menu, ...initial } });

export const elements = {
  button: {
    needs: { text: plainText(75) },
    may: {
      ...named,
      confirm: confirmation,
      style,
      value: stringOrEmpty(2_000),
      url: string(3_000),
      accessibility_label: string(75),
      agent_prompt: string(4_000),
    },
  },
  workflow_button: {
    needs: { text: plainText(75), workflow },
    may: { ...named, confirm: confirmation, style, accessibility_label: string(75) },
  },
  feedback_buttons: { needs: { positive_button: feedbackButton, negative_button: feedbackButton }, may: named },
  icon_button: {
    needs: { icon: choice('trash'), text: plainText(75) },
    may: {
      ...named,
      confirm: confirmation,
      value: stringOrEmpty(2_000),
      accessibility_label: string(75),
      visible_to_user_ids: list(string(), 10),
    },
  },
  overflow: { needs: { options: list(linkOption, 5) }, may: { ...named, confirm: confirmation } },
  checkboxes: {
    needs: { options: list(boxOption, 10) },
    may: { ...confirmed, initial_options: list(boxOption) },
    rules: [{ rule: 'offered', member: 'initial_options' }],
  },
  radio_buttons: {
    needs: { options: list(boxOption, 10) },
    may: { ...confirmed, initial_option: boxOption },
    rules: [{ rule: 'offered', member: 'initial_option' }],
  },

  static_select: one(
    { ...choices, initial_option: menuOption },
    { rules: [...optionsOrGroups, { rule: 'offered', member: 'initial_option' }] },
  ),
  external_select: one({ initial_option: menuOption, min_query_length: whole(0) }),
  users_select: one({ initial_user: string() }),
  conversations_select: one({
    initial_conversation: string(),
    default_to_current_conversation: boolean,
    filter: conversationFilter,
    response_url_enabled: boolean,
  }),
  channels_select: one({ initial_channel: string(), response_url_enabled: boolean }),

  multi_static_select: one(
    { ...choices, ...several, initial_options: list(menuOption) },
    { rules: [...optionsOrGroups, { rule: 'offered', member: 'initial_options' }] },
  ),
  multi_external_select: one({ ...several, initial_options: list(menuOption), min_query_length: whole(0) }),
  multi_users_select: one({ ...several, initial_users: list(string()) }),
  multi_conversations_select: one({
    ...several,
    initial_conversations: list(string()),
    default_to_current_conversation: boolean,
    filter: conversationFilter,
  }),
  multi_channels_select: one({ ...several, initial_channels: list(string()) }),

  datepicker: one({ initial_date: date }),
  timepicker: one({ initial_time: time, timezone: string() }),
  // Ten digits, by the page.
  datetimepicker: { may: { ...confirmed, initial_date_time: whole(1_000_000_000, 9_999_999_999) } },

  // The page has no bound for `initial_value`, and 5,000 characters passed: https://github.com/IBM/slack-wrench/issues/105
  plain_text_input: {
    may: {
      ...field,
      initial_value: stringOrEmpty(),
      multiline: boolean,
      min_length: whole(0, 3_000),
      max_length: whole(1, 3_000),
    },
  },
  email_text_input: { may: { ...field, initial_value: stringOrEmpty() } },
  url_text_input: { may: { ...field, initial_value: stringOrEmpty() } },
  number_input: {
    needs: { is_decimal_allowed: boolean },
    may: { ...field, initial_value: aNumber, min_value: aNumber, max_value: aNumber },
    rules: [{ rule: 'not above', low: 'min_value', high: 'max_value' }],
  },
  rich_text_input: {
    may: { ...field, initial_value: richText, min_lines: whole(1, 100), max_lines: whole(1, 100) },
  },
  file_input: { may: { ...named, filetypes: list(string()), max_files: whole(1, 10) } },

  image: {
    needs: { alt_text: string(2_000) },
    may: { image_url: string(3_000), slack_file: slackFile },
    rules: [
      { rule: 'at least one', of: ['image_url', 'slack_file'] },
      { rule: 'at most one', of: ['image_url', 'slack_file'] },
    ],
  },
  icon: { needs: { name: string() } },
  url: { needs: { url: string(3_000), text: string() } },
} satisfies Types;
