import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../platform/redaction/json.ts';

const settings = z.custom<JsonObject>(isJsonObject);

/** Between these two the history shows nothing. */
const gapSchema = z.object({ after: z.number(), isKnownGone: z.boolean() });

/** What a notice is about. What it says is read from the store when it is posted. */
export const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('single'), revision: z.number(), gap: gapSchema.optional() }),
  z.object({
    kind: z.literal('burst'),
    revisions: z.array(z.number()),
    gap: gapSchema.optional(),
  }),
  z.object({ kind: z.literal('went_back'), from: z.number(), to: z.number().nullable() }),
  /** It went back, and shows again what it showed before. */
  z.object({ kind: z.literal('came_back'), revisions: z.number(), to: z.number() }),
  /** Too many for a message each: all of a span, from which the watch’s own are taken when it is posted. */
  z.object({ kind: z.literal('many'), first: z.number(), last: z.number(), gap: gapSchema.optional() }),
  /** The content of a revision is another one than it was; `before` is what it was, redacted. */
  z.object({ kind: z.literal('rewritten'), revision: z.number(), before: settings }),
]);
export type Notice = z.infer<typeof noticeSchema>;

export const threadSchema = z.object({
  mainKey: z.string(),
  /** The revisions whose changes are told whole; empty: all of the notice. */
  revisions: z.array(z.number()),
  /** Which message of them this is, from 0. */
  part: z.number(),
});

export const growthSchema = z.object({ mainKey: z.string(), revisions: z.array(z.number()) });

export function readNotice({ payload }: { payload: string }): Notice {
  return noticeSchema.parse(JSON.parse(payload));
}

/** Sorts as text like the revision does as a number. */
const sortable = (revision: number) => String(revision).padStart(16, '0');

/** @example noticeKey('C1', 1, 12) // 'controls:C1:1:0000000000000012' */
export function noticeKey(channel: string, epoch: number, revision: number, suffix = ''): string {
  return `controls:${channel}:${epoch}:${sortable(revision)}${suffix}`;
}

export function threadKey(mainKey: string, revision: number, part: number): string {
  return `${mainKey}:thread:${sortable(revision)}:${String(part).padStart(4, '0')}`;
}

export const editSchema = z.object({ mainKey: z.string() });

export function acknowledgementKey(mainKey: string, through: number): string {
  return `${mainKey}:acknowledged:${sortable(through)}`;
}

export function growthKey(mainKey: string, revision: number): string {
  return `${mainKey}:growth:${sortable(revision)}`;
}
