import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';

/** One revision of the settings, redacted. All times are ISO 8601 in UTC with milliseconds. */
export interface RevisionTable {
  revision: number;
  /** JSON of `RedactedSettings`. */
  settings: string;
  /** Differs if the content of the revision differs. */
  digest: string;
  /** Identifies the redaction: its version and its key. */
  redaction: number;
  userId: string | null;
  userName: string | null;
  userEmail: string | null;
  /** When it was made, or first seen if the platform's time cannot be parsed. */
  changedAt: string;
  seenAt: string;
  /** The revision that it was compared with; null: none is known. */
  previous: number | null;
  /** JSON: the paths of the changed members; null: not compared yet. */
  members: string | null;
  /** The number of its changes that weaken a protection. */
  weaker: number | null;
  /** The number of its changes that strengthen one; null: compared by a version that did not count them. */
  stronger: number | null;
}
export type RevisionRow = Selectable<RevisionTable>;

/** The position up to which revisions were announced, and the process that is polling. One row. */
export interface ControlsCursorTable {
  id: string;
  /** The last announced revision; null: there was none yet. */
  revision: number | null;
  /** The number of times that the history went back. */
  epoch: number;
  startedAt: string | null;
  nextPollAt: string;
  leasedBy: string | null;
  leasedUntil: string | null;
  /** Consecutive failed polls. */
  failures: number;
  lastError: string | null;
  readAt: string | null;
  /** The end of the history at the last poll, if it is before the last announced revision. */
  wentBackTo: number | null;
  /** Since when it ends there, by the time of the store. */
  wentBackAt: string | null;
}
export type ControlsCursor = Selectable<ControlsCursorTable>;

/** Content that was announced once, even if the history no longer shows it. */
interface AnnouncedTable {
  revision: number;
  digest: string;
}

/** The person who acknowledged a notice, and its last revision at that time. */
interface AcknowledgedTable {
  noticeKey: string;
  through: number;
  slackId: string;
  at: string;
}
export type Acknowledgement = Selectable<AcknowledgedTable>;

// A type alias, since Kysely accepts no interface as an index of tables by name.
export type ControlsTables = {
  revisions: RevisionTable;
  controlsCursor: ControlsCursorTable;
  controlsAnnounced: AnnouncedTable;
  controlsAcknowledged: AcknowledgedTable;
};

export const tablesIn = (db: Database) => db.withTables<ControlsTables>();
export const tablesInTransaction = (trx: DatabaseTransaction) => trx.withTables<ControlsTables>();
export type ControlsTransaction = ReturnType<typeof tablesInTransaction>;
