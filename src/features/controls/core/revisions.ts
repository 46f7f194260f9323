import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import { batchesOf } from '../../../core/base/time/turns.ts';
import { z } from 'zod';
import type { EnterpriseControlChange } from '../../../core/platform/endpoints/controls.ts';
import type { Pseudonyms } from '../../../core/base/privacy/pseudonyms.ts';
import { pseudonymizedSettings } from '../../../core/platform/pseudonymized.ts';
import { type JsonObject, digestOfJson, isJsonObject } from '../../../core/platform/redaction/json.ts';
import { withoutFingerprints } from '../../../core/platform/redaction/marks.ts';
import { plain } from '../../../core/base/text/markup.ts';
import { type Period, instantsOf } from '../../../core/base/time/calendar.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

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

export const settingsColumn = jsonColumn(z.custom<JsonObject>(isJsonObject));
const membersColumn = jsonColumn(z.array(z.string()));

/** A revision without its settings, which may be large. */
export type RevisionOutline = Omit<RevisionRow, 'settings'>;

const CHANGING = ['digest', 'redaction', 'userId', 'userName', 'userEmail', 'changedAt'] as const;
const OUTLINE = ['revision', ...CHANGING, 'seenAt', 'previous', 'members', 'weaker', 'stronger'] as const;

export function toRow(change: EnterpriseControlChange, seenAt: Date): RevisionRow {
  const changedMs = Date.parse(change.updatedAt ?? '');
  return {
    revision: change.revision,
    settings: settingsColumn.write(change.settings),
    digest: digestOfJson(change.settings),
    redaction: change.redaction,
    userId: cleaned(change.user?.id),
    userName: cleaned(change.user?.name),
    userEmail: cleaned(change.user?.email)?.toLowerCase() ?? null,
    changedAt: (Number.isNaN(changedMs) ? seenAt : new Date(changedMs)).toISOString(),
    seenAt: seenAt.toISOString(),
    previous: null,
    members: null,
    weaker: null,
    stronger: null,
  };
}

const cleaned = (text: string | null | undefined) => plain(text ?? '').slice(0, 200) || null;

/** One statement takes a few milliseconds with this bound, however large the settings are. */
const BATCH = { maxItems: 25, maxSize: 200_000 };

export async function insertRevisions(db: Database, rows: readonly RevisionRow[]): Promise<void> {
  for (const some of batchesOf(rows, { ...BATCH, sizeOf: ({ settings }) => settings.length })) {
    await tablesIn(db)
      .insertInto('revisions')
      .values(some)
      .onConflict((conflict) => conflict.column('revision').doNothing())
      .execute();
  }
}

export async function replaceRevision(trx: ControlsTransaction, row: RevisionRow): Promise<void> {
  const { settings, digest, redaction, userId, userName, userEmail, changedAt } = row;
  await trx
    .updateTable('revisions')
    .set({ settings, digest, redaction, userId, userName, userEmail, changedAt })
    .where('revision', '=', row.revision)
    .execute();
}

/** Stores a revision with the pseudonym of an erased person. Nothing else changed, so it still counts as announced. */
export async function renameInRevision(
  trx: ControlsTransaction,
  stored: Pick<RevisionRow, 'revision' | 'digest'>,
  row: RevisionRow,
): Promise<void> {
  await replaceRevision(trx, row);
  await trx
    .updateTable('controlsAnnounced')
    .set({ digest: row.digest })
    .where((where) => where.and({ revision: stored.revision, digest: stored.digest }))
    .execute();
}

/** Deletes the revisions that the history no longer shows after it went back. */
export async function forgetAfter(trx: ControlsTransaction, revision: number | null): Promise<void> {
  await trx
    .deleteFrom('revisions')
    .$if(revision !== null, (query) => query.where('revision', '>', revision ?? 0))
    .execute();
}

export type Comparison = Pick<RevisionRow, 'revision' | 'previous'> & {
  members: readonly string[];
  weaker: number;
  stronger: number;
};

/** Stores several comparisons in one transaction: each alone would wait for the disk. */
export async function storeComparisons(db: Database, comparisons: readonly Comparison[]): Promise<void> {
  if (comparisons.length === 0) return;
  await db.transaction().execute(async (trx) => {
    for (const { revision, members, ...columns } of comparisons) {
      const update = tablesInTransaction(trx).updateTable('revisions').where('revision', '=', revision);
      await update.set({ ...columns, members: membersColumn.write(members) }).execute();
    }
  });
}

export async function findRevision(db: Database, revision: number): Promise<RevisionRow | undefined> {
  return tablesIn(db).selectFrom('revisions').selectAll().where('revision', '=', revision).executeTakeFirst();
}

export async function latestRevision(db: Database): Promise<RevisionRow | undefined> {
  return tablesIn(db).selectFrom('revisions').selectAll().orderBy('revision', 'desc').limit(1).executeTakeFirst();
}

