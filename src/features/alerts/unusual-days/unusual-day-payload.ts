import { z } from 'zod';
import { isDay } from '../../../core/base/time/calendar.ts';
import { admittedAmount, groupSums } from '../../../core/figures/groups/admission.ts';
import { declareSubscriptionMessage } from '../../../core/outbox/message-kind.ts';

const day = z.string().refine(isDay);

const entrySchema = z.object({
  subject: z.string(),
  /** Such as `the organization` or `@web-team`. */
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
  /** Such as `atlas-large: 12.1 M instead of about 8 M`. */
  explained: z.array(z.string()),
  /** The e-mails of the people that the explanation names. */
  named: z.array(z.string()).optional(),
  /** The group sums that it shows to readers who may not see single people. */
  sums: groupSums.optional(),
  /** Sentences about the timeline events of those days. */
  happened: z.array(z.string()),
});
export type WatchEntry = z.infer<typeof entrySchema>;

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

/** Reports the beginning and end of unusual days in all watches of a channel or a person: at most once a day. */
export const unusualDaysMessage = declareSubscriptionMessage(
  { name: 'usage-watch-message', payload: watchMessageSchema },
  ROLE,
);
export const unusualDaysEdit = declareSubscriptionMessage({ name: 'usage-watch-edit', payload: watchEditSchema }, ROLE);
export const unusualDaysNote = declareSubscriptionMessage({ name: 'usage-watch-note', payload: watchNoteSchema }, ROLE);
