import { z } from 'zod';
import { parseJson } from '../../../core/base/text/parse-json.ts';
import { isDay } from '../../../core/base/time/calendar.ts';
import { admittedAmount, groupSums } from '../../../core/figures/groups/admission.ts';
import { CADENCES } from './settings.ts';

const daySchema = z.string().refine(isDay);

/** The stored subject of a digest. Its figures are read when it is sent. */
export const digestPayloadSchema = z.preprocess(
  // Until version 0.2 a digest was about one day.
  (payload) => {
    const old = z.looseObject({ day: daySchema }).safeParse(payload).data;
    return old ? { ...old, cadence: 'daily', period: { first: old.day, last: old.day } } : payload;
  },
  z.object({
    subscriptionId: z.string(),
    cadence: z.enum(CADENCES),
    period: z.object({ first: daySchema, last: daySchema }),
    /** The planned time; `dueAt` changes when a user sends a failed digest again. */
    plannedFor: z.iso.datetime().optional(),
    /** Whether a user requested it: then it is sent although the digest is paused. */
    isAsked: z.boolean().optional(),
    /** Whether it follows a quiet morning because the figures were corrected since. */
    isRestated: z.boolean().optional(),
  }),
);
export type DigestPayload = z.infer<typeof digestPayloadSchema>;

const figuresSchema = z.record(z.string(), z.record(z.string(), admittedAmount));
/** By section and name. */
export type Figures = z.infer<typeof figuresSchema>;

const changedFigureSchema = z.object({ name: z.string(), before: admittedAmount, after: admittedAmount });
export type ChangedFigure = z.infer<typeof changedFigureSchema>;

const rankingSchema = z.object({ title: z.string(), names: z.array(z.string()).readonly() });
/** By section. */
const rankingsSchema = z.record(z.string(), rankingSchema);
export type Rankings = z.infer<typeof rankingsSchema>;

const correctionSchema = z.object({
  at: z.iso.datetime(),
  moved: z.array(changedFigureSchema),
  /** The rankings whose order changed, as they are now. */
  reordered: z.array(rankingSchema).default([]),
  isCompletion: z.boolean(),
  /** Whether it was written for readers who may see single people; undefined before version 0.3.0. */
  isForNaming: z.boolean().optional(),
  /** The group sums behind it, for readers who may not see single people. */
  sums: groupSums.optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** The content of a sent digest, stored with its delivery for corrections. */
const memoSchema = z.object({
  readAt: z.iso.datetime(),
  figures: figuresSchema,
  rankings: rankingsSchema.default({}),
  isComplete: z.boolean(),
  details: z.array(z.string()),
  corrections: z.array(correctionSchema).default([]),
  /** Whether it was one line; a correction keeps it at one line. */
  isQuiet: z.boolean().default(false),
  /** Why it was late, if it waited. */
  waitedFor: z.string().optional(),
  isForNaming: z.boolean().optional(),
  /** The sections that its readers may not see, with the reasons. */
  withheld: z.array(z.object({ title: z.string(), reason: z.string() })).optional(),
});
export type DigestMemo = z.infer<typeof memoSchema>;

/** undefined for a digest that was never sent, or whose memo cannot be parsed. */
export const readMemo = (memo: string | null): DigestMemo | undefined =>
  memoSchema.safeParse(parseJson(memo ?? '')).data;

/** The figures of a digest that was not sent, because nothing needed attention. */
const quietMemoSchema = z.object({
  quietReadAt: z.iso.datetime(),
  figures: figuresSchema,
  /** Whether its days were corrected, and a digest about them was posted. */
  isPosted: z.boolean().optional(),
});
export type QuietMemo = z.infer<typeof quietMemoSchema>;

/** undefined for a digest that was sent, or was skipped for another reason. */
export const readQuietMemo = (memo: string | null): QuietMemo | undefined =>
  quietMemoSchema.safeParse(parseJson(memo ?? '')).data;

/** Follow-ups store only the digest’s key, and read everything else from the digest. */
export const followUpSchema = z.object({ digestKey: z.string(), sectionId: z.string().optional() });

export const correctionNoteSchema = z.object({ digestKey: z.string(), correction: correctionSchema });
export type CorrectionNote = z.infer<typeof correctionNoteSchema>;
