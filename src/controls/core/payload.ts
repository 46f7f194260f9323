import { z } from 'zod';
import { declareSubscriptionMessage } from '../../outbox/message-kind.ts';
import { isJsonObject, type JsonObject } from '../../platform/redaction/json.ts';

const settings = z.custom<JsonObject>(isJsonObject);

/** Between these two the history shows nothing. */
const gapSchema = z.object({ after: z.number(), isKnownGone: z.boolean() });

/** What a notice is about. What it says is read from the store when it is posted. */
const noticeSchema = z.discriminatedUnion('kind', [
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

const threadSchema = z.object({
  mainKey: z.string(),
  /** The revisions whose changes are told whole; empty: all of the notice. */
  revisions: z.array(z.number()),
  /** Which message of them this is, from 0. */
  part: z.number(),
});

const growthSchema = z.object({ mainKey: z.string(), revisions: z.array(z.number()) });

const editSchema = z.object({ mainKey: z.string() });

/** A watch of the controls is for admins. */
const ROLE = 'admin';

/** A message about one revision or several, in a channel that watches the controls. */
export const controlsNotice = declareSubscriptionMessage({ name: 'controls-notice', payload: noticeSchema }, ROLE);
/** All of a notice, in its thread; about the key of the notice, like the two below. */
export const controlsThread = declareSubscriptionMessage({ name: 'controls-thread', payload: threadSchema }, ROLE);
/** Edits a notice that is about more revisions now. */
export const controlsGrowth = declareSubscriptionMessage({ name: 'controls-growth', payload: growthSchema }, ROLE);
/** Edits a notice that a person acknowledged. */
export const controlsAcknowledgement = declareSubscriptionMessage(
  { name: 'controls-acknowledgement', payload: editSchema },
  ROLE,
);

/** Sorts as text like the revision does as a number. */
const sortable = (revision: number) => String(revision).padStart(16, '0');

/** @example noticeKey('C1', 1, 12) // 'controls:C1:1:0000000000000012' */
export function noticeKey(channel: string, epoch: number, revision: number, suffix = ''): string {
  return `controls:${channel}:${epoch}:${sortable(revision)}${suffix}`;
}

export function threadKey(mainKey: string, revision: number, part: number): string {
  return `${mainKey}:thread:${sortable(revision)}:${String(part).padStart(4, '0')}`;
}

export function acknowledgementKey(mainKey: string, through: number): string {
  return `${mainKey}:acknowledged:${sortable(through)}`;
}

export function growthKey(mainKey: string, revision: number): string {
  return `${mainKey}:growth:${sortable(revision)}`;
}
