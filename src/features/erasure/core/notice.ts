import { z } from 'zod';
import { declareOwnerNotice } from '../../../core/outbox/owner-notices.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';

const noticeSchema = z.object({
  id: z.string(),
  event: z.enum(['asked', 'begun', 'declined', 'done']),
  /** A Slack id, or `operator`. */
  by: z.string(),
  /** The second admin. */
  agreedBy: z.string().optional(),
});
export type ErasureNotice = z.infer<typeof noticeSchema>;

export const erasureNotice = declareOwnerNotice('erasure', noticeSchema);

/** Notifies all admins of an event, once. */
export const notifyOfErasure = (trx: DatabaseTransaction, payload: ErasureNotice, now: Date): Promise<void> =>
  erasureNotice.notify(trx, null, { key: `erasure:${payload.id}:${payload.event}`, payload }, now);
