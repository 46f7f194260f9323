import type { Selectable } from 'kysely';

/**
 * The states of an order.
 *
 * `requested`: stored, nothing sent. `asked`: the name exists, and the person has to say that they want another. `creating`: the
 * one request may be on its way, under a lease. `unknown`: its outcome is not known; the list decides. `following`: a card
 * follows the computer. `retrying`: its installation is being restarted, under a lease. The rest are ends.
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
  /** The key of the form that was submitted, or one of a retry. */
  id: string;
  person: string;
  /** Where the card stands: a channel, or a person for a direct message. */
  channel: string;
  /** JSON of what was asked for; missing for a computer that was created elsewhere. */
  body: string | null;
  name: string;
  remote_user: string;
  state: OrderState;
  /** Unique: a computer belongs to one order. */
  computer_id: string | null;
  /** JSON: the ids of the computers that bore the name before the request was sent. */
  known_ids: string | null;
  leased_until: string | null;
  sent_at: string | null;
  /** When the list was first read without it. */
  absent_since: string | null;
  followed_since: string | null;
  retried_at: string | null;
  /** What the computer was like when its installation was restarted. */
  retried_from: string | null;
  /** How often it was retried. */
  round: number;
  /** The edit of the card that comes next; an older one is void. */
  edit_number: number;
  /** What the card says: a fingerprint. */
  shown: string | null;
  edited_at: string | null;
  /** Of a computer that got ready at the first try. */
  ready_after_ms: number | null;
  created_at: string;
  updated_at: string;
}

// A type, because Kysely's `withTables` takes no interface.
export type ComputerOrderTables = {
  computer_orders: ComputerOrderTable;
};

export type ComputerOrder = Selectable<ComputerOrderTable>;
