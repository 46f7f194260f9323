import { z } from 'zod';
import { declareOwnerNotice } from '../../outbox/owner-notices.ts';

const noticeSchema = z.object({
  id: z.string(),
  event: z.enum(['asked', 'begun', 'declined', 'done']),
  /** A Slack id, or `operator`. */
  by: z.string(),
  /** The second admin. */
  agreedBy: z.string().optional(),
});
export type ErasureNotice = z.infer<typeof noticeSchema>;

/** Notifies all admins of an event of an erasure. */
export const erasureNotice = declareOwnerNotice('erasure', noticeSchema);
