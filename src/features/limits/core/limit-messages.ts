import { z } from 'zod';
import { declareOwnerNotice } from '../../../core/outbox/owner-notices.ts';
import { declareNamedMessage, declareSpreadMessage } from '../../../core/outbox/message-kind.ts';
import { REQUEST_STATES } from './states.ts';

const aboutRequest = z.object({
  requestId: z.string(),
  fallbackReason: z.string().optional(),
  /** Distinguishes several cards of one request, such as the question whether it was sent. */
  topic: z.string().optional(),
  /** The time from which a copy may have been posted to an admin. */
  since: z.string().optional(),
  /** How often all earlier cards were lost; undefined: never. */
  cardRound: z.int().optional(),
  /** The number of the turn in which the reader is asked to decide. */
  turn: z.int().optional(),
});
export type AboutRequest = z.infer<typeof aboutRequest>;

/** Why a card or a line is a direct message. @param reason one or more sentences */
export const fallbackSentences = (reason: string): string =>
  `You get this as a direct message because the channel in LIMITS_CHANNEL can’t be used. ${reason}`;

const aboutCard = z.object({ requestId: z.string(), cardKey: z.string(), hours: z.number().optional() });

/** The card of a request, in the configured channel or as one admin’s copy. */
export const limitCard = declareNamedMessage({ name: 'limit-card', payload: aboutRequest }, [
  'limits channel',
  'admins',
]);

export const cardCopies = declareSpreadMessage({ name: 'limit-card-copies', payload: aboutRequest });

export const cardEdit = declareNamedMessage({ name: 'limit-card-edit', payload: aboutCard }, [
  'limits channel',
  'admins',
]);

/** The outcome of a request, as a reply to a card that Slack refuses to edit. */
export const cardOutcome = declareNamedMessage(
  { name: 'limit-card-outcome-notice', payload: z.object({ requestId: z.string(), cardKey: z.string() }) },
  ['limits channel', 'admins'],
);

export const cardReminder = declareNamedMessage({ name: 'limit-reminder', payload: aboutCard }, [
  'limits channel',
  'admins',
]);

/** To each admin, about a request without a card. */
export const directReminder = declareOwnerNotice('limit-reminder', z.object({ requestId: z.string() }));

export const stateNotice = declareNamedMessage(
  {
    name: 'limit-told',
    payload: z.object({ requestId: z.string(), state: z.enum(REQUEST_STATES), round: z.number() }),
  },
  ['requester of a limit', 'person whose limit it is'],
);

export const returnNotice = declareNamedMessage({ name: 'limit-return-soon', payload: aboutRequest }, [
  'requester of a limit',
  'person whose limit it is',
]);

export const questionMessage = declareNamedMessage(
  { name: 'limit-question', payload: z.object({ questionId: z.string() }) },
  ['requester of a limit'],
);

/** A question with its answer, as a reply to a card. */
export const answerMessage = declareNamedMessage(
  { name: 'limit-answer', payload: z.object({ questionId: z.string(), cardKey: z.string() }) },
  ['limits channel', 'admins'],
);
