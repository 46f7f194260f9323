/** Composition objects: https://docs.slack.dev/reference/block-kit/composition-objects */
import { z } from 'zod';
import { report } from './violation.ts';

export const blockId = z.string().min(1).max(255);
export const actionId = z.string().min(1).max(255);

export const plainText = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maximum),
    emoji: z.boolean().optional(),
  });

const mrkdwn = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maximum),
    verbatim: z.boolean().optional(),
  });

export const anyText = (maximum = 3000) => z.discriminatedUnion('type', [plainText(maximum), mrkdwn(maximum)]);

export const confirmation = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

export const option = z.strictObject({
  text: plainText(75),
  // Slack's page allows 150 characters of value, its own types 75: the smaller number passes both.
  value: z.string().min(1).max(75),
  description: plainText(75).optional(),
});

export const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .superRefine((filter, context) => {
    if (Object.values(filter).some((member) => member !== undefined)) return;
    report(context, filter, {
      path: [],
      code: 'missing',
      message: 'must define `include`, `exclude_external_shared_channels` or `exclude_bot_users`',
    });
  });
