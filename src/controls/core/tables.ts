import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';

/** One revision of the settings, redacted. All times are ISO 8601 in UTC with milliseconds. */
export interface RevisionTable {
  revision: number;
  /** JSON of `RedactedSettings`. */
  settings: string;
  /** Tells whether its content is another one than before. */
  digest: string;
  /** Which redaction made it: its version and its key. */
  redaction: number;
  user_id: string | null;
  user_name: string | null;
  user_email: string | null;
  /** When it was made, or seen, where the platform's time cannot be read. */
  changed_at: string;
  seen_at: string;
  /** The revision that it was compared with; null: none is known. */
  previous: number | null;
  /** JSON: the paths of what changed; null: not compared yet. */
  members: string | null;
  /** How many of its changes make something weaker. */
  weaker: number | null;
}
export type RevisionRow = Selectable<RevisionTable>;

/** How far the revisions were announced, and who reads them just now. One row. */
export interface ControlsCursorTable {
  id: string;
  /** The last one that was announced; null: there was none yet. */
  revision: number | null;
  /** Counts how often the history went back. */
  epoch: number;
  /** When the watch began; null: it has not. */
  started_at: string | null;
  next_poll_at: string;
  leased_by: string | null;
  leased_until: string | null;
  /** Polls in a row that failed. */
  failures: number;
  last_error: string | null;
  read_at: string | null;
  /** The history ended here when it was read last, which is before what is known. */
  went_back_to: number | null;
  /** Since when it ends there, by the time of the store. */
  went_back_at: string | null;
}
export type ControlsCursor = Selectable<ControlsCursorTable>;

/** What was announced once, also when the history shows it no more. */
interface AnnouncedTable {
  revision: number;
  digest: string;
}

/** Who has acknowledged a notice, and which of its revisions was the last one then. */
interface AcknowledgedTable {
  notice_key: string;
  through: number;
  slack_id: string;
  at: string;
}
export type Acknowledgement = Selectable<AcknowledgedTable>;

// An alias, not an interface: only aliases fit where Kysely wants tables by their names.
export type ControlsTables = {
  revisions: RevisionTable;
  controls_cursor: ControlsCursorTable;
  controls_announced: AnnouncedTable;
  controls_acknowledged: AcknowledgedTable;
};

export const tablesIn = (db: Database) => db.withTables<ControlsTables>();
export const tablesInTransaction = (trx: DatabaseTransaction) => trx.withTables<ControlsTables>();
export type ControlsTransaction = ReturnType<typeof tablesInTransaction>;
