/** What Slack delivers, as far as it is read: https://docs.slack.dev/reference/interaction-payloads */
import { z } from 'zod';

export const commandPayload = z.looseObject({
  command: z.string(),
  text: z.string().default(''),
  user_id: z.string(),
  channel_id: z.string().default(''),
  response_url: z.url(),
  trigger_id: z.string(),
});

const chosenOption = z.looseObject({ value: z.string().default('') });

const clickedAction = z
  .looseObject({
    type: z.string().default('button'),
    action_id: z.string(),
    action_ts: z.string().default(''),
    url: z.string().optional(),
    value: z.string().nullish(),
    selected_option: chosenOption.nullish(),
    selected_user: z.string().nullish(),
    selected_conversation: z.string().nullish(),
    selected_channel: z.string().nullish(),
    selected_date: z.string().nullish(),
    selected_time: z.string().nullish(),
  })
  .transform((sent) => ({
    type: sent.type,
    actionId: sent.action_id,
    actionTs: sent.action_ts,
    isLink: sent.url !== undefined,
    value:
      sent.value ??
      sent.selected_option?.value ??
      sent.selected_user ??
      sent.selected_conversation ??
      sent.selected_channel ??
      sent.selected_date ??
      sent.selected_time ??
      '',
  }));

const titleText = z.looseObject({ text: z.string().optional() }).nullish();

export const clickPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z
    .looseObject({
      message_ts: z.string().optional(),
      thread_ts: z.string().optional(),
      is_ephemeral: z.boolean().optional(),
    })
    .optional(),
  view: z.looseObject({ id: z.string(), type: z.string(), title: titleText }).optional(),
  response_url: z.url().optional(),
  trigger_id: z.string().optional(),
  actions: z.array(clickedAction).min(1),
});
export type ClickPayload = z.infer<typeof clickPayload>;

export const submissionPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string().optional(),
  view: z.looseObject({
    id: z.string(),
    hash: z.string().default(''),
    callback_id: z.string().default(''),
    private_metadata: z.string().default(''),
    title: titleText,
    state: z.looseObject({ values: z.unknown() }).optional(),
  }),
});
export type SubmissionPayload = z.infer<typeof submissionPayload>;

export const homeOpenedEvent = z.looseObject({
  user: z.string(),
  tab: z.string().default('home'),
  view: z.unknown().optional(),
});
