import { z } from 'zod';
import { parseJson } from '../../base/text/parse-json.ts';
import { isDay } from '../../base/time/calendar.ts';
import { admittedAmount, groupSums } from '../../figures/groups/admission.ts';
import { CADENCES } from './settings.ts';

const daySchema = z.string().refine(isDay);

/** What a digest's delivery keeps: what it is about. The figures are read when it is sent. */
export const digestPayloadSchema = z.preprocess(
  // Until 0.2 a digest was about one day.
  (payload) => {
    const old = z.looseObject({ day: daySchema }).safeParse(payload).data;
    return old ? { ...old, cadence: 'daily', period: { first: old.day, last: old.day } } : payload;
  },
  z.object({
    subscriptionId: z.string(),
    cadence: z.enum(CADENCES),
    period: z.object({ first: daySchema, last: daySchema }),
    /** When it was planned for; `due_at` moves when somebody has a failed one sent again. */
    plannedFor: z.iso.datetime().optional(),
    /** Somebody asked for it: it is sent though the digest is paused. */
    isAsked: z.boolean().optional(),
  }),
);
export type DigestPayload = z.infer<typeof digestPayloadSchema>;

const figuresSchema = z.record(z.string(), z.record(z.string(), admittedAmount));
/** By section and by name. */
export type Figures = z.infer<typeof figuresSchema>;

const movedFigureSchema = z.object({ name: z.string(), before: admittedAmount, after: admittedAmount });
export type MovedFigure = z.infer<typeof movedFigureSchema>;

const rankingSchema = z.object({ title: z.string(), names: z.array(z.string()).readonly() });
/** By section. */
const rankingsSchema = z.record(z.string(), rankingSchema);
export type Rankings = z.infer<typeof rankingsSchema>;

const correctionSchema = z.object({
  at: z.iso.datetime(),
  moved: z.array(movedFigureSchema),
  /** Those whose names changed places, as they are now. */
  reordered: z.array(rankingSchema).default([]),
  isCompletion: z.boolean(),
  /** It was put together for readers who may see single people. Missing: by a version before 0.3.0. */
  isForNaming: z.boolean().optional(),
  /** The sums of groups that it rests on, for readers who may not. */
  sums: groupSums.optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** What a digest said, kept with its delivery so that it can be corrected. */
const memoSchema = z.object({
  /** Its figures are as of then. */
  readAt: z.iso.datetime(),
  figures: figuresSchema,
  rankings: rankingsSchema.default({}),
  isComplete: z.boolean(),
  /** Sections that say more in the thread. */
  details: z.array(z.string()),
  corrections: z.array(correctionSchema).default([]),
  /** Whether it was one line; a correction does not turn it into many. */
  isQuiet: z.boolean().default(false),
  /** Why it came late, if it waited. */
  waitedFor: z.string().optional(),
  /** It was put together for readers who may see single people. */
  isForNaming: z.boolean().optional(),
  /** The sections of which its readers may see nothing, with the reasons. */
  withheld: z.array(z.object({ title: z.string(), reason: z.string() })).optional(),
});
export type DigestMemo = z.infer<typeof memoSchema>;

/** Nothing for a digest that was never sent, or whose memo nobody can read. */
export const readMemo = (memo: string | null): DigestMemo | undefined =>
  memoSchema.safeParse(parseJson(memo ?? '')).data;

/** What follows a digest keeps its key: everything else is read from it. */
export const followUpSchema = z.object({ digestKey: z.string(), sectionId: z.string().optional() });

export const correctionNoteSchema = z.object({ digestKey: z.string(), correction: correctionSchema });
export type CorrectionNote = z.infer<typeof correctionNoteSchema>;
