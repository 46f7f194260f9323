/** Runs over either transport, before Bolt sees the payload. */
import { z } from 'zod';
import { directedEvent } from '../interactions/directed-messages.ts';
import {
  clickPayload,
  commandPayload,
  homeOpenedEvent,
  shortcutPayload,
  submissionPayload,
} from '../inbound/payloads.ts';

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
const directed = z.looseObject({ event: directedEvent });
const closed = z.looseObject({ user: person, view: z.looseObject({ id: z.string() }) });
const suggestion = z.looseObject({ user: person, action_id: z.string() });

const handledIf = (schema: z.ZodType, body: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'handled' } : { kind: 'malformed' };
const unhandledIf = (schema: z.ZodType, body: object, answer?: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'unhandled', ...(answer ? { answer } : {}) } : { kind: 'malformed' };

/** Judges kind and shape. Pure. @example judgeIncoming({ type: 'block_suggestion', user: { id: 'U1' }, action_id }) */
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
      return handledIf(shortcutPayload, body);
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
  switch (data.event.type) {
    case 'app_home_opened':
      return handledIf(homeOpened, body);
    case 'message':
    case 'app_mention':
      // Messages have many shapes; those of no use here need no answer.
      return directed.safeParse(body).success ? { kind: 'handled' } : { kind: 'unhandled' };
    default:
      return { kind: 'unhandled' };
  }
}
