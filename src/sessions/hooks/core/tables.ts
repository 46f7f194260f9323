import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../../../store/tables.ts';

/**
 * The states of a session.
 *
 * `working`: nothing is known but that it goes on. `waiting`: the agent waits for its person. `stopped`: it said that it finished;
 * it counts as finished when nothing follows. `ended`: the session was closed.
 */
export type SessionState = 'working' | 'waiting' | 'stopped' | 'ended';

/** Somebody who is told of their own agent. All times are ISO 8601 in UTC with milliseconds. */
export type HookInboxTable = {
  owner: string;
  opened_at: string;
  /** Local times of the owner, `HH:MM`; both or neither. */
  quiet_from: string | null;
  quiet_until: string | null;
};

export type HookTokenTable = {
  /** SHA-256 in hex. The token itself is kept nowhere. */
  token_hash: string;
  owner: string;
  created_at: string;
  /** Of one that the bot made for a test of its own. */
  expires_at: string | null;
};

export type HookSessionTable = {
  /** A hash of the owner and of what the client calls the session: no token reaches the session of another owner. */
  id: string;
  owner: string;
  session_id: string;
  /** The last part of the working directory. */
  folder: string | null;
  state: SessionState;
  since: string;
  /** What the agent waits for, or waited for last. */
  message: string | null;
  reason: string | null;
  /** When the agent finished, unless something followed. */
  finished_at: string | null;
  tool_calls: number;
  subagents: number;
  /** Events of names that this version does not know. */
  other_events: number;
  /** JSON: names of events and of members that this version does not know; never what they hold. */
  unknown_names: string | null;
  first_at: string;
  last_at: string;
  muted_at: string | null;
  /** How many deliveries were made for its card; all but the last are void. */
  announced: Generated<number>;
  /** The delivery whose message is the card, or may become it. */
  card_key: string | null;
  /** What the card says: a fingerprint. */
  shown: string | null;
  /** The delivery that gathers what happened in quiet hours. */
  held_for: string | null;
};

export type HookTables = {
  hook_inboxes: HookInboxTable;
  hook_tokens: HookTokenTable;
  hook_sessions: HookSessionTable;
};

export type HookSession = Selectable<HookSessionTable>;
export type HookInbox = Selectable<HookInboxTable>;

export type HookDatabase = Kysely<Tables & HookTables>;
export type HookTransaction = Transaction<Tables & HookTables>;

export function withHooks(db: Kysely<Tables>): HookDatabase {
  return db.withTables<HookTables>();
}
