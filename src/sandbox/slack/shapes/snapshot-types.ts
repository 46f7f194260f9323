/** A person's view of the sandbox's Slack (a Snapshot), and the stream of its events (SlackEvents). */
import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

/** One request from Slack to the app and its outcome. `command`, `click`, `submit` … return it. */
const deliverySchema = z.object({
  id: z.string(),
  kind: z.enum(['slash_commands', 'block_actions', 'view_submission', 'view_closed', 'event']),
  summary: z.string(),
  transport: z.enum(['socket', 'http']),
  /** null: not acknowledged. */
  ackMs: z.number().nullable(),
  /** Acknowledged within Slack's three seconds. */
  inTime: z.boolean(),
  /** The body of the acknowledgement, if it had one. */
  response: z.unknown(),
  /** The person's error message after a failure: operation_timeout, dispatch_failed, http_error … */
  error: z.string().nullable(),
  attempt: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

const personViewSchema = z.object({
  id: z.string(),
  handle: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  timeZone: z.string(),
  isAdmin: z.boolean(),
  isOwner: z.boolean(),
  isGuest: z.boolean(),
  isStranger: z.boolean(),
  isBot: z.boolean(),
  isDeactivated: z.boolean(),
  teamId: z.string(),
});
export type PersonView = z.infer<typeof personViewSchema>;

const fileViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimeType: z.string(),
  sizeBytes: z.int(),
  owner: z.string(),
  channels: z.array(z.string()),
  /** Path on the same server. */
  downloadPath: z.string(),
});
export type FileView = z.infer<typeof fileViewSchema>;

const messageViewSchema = z.object({
  ts: z.string(),
  /** Set on replies and on the first message of a thread; a reply has `threadTs !== ts`. */
  threadTs: z.string().nullable(),
  author: z.string(),
  text: z.string(),
  blocks: z.array(json),
  /** Only the person in `visibleTo` sees it. */
  isEphemeral: z.boolean(),
  visibleTo: z.string().nullable(),
  isEdited: z.boolean(),
  /** The time of the last edit, in Slack's form. */
  editedTs: z.string().nullable(),
  /** `channel_join` and the like; null for an ordinary message. */
  subtype: z.string().nullable(),
  replyCount: z.int(),
  metadata: z.object({ event_type: z.string(), event_payload: json }).nullable(),
  files: z.array(fileViewSchema),
  reactions: z.array(z.object({ name: z.string(), users: z.array(z.string()) })),
});
export type MessageView = z.infer<typeof messageViewSchema>;

const channelViewSchema = z.object({
  id: z.string(),
  /** Without `#`; for a direct message the other person's name. */
  name: z.string(),
  kind: z.enum(['public', 'private', 'dm']),
  isMember: z.boolean(),
  isArchived: z.boolean(),
  hasApp: z.boolean(),
  members: z.array(z.string()),
  /** As the viewer sees them, oldest first, replies included. */
  messages: z.array(messageViewSchema),
});
export type ChannelView = z.infer<typeof channelViewSchema>;

const viewViewSchema = z.object({
  id: z.string(),
  type: z.enum(['modal', 'home']),
  /** The app's view: title, blocks, submit, close … */
  view: json,
  hash: z.string(),
  /** The current values: block_id → action_id → Slack's state object. */
  values: z.record(z.string(), z.record(z.string(), json)),
  /** block_id → text, from the last response_action errors. */
  errors: z.record(z.string(), z.string()),
});
export type ViewView = z.infer<typeof viewViewSchema>;

const trafficSchema = z.object({
  id: z.int(),
  at: z.string(),
  /** out: Slack to the app · in: the app to Slack */
  direction: z.enum(['in', 'out']),
  via: z.enum(['api', 'socket', 'http', 'response_url', 'upload']),
  method: z.string(),
  summary: z.string(),
  /** `200`, `ok:false invalid_blocks`, `acked`, `lost` … */
  status: z.string(),
  durationMs: z.number(),
  request: z.unknown(),
  response: z.unknown(),
});
export type Traffic = z.infer<typeof trafficSchema>;

/** The workspace as one person sees it. */
export const snapshotSchema = z.object({
  /** The last event that it includes; open the stream with `since` this. */
  seq: z.int(),
  /** The sandbox's clock, ISO. */
  now: z.string(),
  team: z.object({ id: z.string(), name: z.string(), domain: z.string() }),
  viewer: personViewSchema,
  people: z.array(personViewSchema),
  userGroups: z.array(z.object({ id: z.string(), handle: z.string(), name: z.string(), members: z.array(z.string()) })),
  app: z.object({
    id: z.string(),
    name: z.string(),
    botUserId: z.string(),
    transport: z.enum(['socket', 'http']),
    /** Live Socket Mode connections, or 1 with an HTTP address set. */
    connections: z.int(),
    commands: z.array(z.object({ command: z.string(), description: z.string(), usageHint: z.string() })),
  }),
  channels: z.array(channelViewSchema),
  /** The viewer's modal stack, top last. */
  modals: z.array(viewViewSchema),
  home: viewViewSchema.nullable(),
  files: z.array(fileViewSchema),
  /** Person → the number of direct messages that the app has sent them. */
  directMessages: z.record(z.string(), z.int()),
  chartsSupported: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const base = { seq: z.int(), at: z.string() };
const inChannel = { ...base, channel: z.string(), channelName: z.string(), message: messageViewSchema };
const ofView = { ...base, person: z.string(), view: viewViewSchema };

/** The events in order. `slack.next(kind, …)` waits for a `kind`. */
export const slackEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), ...inChannel }),
  z.object({ kind: z.literal('message_updated'), ...inChannel }),
  z.object({ kind: z.literal('message_deleted'), ...inChannel }),
  z.object({ kind: z.literal('ephemeral'), to: z.string(), ...inChannel }),
  z.object({ kind: z.literal('view_opened'), ...ofView }),
  z.object({ kind: z.literal('view_updated'), ...ofView }),
  z.object({ kind: z.literal('view_closed'), ...ofView }),
  z.object({ kind: z.literal('home_published'), ...ofView }),
  z.object({ kind: z.literal('file_shared'), ...base, channel: z.string(), file: fileViewSchema }),
  z.object({ kind: z.literal('acked'), ...base, delivery: deliverySchema }),
  z.object({ kind: z.literal('timed_out'), ...base, delivery: deliverySchema }),
  /** Channels, members, people, groups or settings changed: read the state again. */
  z.object({ kind: z.literal('workspace_changed'), ...base, what: z.string() }),
  z.object({
    kind: z.literal('connection'),
    ...base,
    connections: z.int(),
    what: z.enum(['opened', 'closed', 'refused']),
  }),
  z.object({ kind: z.literal('traffic'), ...base, traffic: trafficSchema }),
  /** For viewers of the sandbox: the app sent another person a direct message. */
  z.object({ kind: z.literal('direct_message'), ...base, person: z.string() }),
]);
export type SlackEvent = z.infer<typeof slackEventSchema>;
export type SlackEventKind = SlackEvent['kind'];
export type SlackEventOf<Kind extends SlackEventKind> = Extract<SlackEvent, { kind: Kind }>;
