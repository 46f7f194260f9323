import { z } from 'zod';
import { isDay } from '../../base/time/calendar.ts';

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
      amount: z.number(),
      range: z.object({ low: z.number(), usual: z.number(), high: z.number() }).optional(),
    }),
  ),
  /** What explains it, such as `atlas-large: 12.1 M instead of about 8 M`. */
  explained: z.array(z.string()),
  /** What changed on those days. */
  happened: z.array(z.string()),
});
export type WatchEntry = z.infer<typeof entrySchema>;

/** What a channel is told on a day, of all that it watches. */
export const watchMessageSchema = z.object({ entries: z.array(entrySchema).min(1) });
export type WatchMessage = z.infer<typeof watchMessageSchema>;

export const watchEditSchema = z.object({ messageKey: z.string(), by: z.string().optional() });
export const watchNoteSchema = z.object({
  messageKey: z.string(),
  about: z.string(),
  day,
  amount: z.number(),
  before: z.number(),
});
export type WatchNote = z.infer<typeof watchNoteSchema>;

export const MESSAGE_KIND = 'usage-watch-message';
export const EDIT_KIND = 'usage-watch-edit';
export const NOTE_KIND = 'usage-watch-note';
