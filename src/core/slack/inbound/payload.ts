/** What Slack sends, by the members that are read: https://docs.slack.dev/reference/interaction-payloads */
import { z } from 'zod';
import { formValues } from '../blocks/views.ts';
import { directedEvent, type DirectedEvent } from '../interactions/directed-messages.ts';

/** Slack's own ids have a few dozen characters. The limit ensures that patterns only see short texts. */
const id = z.string().max(200);
/** Typed text is repeated in the values of buttons, which hold 2,000 characters including the rest of the value. */
export const MAX_COMMAND_TEXT_LENGTH = 1_500;
const MAX_VALUE_LENGTH = 3_000;
const MAX_ADDRESS_LENGTH = 2_000;

const commandSchema = z.object({
  command: id,
  text: z.string().default(''),
  user_id: id,
  channel_id: id.default(''),
  response_url: z.string().max(MAX_ADDRESS_LENGTH),
  trigger_id: id,
});
export type CommandPayload = z.infer<typeof commandSchema>;

/** A shortcut of the whole workspace, which has no channel. */
const shortcutSchema = z.object({ user: z.object({ id }), callback_id: id, trigger_id: id });
export type ShortcutPayload = z.infer<typeof shortcutSchema>;

/** A shortcut of a message. */
const messageShortcutSchema = z.object({
  user: z.object({ id }),
  response_url: z.string().max(MAX_ADDRESS_LENGTH),
  callback_id: id,
});
export type MessageShortcutPayload = z.infer<typeof messageShortcutSchema>;

const value = z.string().max(MAX_VALUE_LENGTH);
const chosenOption = z.object({ value: value.default('') });
const titleText = z.object({ text: id.optional() }).nullish();

const actionSchema = z.object({
  type: id.default('button'),
  action_id: z.string().max(255),
  action_ts: id.default(''),
  url: z.string().optional(),
  value: value.nullish(),
  selected_option: chosenOption.nullish(),
  selected_user: id.nullish(),
  selected_conversation: id.nullish(),
  selected_channel: id.nullish(),
  selected_date: id.nullish(),
  selected_time: id.nullish(),
});
export type ClickedAction = z.infer<typeof actionSchema>;

/** The text of a clicked button, or the choice. */
export function valueOf(action: ClickedAction): string {
  return (
    action.value ??
    action.selected_option?.value ??
    action.selected_user ??
    action.selected_conversation ??
    action.selected_channel ??
    action.selected_date ??
    action.selected_time ??
    ''
  );
}

const clickSchema = z.object({
  user: z.object({ id }),
  channel: z.object({ id }).optional(),
  container: z
    .object({ message_ts: id.optional(), thread_ts: id.optional(), is_ephemeral: z.boolean().optional() })
    .optional(),
  view: z
    .object({
      id,
      type: id,
      hash: id.default(''),
      title: titleText,
      private_metadata: value.default(''),
      state: z.object({ values: formValues }).nullish(),
    })
    .optional(),
  response_url: z.string().max(MAX_ADDRESS_LENGTH).optional(),
  trigger_id: id.optional(),
  actions: z.tuple([actionSchema], actionSchema),
});
export type ClickPayload = z.infer<typeof clickSchema>;

const submissionSchema = z.object({
  user: z.object({ id }),
  trigger_id: id.optional(),
  view: z.object({
    id,
    hash: id.default(''),
    callback_id: z.string().max(255).default(''),
    private_metadata: value.default(''),
    title: titleText,
    state: z.object({ values: formValues }).optional(),
  }),
});
export type SubmissionPayload = z.infer<typeof submissionSchema>;

const homeOpenedSchema = z.object({ user: id, tab: id.default('home'), view: z.unknown().optional() });
export type HomeOpened = z.infer<typeof homeOpenedSchema>;

/** https://docs.slack.dev/reference/events/member_joined_channel. It has no inviter if somebody joins by themselves. */
const joinedSchema = z.object({ user: id, channel: id, inviter: id.optional() });
export type JoinedChannel = z.infer<typeof joinedSchema>;

