import { z } from 'zod';
import { declareSubscriptionMessage } from '../../../core/outbox/message-kind.ts';
import { isJsonObject, type JsonObject } from '../../../core/platform/redaction/json.ts';

const settings = z.custom<JsonObject>(isJsonObject);

/** The history shows no revision between `after` and the next one. */
const gapSchema = z.object({ after: z.number(), isKnownGone: z.boolean() });

/** The subject of a notice. Its text is read from the store when it is posted. */
const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('single'), revision: z.number(), gap: gapSchema.optional() }),
  z.object({
    kind: z.literal('burst'),
    revisions: z.array(z.number()),
    gap: gapSchema.optional(),
  }),
  z.object({ kind: z.literal('went_back'), from: z.number(), to: z.number().nullable() }),
  /** The history went back, and shows its former revisions again. */
  z.object({ kind: z.literal('came_back'), revisions: z.number(), to: z.number() }),
  /** Too many for one message each: a whole span, from which the watch’s filter selects when it is posted. */
  z.object({ kind: z.literal('many'), first: z.number(), last: z.number(), gap: gapSchema.optional() }),
  /** The platform shows that they exist, but not what they hold. */
  z.object({ kind: z.literal('unreadable'), revisions: z.array(z.number()) }),
  /** The content of a revision was changed; `before` is the former content, redacted. */
  z.object({ kind: z.literal('rewritten'), revision: z.number(), before: settings }),
]);
export type Notice = z.infer<typeof noticeSchema>;

const threadSchema = z.object({
  mainKey: z.string(),
  /** The revisions whose changes are listed in full; empty: all of the notice. */
  revisions: z.array(z.number()),
  /** The index of this message in the thread, from 0. */
  part: z.number(),
});

const growthSchema = z.object({ mainKey: z.string(), revisions: z.array(z.number()) });

const editSchema = z.object({ mainKey: z.string() });

const ROLE = 'admin';

export const controlsNotice = declareSubscriptionMessage({ name: 'controls-notice', payload: noticeSchema }, ROLE);
/** All changes of a notice, in its thread. Its `about` is the key of the notice, as for the two kinds below. */
export const controlsThread = declareSubscriptionMessage({ name: 'controls-thread', payload: threadSchema }, ROLE);
export const controlsGrowth = declareSubscriptionMessage({ name: 'controls-growth', payload: growthSchema }, ROLE);
export const controlsAcknowledgement = declareSubscriptionMessage(
  { name: 'controls-acknowledgement', payload: editSchema },
  ROLE,
);

/** Seven settled days after a revision that names models, in the thread of its notice. */
export const controlsAftermath = declareSubscriptionMessage(
  { name: 'controls-aftermath', payload: z.object({ mainKey: z.string(), revision: z.number() }) },
  ROLE,
);

/** Pads a revision so that texts sort like numbers. */
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

export const aftermathKey = (mainKey: string): string => `${mainKey}:aftermath`;

export const growthKey = (mainKey: string, revision: number): string => `${mainKey}:growth:${sortable(revision)}`;
