import { z } from 'zod';
import { isDay } from '../slack/periods.ts';

/** What a digest's delivery keeps: which day it is about. Everything else is read when it is sent. */
export const digestPayloadSchema = z.object({
  subscriptionId: z.string(),
  day: z.string().refine(isDay),
});
export type DigestPayload = z.infer<typeof digestPayloadSchema>;
