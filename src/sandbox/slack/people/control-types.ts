/**
 * The control API of the sandbox's Slack: the actions of a person (a test, or the browser page), their view of the workspace,
 * and the stream of events. The same schemas serve the in-process calls (`slack.control.click({...})`) and their HTTP
 * equivalents (`POST /control/click` with the same object as JSON).
 *
 * HTTP answers: `{ "ok": true, "result": … }`, or status 400 with `{ "ok": false, "error": "code", "message": "…" }`.
 * `GET /control/state?as=morgan` answers a Snapshot, `GET /control/events?as=morgan&since=12` a stream of SlackEvents
 * (Server-Sent Events; `id` is the `seq`, `data` the event as JSON; without `since` only future events).
 */
import { z } from 'zod';
import type {
  Delivery,
  FileView,
  MessageView,
  PersonView,
  Snapshot,
  Traffic,
  ViewView,
} from '../shapes/snapshot-types.ts';

export * from '../shapes/snapshot-types.ts';

/** A person: their id (`U…`), handle (`morgan`) or e-mail. */
const person = z.string().min(1);
/** A channel: its id, its name with or without `#`, or `dm` for the acting person's direct messages with the app. */
const channel = z.string().min(1);
const json = z.record(z.string(), z.unknown());

/** The place of an element: a message (also an ephemeral one), a modal (default: the top one), or App Home. */
const sourceSchema = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('message'), channel, ts: z.string() }),
  z.strictObject({ in: z.literal('modal'), viewId: z.string().optional() }),
  z.strictObject({ in: z.literal('home') }),
]);
export type Source = z.infer<typeof sourceSchema>;

/**
 * A typed or chosen value: text, number and date inputs take their string; selects and radio buttons the option's `value` (or
 * the id of a user, channel or conversation); multi-selects and checkboxes a list; file_input a list of file ids; `null`
 * empties the element.
 */
const inputValueSchema = z.union([z.string(), z.array(z.string()), z.null()]);
export type InputValue = z.infer<typeof inputValueSchema>;
/** block_id → action_id → value */
const formValuesSchema = z.record(z.string(), z.record(z.string(), inputValueSchema));
export type FormValues = z.infer<typeof formValuesSchema>;

const faultKinds = [
  'rate_limited',
  'lost_answer',
  'shown_late',
  'dropped',
  'slow',
  'error',
  'http_500',
  'html',
] as const;
/**
 * A fault of a Web API method, of `response_url`, of `upload`, or of all (`*`). `acknowledgement` with `slow` delays the effect
 * of a submission's answer. It is used up after `times` hits (default: never).
 */
const faultSchema = z.strictObject({
  method: z.string(),
  kind: z.enum(faultKinds),
  /**
   * rate_limited: 429 with Retry-After · lost_answer: done, then the answer is cut · shown_late: the same, and the history
   * shows the message only after `delayMs` · dropped: cut before anything is done · slow: done after `delayMs` · error:
   * `ok:false` with `error`.
   */
  error: z.string().optional(),
  times: z.int().positive().optional(),
  probability: z.number().min(0).max(1).optional(),
  /** The header of `rate_limited`, exactly as given (default 1); null: none. */
  retryAfter: z.union([z.number().nonnegative(), z.string()]).nullable().optional(),
  delayMs: z.number().nonnegative().optional(),
});
export type Fault = z.infer<typeof faultSchema>;

const socketFaultSchema = z.strictObject({
  /**
   * warning, refresh_requested, link_disabled: Slack's disconnect messages, then the socket is closed · cut: closed without a
   * message · silent: stays open, answers no ping, delivers nothing.
   */
  kind: z.enum(['warning', 'refresh_requested', 'link_disabled', 'cut', 'silent']),
  /** Refuse new connections until `restoreSockets`. */
  refuseReconnects: z.boolean().optional(),
  /** Accept new connections and never say hello on them, until `restoreSockets`. */
  withholdHello: z.boolean().optional(),
  /** Answer the closing handshake and leave TCP open, as observed with Slack (slackapi/node-slack-sdk#2752). */
  leaveTcpOpen: z.boolean().optional(),
});
export type SocketFault = z.infer<typeof socketFaultSchema>;

