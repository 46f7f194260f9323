/** The state of the sandbox's Slack: people, channels and the rest. It only stores and finds; rules are elsewhere. */
import type { Json } from '../../json.ts';
import type { Identifiers } from './identifiers.ts';

export type Block = Json;
/** block_id → action_id → Slack's state object, as in `state.values`. */
export type FormState = Record<string, Record<string, Json>>;

export interface Person {
  id: string;
  handle: string;
  name: string;
  email: string | null;
  timeZone: string;
  isAdmin: boolean;
  isOwner: boolean;
  isGuest: boolean;
  /** Belongs to another workspace, here through Slack Connect. */
  isStranger: boolean;
  isBot: boolean;
  isDeactivated: boolean;
  teamId: string;
  /** As they set it in their profile. */
  status?: { emoji: string; text: string } | undefined;
}

export interface MessageMetadata {
  event_type: string;
  event_payload: Json;
}

export interface Message {
  ts: string;
  channelId: string;
  author: string;
  text: string;
  blocks: Block[];
  threadTs: string | null;
  /** Only this person sees it. */
  visibleTo: string | null;
  subtype: string | null;
  editedTs: string | null;
  metadata: MessageMetadata | null;
  fileIds: string[];
  /** Until then the history does not show it. */
  shownFromMs?: number;
  reactions: Map<string, Set<string>>;
  /** Each person's choices in its selects, sent in `state.values`. */
  choices: Map<string, FormState>;
}

export type Sharing = 'none' | 'pending' | 'external' | 'workspaces';

export interface Channel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'dm';
  members: Set<string>;
  isArchived: boolean;
  /** The sharing through Slack Connect or an Enterprise organization; `pending`: an organization was invited. */
  sharing: Sharing;
  createdSeconds: number;
  /** Oldest first, replies and ephemeral ones included. */
  messages: Message[];
}

export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  members: string[];
}

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimeType: string;
  content: Buffer;
  owner: string;
  channels: Set<string>;
  createdSeconds: number;
}

export interface View {
  id: string;
  type: 'modal' | 'home';
  person: string;
  /** The app's view, with the block and action ids that Slack adds. */
  view: Json;
  hash: string;
  values: FormState;
  errors: Record<string, string>;
  previousId: string | null;
  rootId: string;
}

export interface SlashCommand {
  command: string;
  description: string;
  usageHint: string;
  shouldEscape: boolean;
}

export interface Team {
  id: string;
  name: string;
  domain: string;
}

export interface AppIdentity {
  id: string;
  name: string;
  botId: string;
  botUserId: string;
}

export const directChannelId = (personId: string) => `D${personId.slice(1)}`;

export class Workspace {
  readonly people = new Map<string, Person>();
  readonly channels = new Map<string, Channel>();
  readonly userGroups = new Map<string, UserGroup>();
  readonly files = new Map<string, StoredFile>();
  /** Modal stacks by person, top last. */
  readonly modals = new Map<string, View[]>();
  readonly homes = new Map<string, View>();
  commands: SlashCommand[] = [];
  scopes: Set<string>;
  chartsSupported = true;
  largeTablesSupported = true;
  realisticRateLimits = false;
  /** The limit of calls per minute for each method; missing: no limit. */
  callsAMinute = new Map<string, number>();
  readonly team: Team;
  readonly app: AppIdentity;
  readonly identifiers: Identifiers;

  constructor(options: { team: Team; app: AppIdentity; scopes: readonly string[]; identifiers: Identifiers }) {
    this.team = options.team;
    this.app = options.app;
    this.scopes = new Set(options.scopes);
    this.identifiers = options.identifiers;
  }

  findPerson(reference: string): Person | undefined {
    const handle = reference.replace(/^@/, '');
    const direct = this.people.get(reference);
    if (direct) return direct;
    return [...this.people.values()].find((person) => person.handle === handle || person.email === reference);
  }

  findChannel(reference: string): Channel | undefined {
    const name = reference.replace(/^#/, '');
    const direct = this.channels.get(reference);
    if (direct) return direct;
    return [...this.channels.values()].find((channel) => channel.kind !== 'dm' && channel.name === name);
  }

  /** Returns the direct messages between the app and a person, which exist from the first call on. */
  directChannel(personId: string): Channel {
    const channel = this.findDirectChannel(personId) ?? this.emptyDirectChannel(personId);
    this.channels.set(channel.id, channel);
    return channel;
  }

  findDirectChannel(personId: string): Channel | undefined {
    return this.channels.get(directChannelId(personId));
  }

  /** Returns the same without storing it. */
  emptyDirectChannel(personId: string): Channel {
    return {
      id: directChannelId(personId),
      name: this.people.get(personId)?.handle ?? personId,
      kind: 'dm',
      members: new Set([personId, this.app.botUserId]),
      isArchived: false,
      sharing: 'none',
      createdSeconds: this.identifiers.nowSeconds(),
      messages: [],
    };
  }

  hasApp(channel: Channel): boolean {
    return channel.members.has(this.app.botUserId);
  }

  findMessage(channel: Channel, ts: string): Message | undefined {
    return channel.messages.find((message) => message.ts === ts);
  }

  modalsOf(personId: string): View[] {
    const stack = this.modals.get(personId);
    if (stack) return stack;
    const newStack: View[] = [];
    this.modals.set(personId, newStack);
    return newStack;
  }

  findView(viewId: string): View | undefined {
    const open = [...this.modals.values()].flat();
    return [...open, ...this.homes.values()].find((view) => view.id === viewId);
  }

  findViewByExternalId(externalId: string): View | undefined {
    const open = [...this.modals.values()].flat();
    return [...open, ...this.homes.values()].find((view) => view.view['external_id'] === externalId);
  }
}
