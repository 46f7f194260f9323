/** https://docs.slack.dev/apis/events-api/using-socket-mode */
import { parseJson } from '../../../base/text/parse-json.ts';
import { z } from 'zod';

const MAX_ID_LENGTH = 200;
const MAX_REASON_LENGTH = 100;

const envelopeSchema = z.looseObject({
  envelope_id: z.string().min(1).max(MAX_ID_LENGTH),
  payload: z.unknown(),
  retry_attempt: z.int().nonnegative().optional().catch(undefined),
  retry_reason: z.string().max(MAX_REASON_LENGTH).optional().catch(undefined),
});
const controlSchema = z.looseObject({ type: z.string(), reason: z.string().max(MAX_REASON_LENGTH).catch('') });

export interface Envelope {
  id: string;
  payload: unknown;
  retryNum?: number;
  retryReason?: string;
}

export type Frame =
  | { kind: 'hello' }
  /** Slack is about to close the connection: `warning`, `refresh_requested`, `link_disabled`, `too_many_websockets`. */
  | { kind: 'leave'; reason: string }
  | { kind: 'envelope'; envelope: Envelope }
  | { kind: 'other' };

/** An unknown shape is `other`, because there is no id to acknowledge. */
export function readFrame(text: string): Frame {
  const json = parseJson(text);
  const envelope = envelopeSchema.safeParse(json);
  if (envelope.success) return { kind: 'envelope', envelope: envelopeOf(envelope.data) };
  const control = controlSchema.safeParse(json);
  if (control.data?.type === 'hello') return { kind: 'hello' };
  if (control.data?.type === 'disconnect') return { kind: 'leave', reason: control.data.reason };
  return { kind: 'other' };
}

function envelopeOf(frame: z.infer<typeof envelopeSchema>): Envelope {
  return {
    id: frame.envelope_id,
    payload: frame.payload,
    ...(frame.retry_attempt === undefined ? {} : { retryNum: frame.retry_attempt }),
    ...(frame.retry_reason === undefined ? {} : { retryReason: frame.retry_reason }),
  };
}