const outlines = (db: Database) => tablesIn(db).selectFrom('revisions').select(OUTLINE);

export async function outlinesOf(db: Database, revisions: readonly number[]): Promise<RevisionOutline[]> {
  if (revisions.length === 0) return [];
  return outlines(db).where('revision', 'in', revisions).orderBy('revision').execute();
}

/** In place of the digest of an announced revision whose settings could not be read. */
export const UNREADABLE = 'unreadable';

/** Revisions that were announced as unreadable, and that were read and stored since then. */
export async function readableAgain(db: Database): Promise<RevisionOutline[]> {
  const announced = tablesIn(db).selectFrom('controlsAnnounced').select('revision');
  return outlines(db)
    .where('revision', 'in', announced.where('digest', '=', UNREADABLE))
    .where('revision', 'not in', announced.where('digest', '!=', UNREADABLE))
    .orderBy('revision')
    .execute();
}

/** The revisions that were announced as unreadable, and still are. */
export async function listUnreadable(db: Database): Promise<number[]> {
  const rows = await tablesIn(db)
    .selectFrom('controlsAnnounced')
    .select('revision')
    .where('digest', '=', UNREADABLE)
    .where('revision', 'not in', tablesIn(db).selectFrom('revisions').select('revision'))
    .orderBy('revision')
    .execute();
  return rows.map(({ revision }) => revision);
}

/** The stored revision before this one; undefined if none is stored. */
export async function revisionBefore(db: Database, revision: number): Promise<number | undefined> {
  const row = await outlines(db)
    .where('revision', '<', revision)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.revision;
}

export async function outlinesAfter(db: Database, revision: number | null): Promise<RevisionOutline[]> {
  const query = outlines(db).orderBy('revision');
  return (revision === null ? query : query.where('revision', '>', revision)).execute();
}

/** Lists the revisions from one to another, both included. */
export async function outlinesSpan(db: Database, first: number, last: number): Promise<RevisionOutline[]> {
  return outlines(db).where('revision', '>=', first).where('revision', '<=', last).orderBy('revision').execute();
}

export async function outlinesIn(db: Database, days: Period): Promise<RevisionOutline[]> {
  return outlinesOn(db, days).orderBy('revision').execute();
}

function outlinesOn(db: Database, days: Period | undefined) {
  if (!days) return outlines(db);
  const { from, before } = instantsOf(days);
  return outlines(db).where('changedAt', '>=', from).where('changedAt', '<', before);
}

export async function outlinesBefore(
  db: Database,
  position: { before: number | undefined; email: string | undefined; days?: Period | undefined; most: number },
): Promise<RevisionOutline[]> {
  const { before, email, days, most } = position;
  return outlinesOn(db, days)
    .$if(before !== undefined, (query) => query.where('revision', '<', before ?? 0))
    .$if(email !== undefined, (query) => query.where('userEmail', '=', email ?? ''))
    .orderBy('revision', 'desc')
    .limit(most)
    .execute();
}

export async function oldestStored(db: Database): Promise<RevisionOutline | undefined> {
  return outlines(db).orderBy('revision').limit(1).executeTakeFirst();
}

export const settingsOf = ({ settings }: Pick<RevisionRow, 'settings'>): JsonObject => settingsColumn.read(settings);

/** Fingerprints of another redaction cannot be compared: then secrets of about the same length count as equal. */
export function comparableSettings(
  before: Pick<RevisionRow, 'settings' | 'redaction'>,
  after: Pick<RevisionRow, 'settings' | 'redaction'>,
  pseudonyms: Pseudonyms,
): { before: JsonObject; after: JsonObject } {
  const read = before.redaction === after.redaction ? settingsOf : settingsWithoutFingerprints;
  // One of the two may be from before an erasure: both get the current pseudonyms.
  const named = (row: Pick<RevisionRow, 'settings'>) => pseudonymizedSettings(read(row), pseudonyms);
  return { before: named(before), after: named(after) };
}

const settingsWithoutFingerprints = ({ settings }: Pick<RevisionRow, 'settings'>): JsonObject =>
  settingsColumn.read(withoutFingerprints(settings));

/** The paths of the changed members; empty if the revision was not compared. */
export const membersOf = ({ members }: Pick<RevisionRow, 'members'>): string[] =>
  members === null ? [] : membersColumn.read(members);

/** The author as named in channels, which watch who changes settings but never see an e-mail. */
export function publicAuthorOf({ userName: name }: Pick<RevisionRow, 'userName'>): string {
  return name === null || name === '' || name.includes('@') ? 'Somebody' : name;
}

export function authorOf({ userName: name, userEmail: email }: Pick<RevisionRow, 'userName' | 'userEmail'>): string {
  return name ?? email ?? 'Somebody';
}
