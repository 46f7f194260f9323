import { z } from 'zod';
import { declareOwnerNotice } from '../../../core/outbox/owner-notices.ts';

const pauseReason = z.enum(['admin', 'stopped', 'grants_a_day', 'credits_a_period', 'gap']);

const noticeSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('paused'), reason: pauseReason, by: z.string().nullable(), names: z.array(z.string()) }),
  /** It waits for a second admin. */
  z.object({ event: z.literal('tested'), id: z.string(), version: z.int() }),
  /** Its people and caps wait for a second admin. */
  z.object({ event: z.literal('removed'), id: z.string() }),
  z.object({ event: z.literal('activated'), id: z.string(), version: z.int() }),
]);
export type PolicyNotice = z.infer<typeof noticeSchema>;

export const policyNotice = declareOwnerNotice('limit-policy', noticeSchema);
