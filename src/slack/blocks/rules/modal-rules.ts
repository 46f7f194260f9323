/** Views: https://docs.slack.dev/reference/views */
import { z } from 'zod';
import { plainText } from './composition.ts';

const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
};

/** Blocks are checked separately. */
export const viewFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

/** Slack refuses a larger view with `view_too_large`. */
export const MAX_VIEW_BYTES = 250 * 1024;