/** How long a connection that is cut without an answer stays open at most. */
const MAX_CUT_MS = 10_000;

const arrivalSchema = z.strictObject({
  /** After the person acted. */
  afterMs: z.number().nonnegative().default(0),
  /**
   * before: the connection is cut `cutAfterMs` after the request, unless it was acknowledged · after: it is cut right after
   * the acknowledgement · lost: the same, and the acknowledgement does not reach Slack.
   */
  cut: z.enum(['before', 'after', 'lost']).optional(),
  cutAfterMs: z.number().nonnegative().max(MAX_CUT_MS).default(0),
});
export type Arrival = z.output<typeof arrivalSchema>;

export const controlSchemas = {
  /** Runs a slash command. `text` may contain `@handle` and `#channel`, which are escaped as in Slack. */
  command: z.strictObject({
    as: person,
    channel,
    command: z.string().startsWith('/'),
    text: z.string().default(''),
    /** Sent by a custom client: Slack delivers the text unchanged. */
    isForged: z.boolean().default(false),
  }),
  /** Clicks a button, or chooses `value` in a select. `blockId` is optional if the action id is unique there. */
  click: z.strictObject({
    as: person,
    source: sourceSchema,
    blockId: z.string().optional(),
    actionId: z.string(),
    value: inputValueSchema.optional(),
    /** Sent as the action, merged over the message's element: an old or forged payload. The element need not exist. */
    forged: json.optional(),
  }),
  /** Types into a modal without submitting it; sends block_actions if the block has dispatch_action. */
  type: z.strictObject({ as: person, viewId: z.string().optional(), values: formValuesSchema }),
  /** Types `values`, then submits the modal (default: the top one). */
  submit: z.strictObject({ as: person, viewId: z.string().optional(), values: formValuesSchema.default({}) }),
  /** Cancels the top modal, or with `all` the whole stack (the X). */
  close: z.strictObject({ as: person, viewId: z.string().optional(), all: z.boolean().default(false) }),
  openHome: z.strictObject({ as: person, tab: z.enum(['home', 'messages']).default('home') }),
  /** Posts as a person; `threadTs` answers in a thread. `@Quartermaster` in the text is an app_mention. */
  post: z.strictObject({ as: person, channel, text: z.string().min(1), threadTs: z.string().optional() }),
  deleteMessage: z.strictObject({ as: person, channel, ts: z.string() }),
  join: z.strictObject({ as: person, channel }),
  leave: z.strictObject({ as: person, channel }),
  /** Shares a channel with another organization (`external`) or with other workspaces, or invites one (`pending`). */
  connect: z.strictObject({ as: person, channel, sharing: z.enum(['none', 'pending', 'external', 'workspaces']) }),
  archive: z.strictObject({ as: person, channel }),
  unarchive: z.strictObject({ as: person, channel }),
  /** Invites a person, or the app with `who: 'app'`. */
  invite: z.strictObject({ as: person, channel, who: person }),
  /** Removes a person, or the app with `who: 'app'`. */
  kick: z.strictObject({ as: person, channel, who: person }),
  addChannel: z.strictObject({
    name: z.string().min(1).max(80),
    isPrivate: z.boolean().default(false),
    members: z.array(person).default([]),
  }),
  addPerson: z.strictObject({
    handle: z.string().min(1),
    name: z.string().min(1),
    email: z.string().optional(),
    timeZone: z.string().default('UTC'),
    isAdmin: z.boolean().default(false),
    isOwner: z.boolean().default(false),
    isGuest: z.boolean().default(false),
    isStranger: z.boolean().default(false),
    isBot: z.boolean().default(false),
    isDeactivated: z.boolean().default(false),
  }),
  updatePerson: z.strictObject({
    person,
    email: z.string().nullable().optional(),
    isAdmin: z.boolean().optional(),
    isGuest: z.boolean().optional(),
    isDeactivated: z.boolean().optional(),
    timeZone: z.string().optional(),
    status: z.strictObject({ emoji: z.string(), text: z.string() }).optional(),
  }),
  setUserGroup: z.strictObject({ handle: z.string().min(1), name: z.string().optional(), members: z.array(person) }),
  upload: z.strictObject({
    as: person,
    channel: channel.optional(),
    name: z.string().min(1),
    contentBase64: z.base64(),
    mimeType: z.string().default('text/plain'),
  }),
  /** Delivers an interaction again, unchanged (default: the last one). */
  redeliver: z.strictObject({ deliveryId: z.string().optional() }),
  /**
   * The next request of a person reaches the app several times, over one connection after another, or one events URL after
   * another, beginning with a different one each time.
   */
  repeatNext: z.strictObject({ as: person, arrivals: z.array(arrivalSchema).min(1).max(10) }),
  /** Sends an Events API event that has no action of its own. */
  sendEvent: z.strictObject({ event: json }),
  /** Delivers a payload unchanged: one for which there is no action here, or one that Slack would never send. */
  sendPayload: z.strictObject({ kind: z.enum(['slash_commands', 'block_actions', 'event']), body: json }),
  addFault: faultSchema,
  clearFaults: z.strictObject({}),
  breakSockets: socketFaultSchema,
  restoreSockets: z.strictObject({}),
  configure: z.strictObject({
    /** false: blocks with data_visualization are refused as unknown, as before its roll-out. */
    chartsSupported: z.boolean().optional(),
    /** false: a message may contain one table, of 100 rows and 10,000 characters, as in Slack's older limits. */
    largeTablesSupported: z.boolean().optional(),
    /** true: one message per second and channel, else 429. */
    realisticRateLimits: z.boolean().optional(),
    /** method → calls per minute, else 429. */
    callsAMinute: z.record(z.string(), z.int().positive()).optional(),
    scopes: z.array(z.string()).optional(),
    commands: z
      .array(
        z.strictObject({
          command: z.string(),
          description: z.string().optional(),
          usageHint: z.string().optional(),
          shouldEscape: z.boolean().optional(),
        }),
      )
      .optional(),
  }),
  state: z.strictObject({ as: person }),
  traffic: z.strictObject({ limit: z.int().positive().default(200) }),
} as const;

