/** Runs over either transport, before Bolt sees the payload. */
import { z } from 'zod';
import { clickPayload, commandPayload, homeOpenedEvent, submissionPayload } from '../inbound/payloads.ts';

export type Incoming =
  | { kind: 'handled' }
  /** No code here handles it. Slack gets an answer at once, or the person would see an error of the app. */
  | { kind: 'unhandled'; answer?: object }
  /** Slack would not send it. */
  | { kind: 'malformed' };

const person = z.looseObject({ id: z.string() });
const messageAction = z.looseObject({ user: person, response_url: z.string(), callback_id: z.string() });
const anyEvent = z.looseObject({ event: z.looseObject({ type: z.string() }) });
const homeOpened = z.looseObject({ event: homeOpenedEvent });
const closed = z.looseObject({ user: person, view: z.looseObject({ id: z.string() }) });
const suggestion = z.looseObject({ user: person, action_id: z.string() });
const shortcut = z.looseObject({ user: person, callback_id: z.string() });

const handledIf = (schema: z.ZodType, body: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'handled' } : { kind: 'malformed' };
const unhandledIf = (schema: z.ZodType, body: object, answer?: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'unhandled', ...(answer ? { answer } : {}) } : { kind: 'malformed' };

/**
 * Judges kind and shape. Pure. @example judgeIncoming({ type: 'block_suggestion', user: { id: 'U1' }, action_id: 'x' })
 */
export function judgeIncoming(body: unknown): Incoming {
  if (typeof body !== 'object' || body === null) return { kind: 'malformed' };
  if ('command' in body) return handledIf(commandPayload, body);
  const type = 'type' in body ? body.type : undefined;
  switch (type) {
    case 'block_actions':
      return handledIf(clickPayload, body);
    case 'view_submission':
      return handledIf(submissionPayload, body);
    case 'view_closed':
      return unhandledIf(closed, body);
    case 'message_action':
      return handledIf(messageAction, body);
    case 'shortcut':
      return unhandledIf(shortcut, body);
    case 'block_suggestion':
      return unhandledIf(suggestion, body, { options: [] });
    case 'event_callback':
      return judgeEvent(body);
    default:
      return typeof type === 'string' ? { kind: 'unhandled' } : { kind: 'malformed' };
  }
}

function judgeEvent(body: object): Incoming {
  const { data } = anyEvent.safeParse(body);
  if (!data) return { kind: 'malformed' };
  return data.event.type === 'app_home_opened' ? handledIf(homeOpened, body) : { kind: 'unhandled' };
}
