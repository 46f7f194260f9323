import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../../../../core/store/tables.ts';

/**
 * The states of a session. `working`: the agent continues, as far as is known. `waiting`: the agent waits for its
 * person. `stopped`: it reported that it stopped; it counts as finished if nothing follows. `ended`: the session was
 * closed.
 */
export type SessionState = 'working' | 'waiting' | 'stopped' | 'ended';

/** A person who gets messages about their own agent. All times are ISO 8601 in UTC with milliseconds. */
export type HookInboxTable = {
  owner: string;
  openedAt: string;
  /** Local times of the owner, `HH:MM`; both or neither. */
  quietFrom: string | null;
  quietUntil: string | null;
};

export type HookTokenTable = {
  /** SHA-256 in hex of a token or a setup code, which is not stored itself. */
  tokenHash: string;
  owner: string;
  createdAt: string;
  /** Only for setup codes, and for tokens that the bot created for its own tests. */
  expiresAt: string | null;
};

export type HookSessionTable = {
  /** A hash of the owner and the client’s session id, so that no token reaches another owner’s session. */
  id: string;
  owner: string;
  sessionId: string;
  /** The last part of the working directory. */
  folder: string | null;
  state: SessionState;
  since: string;
  /** The agent’s current or last question. */
  message: string | null;
  reason: string | null;
  /** When the agent finished; null if it has continued. */
  finishedAt: string | null;
  toolCalls: number;
  subagents: number;
  /** The number of events whose names this version does not know. */
  otherEvents: number;
  /** JSON: unknown names of events and members, never their values. */
  unknownNames: string | null;
  firstAt: string;
  lastAt: string;
  mutedAt: string | null;
  /** The number of deliveries for its card; all except the last are void. */
  announced: Generated<number>;
  /** The delivery whose message is, or may become, the card. */
  cardKey: string | null;
  /** The fingerprint of the card’s current content. */
  shown: string | null;
  /** The delivery that collects the events of the quiet hours. */
  heldFor: string | null;
};

export type HookTables = {
  hookInboxes: HookInboxTable;
  hookTokens: HookTokenTable;
  hookSessions: HookSessionTable;
};

export type HookSession = Selectable<HookSessionTable>;
export type HookInbox = Selectable<HookInboxTable>;

export type HookDatabase = Kysely<Tables & HookTables>;
export type HookTransaction = Transaction<Tables & HookTables>;

export const withHooks = (db: Kysely<Tables>): HookDatabase => db.withTables<HookTables>();
