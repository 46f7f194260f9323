import { z } from 'zod';
import { isDay } from '../../base/time/calendar.ts';
import { admittedAmount, groupSums } from '../../figures/groups/admission.ts';
import { declareSubscriptionMessage } from '../../outbox/message-kind.ts';

const day = z.string().refine(isDay);

const entrySchema = z.object({
  subject: z.string(),
  /** `the organization`, `@web-team` */
  about: z.string(),
  kind: z.enum(['unusual', 'back', 'too_little']),
  days: z.array(
    z.object({
      day,
      judgement: z.enum(['usual', 'high', 'low', 'unknown']),
      amount: admittedAmount,
      range: z.object({ low: admittedAmount, usual: admittedAmount, high: admittedAmount }).optional(),
    }),
  ),
  /** What explains it, such as `atlas-large: 12.1 M instead of about 8 M`. */
  explained: z.array(z.string()),
  /** E-mails of the people that the explanation names. */
  named: z.array(z.string()).optional(),
  /** The sums of a group that it shows to readers who may not see single people. */
  sums: groupSums.optional(),
  /** What changed on those days. */
  happened: z.array(z.string()),
});
export type WatchEntry = z.infer<typeof entrySchema>;

/** The message for a channel on a day, about all its watches. */
export const watchMessageSchema = z.object({ entries: z.array(entrySchema).min(1) });
export type WatchMessage = z.infer<typeof watchMessageSchema>;

const watchEditSchema = z.object({ messageKey: z.string(), by: z.string().optional() });
export const watchNoteSchema = z.object({
  messageKey: z.string(),
  about: z.string(),
  day,
  amount: admittedAmount,
  before: admittedAmount,
  sums: groupSums.optional(),
});
export type WatchNote = z.infer<typeof watchNoteSchema>;

const ROLE = 'manager';

/** Unusual days, and their end, of all that a channel or a person watches: at most one a day. */
export const unusualDaysMessage = declareSubscriptionMessage(
  { name: 'usage-watch-message', payload: watchMessageSchema },
  ROLE,
);
/** The same message, from what is true when it is edited. */
export const unusualDaysEdit = declareSubscriptionMessage({ name: 'usage-watch-edit', payload: watchEditSchema }, ROLE);
/** The note about a correction, in the thread of the message. */
export const unusualDaysNote = declareSubscriptionMessage({ name: 'usage-watch-note', payload: watchNoteSchema }, ROLE);
