import { z } from 'zod';
import { declareSubscriptionMessage, type NewMessage } from '../../../core/outbox/message-kind.ts';
import type { StoredMessage } from '../../../core/outbox/message-duties.ts';
import { correctionNoteSchema, digestPayloadSchema, followUpSchema, type DigestPayload } from './digest-payload.ts';

const ROLE = 'manager';

/** A digest, about its subscription; its slot is the local date, or undefined if a user requested it. */
export const digestMessage = declareSubscriptionMessage({ name: 'digest', payload: digestPayloadSchema }, ROLE);
export type StoredDigest = StoredMessage<DigestPayload>;
export type NewDigestMessage = NewMessage<DigestPayload>;

export const digestDetail = declareSubscriptionMessage({ name: 'digest-detail', payload: followUpSchema }, ROLE);

const introductionSchema = z.object({ subscriptionId: z.string() });
export const digestIntroduction = declareSubscriptionMessage(
  { name: 'digest-introduction', payload: introductionSchema },
  ROLE,
);

export const digestCorrection = declareSubscriptionMessage(
  { name: 'digest-correction', payload: followUpSchema },
  ROLE,
);
export const digestCorrectionNote = declareSubscriptionMessage(
  { name: 'digest-correction-note', payload: correctionNoteSchema },
  ROLE,
);
