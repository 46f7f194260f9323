/** The members of Slack's payloads that are read: https://docs.slack.dev/reference/interaction-payloads */
import { z } from 'zod';

/** Slack's own ids have a few dozen characters. The limit ensures that patterns only see short texts. */
const id = z.string().max(200);
/** Typed text is repeated in the values of buttons, which hold 2,000 characters including the rest of the value. */
export const MAX_COMMAND_TEXT_LENGTH = 1_500;
const MAX_VALUE_LENGTH = 3_000;

export const commandPayload = z.looseObject({
  command: id,
  text: z.string().default(''),
  user_id: id,
  channel_id: id.default(''),
  response_url: z.string().max(2_000),
  trigger_id: id,
});

/** A shortcut of the whole workspace, which has no channel. */
export const shortcutPayload = z.looseObject({
  user: z.looseObject({ id }),
  callback_id: id,
  trigger_id: id,
});
export type ShortcutPayload = z.infer<typeof shortcutPayload>;

const value = z.string().max(MAX_VALUE_LENGTH);
const chosenOption = z.looseObject({ value: value.default('') });

const clickedAction = z
  .looseObject({
    type: id.default('button'),
    action_id: z.string().max(255),
    action_ts: id.default(''),
    url: z.string().optional(),
    value: value.nullish(),
    selected_option: chosenOption.nullish(),
    selected_user: id.nullish(),
    selected_conversation: id.nullish(),
    selected_channel: id.nullish(),
    selected_date: id.nullish(),
    selected_time: id.nullish(),
  })
  .transform((action) => ({
    type: action.type,
    actionId: action.action_id,
    actionTs: action.action_ts,
    isLink: action.url !== undefined,
    value:
      action.value ??
      action.selected_option?.value ??
      action.selected_user ??
      action.selected_conversation ??
      action.selected_channel ??
      action.selected_date ??
      action.selected_time ??
      '',
  }));

const titleText = z.looseObject({ text: id.optional() }).nullish();

/** Stored with a click, and the source of its key. Parsed before the acknowledgement: keep it small. */
export const keptClick = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id }),
  channel: z.object({ id }).optional(),
  container: z.unknown().optional(),
  view: z.object({ id, type: id, title: z.unknown() }).optional(),
  response_url: z.string().max(2_000).optional(),
  trigger_id: id.optional(),
  actions: z.tuple([z.looseObject({ action_id: z.string().max(255), action_ts: id.default('') })]),
});

export const clickPayload = z.looseObject({
  user: z.looseObject({ id }),
  channel: z.looseObject({ id }).optional(),
  container: z
    .looseObject({
      message_ts: id.optional(),
      thread_ts: id.optional(),
      is_ephemeral: z.boolean().optional(),
    })
    .optional(),
  view: z
    .looseObject({
      id,
      type: id,
      hash: id.default(''),
      title: titleText,
      private_metadata: value.default(''),
      state: z.looseObject({ values: z.unknown() }).nullish(),
    })
    .optional(),
  response_url: z.string().max(2_000).optional(),
  trigger_id: id.optional(),
  actions: z.array(clickedAction).min(1),
});
export type ClickPayload = z.infer<typeof clickPayload>;

export const submissionPayload = z.looseObject({
  user: z.looseObject({ id }),
  trigger_id: id.optional(),
  view: z.looseObject({
    id,
    hash: id.default(''),
    callback_id: z.string().max(255).default(''),
    private_metadata: value.default(''),
    title: titleText,
    state: z.looseObject({ values: z.unknown() }).optional(),
  }),
});
export type SubmissionPayload = z.infer<typeof submissionPayload>;

const keptOption = z.object({ value });
/** Leaves out the labels and the addresses of files. */
const keptInput = z.object({
  value: value.nullish(),
  selected_option: keptOption.nullish(),
  selected_options: z.array(keptOption).nullish(),
  selected_conversation: id.nullish(),
  selected_channel: id.nullish(),
  selected_user: id.nullish(),
  selected_users: z.array(id).nullish(),
  selected_time: id.nullish(),
  selected_date_time: z.number().nullish(),
  files: z.array(z.object({ id })).nullish(),
});

/** Leaves out each token, trigger or address that Slack sent with the form. */
export const keptForm = z.object({
  user: z.object({ id }),
  view: z.object({
    id,
    hash: id.default(''),
    callback_id: z.string().max(255).default(''),
    private_metadata: value.default(''),
    title: z.object({ text: id.optional() }).nullish(),
    state: z
      .object({ values: z.record(z.string().max(255), z.record(z.string().max(255), keptInput.catch({}))).catch({}) })
      .optional(),
  }),
});

export const homeOpenedEvent = z.looseObject({
  user: id,
  tab: id.default('home'),
  view: z.unknown().optional(),
});
