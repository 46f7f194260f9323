import type { Selectable } from 'kysely';

/** How an order ended. `gone`: the platform no longer knows the computer. */
export const OUTCOMES = ['ready', 'failed', 'ended', 'gone'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * The states of an order. `requested`: stored, not sent. `asked`: the name exists, and the requester has to confirm
 * another. `creating`: the single request may be on its way, under a lease. `unknown`: its outcome is unknown; the list
 * decides. `following`: a card follows the computer. `retrying`: its installation is being restarted, under a lease.
 * The others are endings.
 */
export type OrderState =
  | 'requested'
  | 'asked'
  | 'creating'
  | 'unknown'
  | 'following'
  | 'retrying'
  | 'ready'
  | 'failed'
  | 'not_created'
  | 'ended';

/** All times are ISO 8601 in UTC with milliseconds. */
interface ComputerOrderTable {
  /** The key of the submitted form, or a new one for a retry. */
  id: string;
  person: string;
  /** The channel of the card, or a person for a direct message. */
  channel: string;
  /** JSON of the submitted form; null for a computer that was created elsewhere. */
  body: string | null;
  name: string;
  remoteUser: string;
  state: OrderState;
  /** Unique: a computer belongs to one order. */
  computerId: string | null;
  /** JSON: the ids of computers with this name before the request was sent. */
  knownIds: string | null;
  leasedUntil: string | null;
  sentAt: string | null;
  /** When the list was first read without the computer. */
  absentSince: string | null;
  followedSince: string | null;
  retriedAt: string | null;
  /** The computer’s fingerprint when its installation was restarted. */
  retriedFrom: string | null;
  /** The number of retries. */
  round: number;
  /** The number of the next edit; older ones are void. */
  editNumber: number;
  /** The fingerprint of the card’s current content. */
  shown: string | null;
  editedAt: string | null;
  /** Only for a computer that was ready at the first try. */
  readyAfterMs: number | null;
  createdAt: string;
  updatedAt: string;
}

// A type, because Kysely’s `withTables` takes no interface.
export type ComputerOrderTables = {
  computerOrders: ComputerOrderTable;
};

export type ComputerOrder = Selectable<ComputerOrderTable>;