type ControlAction = keyof typeof controlSchemas;
/** A caller's input (defaults may be missing). */
type ControlInput<Action extends ControlAction> = z.input<(typeof controlSchemas)[Action]>;
/** A handler's input (with defaults). */
export type ControlRequest<Action extends ControlAction> = z.output<(typeof controlSchemas)[Action]>;

/** The result of each control action (`result` over HTTP). */
export interface ControlResults {
  command: Delivery;
  click: Delivery;
  type: { deliveries: Delivery[]; view: ViewView };
  /** `seq`: the last event before the answer; later events are newer than the answer. */
  submit: { delivery: Delivery; modals: ViewView[]; seq: number };
  close: { deliveries: Delivery[]; modals: ViewView[]; seq: number };
  openHome: { delivery: Delivery; home: ViewView | null };
  post: MessageView;
  deleteMessage: null;
  join: null;
  leave: null;
  connect: null;
  archive: null;
  unarchive: null;
  invite: null;
  kick: null;
  addChannel: { id: string };
  addPerson: PersonView;
  updatePerson: PersonView;
  setUserGroup: { id: string };
  upload: FileView;
  redeliver: Delivery;
  repeatNext: null;
  sendEvent: Delivery;
  sendPayload: Delivery;
  addFault: null;
  clearFaults: null;
  breakSockets: null;
  restoreSockets: null;
  configure: null;
  state: Snapshot;
  traffic: Traffic[];
}

/** The control API in the same process. A refused action rejects with a ControlError (`code`). */
export type Control = {
  [Action in ControlAction]: (input: ControlInput<Action>) => Promise<ControlResults[Action]>;
};