/** `sentView`: the view as Slack sent it, to show the form again after a fault. */
export type Payload =
  | { kind: 'command'; command: CommandPayload }
  | { kind: 'click'; click: ClickPayload; sentView: unknown }
  | { kind: 'submission'; submission: SubmissionPayload; sentView: unknown }
  | { kind: 'shortcut'; shortcut: ShortcutPayload }
  | { kind: 'message_shortcut'; shortcut: MessageShortcutPayload }
  | { kind: 'message'; event: DirectedEvent }
  | { kind: 'home'; opened: HomeOpened }
  | { kind: 'joined'; joined: JoinedChannel };

export type Incoming =
  | Payload
  /** No code here handles it. Slack gets an answer at once, or the person would see an error of the app. */
  | { kind: 'unhandled'; answer?: object }
  /** Slack would not send it. */
  | { kind: 'malformed' };

const MALFORMED = { kind: 'malformed' } as const;
const UNHANDLED = { kind: 'unhandled' } as const;

const closedSchema = z.object({ user: z.object({ id: z.string() }), view: z.object({ id: z.string() }) });
const suggestionSchema = z.object({ user: z.object({ id: z.string() }), action_id: z.string() });
const anyEvent = z.object({ event: z.looseObject({ type: z.string() }) });

/** Reads a payload of Slack, the only time. Pure. */
export function readPayload(body: unknown): Incoming {
  if (typeof body !== 'object' || body === null) return MALFORMED;
  if ('command' in body) return read(commandSchema, body, (command) => ({ kind: 'command', command }));
  const type = 'type' in body ? body.type : undefined;
  const sentView = 'view' in body ? body.view : undefined;
  switch (type) {
    case 'block_actions':
      return read(clickSchema, body, (click) => ({ kind: 'click', click, sentView }));
    case 'view_submission':
      return read(submissionSchema, body, (submission) => ({ kind: 'submission', submission, sentView }));
    case 'shortcut':
      return read(shortcutSchema, body, (shortcut) => ({ kind: 'shortcut', shortcut }));
    case 'message_action':
      return read(messageShortcutSchema, body, (shortcut) => ({ kind: 'message_shortcut', shortcut }));
    case 'event_callback':
      return read(anyEvent, body, ({ event }) => readEvent(event));
    case 'view_closed':
      return read(closedSchema, body, () => UNHANDLED);
    case 'block_suggestion':
      return read(suggestionSchema, body, () => ({ kind: 'unhandled', answer: { options: [] } }));
    default:
      return typeof type === 'string' ? UNHANDLED : MALFORMED;
  }
}

function readEvent(event: { type: string }): Incoming {
  switch (event.type) {
    case 'app_home_opened':
      return read(homeOpenedSchema, event, (opened) => ({ kind: 'home', opened }));
    case 'member_joined_channel':
      return read(joinedSchema, event, (joined) => ({ kind: 'joined', joined }));
    case 'message':
    case 'app_mention': {
      // Messages have many shapes; those of no use here need no answer.
      const { data } = directedEvent.safeParse(event);
      return data ? { kind: 'message', event: data } : UNHANDLED;
    }
    default:
      return UNHANDLED;
  }
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  body: object,
  payloadOf: (data: z.infer<Schema>) => Incoming,
): Incoming {
  const { data } = schema.safeParse(body);
  return data === undefined ? MALFORMED : payloadOf(data);
}

/**
 * The parts of a click that are needed to resume it. Its trigger will have expired, and what was typed beside it in a
 * form is not its subject.
 */
export function storedClick({ trigger_id: _trigger, view, ...click }: ClickPayload): object {
  return { ...click, ...(view ? { view: { id: view.id, type: view.type, title: view.title } } : {}) };
}

/** The parts of a submitted form that are needed to resume it. */
export function storedForm({ user, view }: SubmissionPayload): object {
  return { user, view };
}

/** @throws ZodError for a row that no version of this program stored */
export const readStoredClick = (stored: unknown): ClickPayload => clickSchema.parse(stored);
/** @throws ZodError for a row that no version of this program stored */
export const readStoredForm = (stored: unknown): SubmissionPayload => submissionSchema.parse(stored);
