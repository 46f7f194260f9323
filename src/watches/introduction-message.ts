import { z } from 'zod';
import { declareSubscriptionMessage } from '../outbox/message-kind.ts';

/** The first message of a kind of watch, in its channel. */
export const introductionMessage = (kind: string) =>
  declareSubscriptionMessage({ name: `${kind}-introduction`, payload: z.object({ subject: z.string() }) }, 'manager');
