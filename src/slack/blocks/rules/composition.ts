/** Composition objects: https://docs.slack.dev/reference/block-kit/composition-objects */
import { z } from 'zod';
import { report } from './violation.ts';

export const blockId = z.string().max(255);
export const actionId = z.string().min(1).max(255);
const webAddress = z.string().min(1).max(3000);

/** A plain_text object of at most `maximum` characters. */
export const plainText = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maximum),
    emoji: z.boolean().optional(),
  });

/** A mrkdwn object of at most `maximum` characters. */
const mrkdwn = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maximum),
    verbatim: z.boolean().optional(),
  });

/** A plain_text or mrkdwn object of at most `maximum` characters. */
export const anyText = (maximum = 3000) => z.discriminatedUnion('type', [plainText(maximum), mrkdwn(maximum)]);

export const confirmation = z.strictObject({
  title: plainText(100).optional(),
  text: anyText(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

// Slack's page allows 150 characters of value, its own types 75: the smaller number passes both.
const optionMembers = { value: z.string().min(1).max(75), description: plainText(75).optional() };
export const plainOption = z.strictObject({ text: plainText(75), ...optionMembers });
export const richOption = z.strictObject({ text: anyText(75), ...optionMembers, description: anyText(75).optional() });
export const overflowOption = z.strictObject({ text: plainText(75), ...optionMembers, url: webAddress.optional() });
export const optionGroup = z.strictObject({ label: plainText(75), options: z.array(plainOption).min(1).max(100) });

export const dispatchConfig = z.strictObject({
  trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1),
});

export const conversationFilter = z.strictObject({
  include: z
    .array(z.enum(['im', 'mpim', 'private', 'public']))
    .min(1)
    .optional(),
  exclude_external_shared_channels: z.boolean().optional(),
  exclude_bot_users: z.boolean().optional(),
});

const slackFile = z.strictObject({ id: z.string().min(1).optional(), url: webAddress.optional() });

/** The members by which an image names its picture. */
export const imageSource = { image_url: webAddress.optional(), slack_file: slackFile.optional() };

interface WithImageSource {
  image_url?: string | undefined;
  slack_file?: { id?: string | undefined; url?: string | undefined } | undefined;
}

/** Exactly one of image_url and slack_file. */
export function checkImageSource(image: WithImageSource, context: z.RefinementCtx): void {
  if ((image.image_url === undefined) === (image.slack_file === undefined)) {
    report(context, image, { path: [], code: 'missing', message: 'must provide one of: image_url, slack_file' });
  }
}

export const webUrl = webAddress;
