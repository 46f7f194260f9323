import type { Selectable } from 'kysely';

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
  remote_user: string;
  state: OrderState;
  /** Unique: a computer belongs to one order. */
  computer_id: string | null;
  /** JSON: the ids of computers with this name before the request was sent. */
  known_ids: string | null;
  leased_until: string | null;
  sent_at: string | null;
  /** When the list was first read without the computer. */
  absent_since: string | null;
  followed_since: string | null;
  retried_at: string | null;
  /** The computer’s fingerprint when its installation was restarted. */
  retried_from: string | null;
  /** The number of retries. */
  round: number;
  /** The number of the next edit; older ones are void. */
  edit_number: number;
  /** The fingerprint of the card’s current content. */
  shown: string | null;
  edited_at: string | null;
  /** Only for a computer that was ready at the first try. */
  ready_after_ms: number | null;
  created_at: string;
  updated_at: string;
}

// A type, because Kysely’s `withTables` takes no interface.
export type ComputerOrderTables = {
  computer_orders: ComputerOrderTable;
};

export type ComputerOrder = Selectable<ComputerOrderTable>;
