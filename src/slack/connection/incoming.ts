/** The verdict on a payload from Slack, over either transport, before Bolt sees it. */
import { z } from 'zod';
import { clickPayload, commandPayload, homeOpenedEvent, submissionPayload } from '../inbound/payloads.ts';

export type Incoming =
  | { kind: 'ours' }
  /** No code here handles it. Slack gets an answer at once, or the person would see an error of the app. */
  | { kind: 'not_ours'; answer?: object }
  /** Slack would not send it. */
  | { kind: 'malformed' };

const person = z.looseObject({ id: z.string() });
const messageAction = z.looseObject({ user: person, response_url: z.string(), callback_id: z.string() });
const anyEvent = z.looseObject({ event: z.looseObject({ type: z.string() }) });
const homeOpened = z.looseObject({ event: homeOpenedEvent });
const closed = z.looseObject({ user: person, view: z.looseObject({ id: z.string() }) });
const suggestion = z.looseObject({ user: person, action_id: z.string() });
const shortcut = z.looseObject({ user: person, callback_id: z.string() });

const ours = (schema: z.ZodType, body: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'ours' } : { kind: 'malformed' };
const notOurs = (schema: z.ZodType, body: object, answer?: object): Incoming =>
  schema.safeParse(body).success ? { kind: 'not_ours', ...(answer ? { answer } : {}) } : { kind: 'malformed' };

/**
 * Classifies a body by its kind and shape. Pure.
 *
 * @example judgeIncoming({ type: 'block_suggestion', user: { id: 'U1' }, action_id: 'x' }) // not ours: no options
 */
export function judgeIncoming(body: unknown): Incoming {
  if (typeof body !== 'object' || body === null) return { kind: 'malformed' };
  if ('command' in body) return ours(commandPayload, body);
  const type = 'type' in body ? body.type : undefined;
  switch (type) {
    case 'block_actions':
      return ours(clickPayload, body);
    case 'view_submission':
      return ours(submissionPayload, body);
    case 'view_closed':
      return notOurs(closed, body);
    case 'message_action':
      return ours(messageAction, body);
    case 'shortcut':
      return notOurs(shortcut, body);
    case 'block_suggestion':
      return notOurs(suggestion, body, { options: [] });
    case 'event_callback':
      return judgeEvent(body);
    default:
      return typeof type === 'string' ? { kind: 'not_ours' } : { kind: 'malformed' };
  }
}

function judgeEvent(body: object): Incoming {
  const { data } = anyEvent.safeParse(body);
  if (!data) return { kind: 'malformed' };
  return data.event.type === 'app_home_opened' ? ours(homeOpened, body) : { kind: 'not_ours' };
}
