import type { HistoryPage, UnreadableChange } from '../../../core/platform/endpoints/controls.ts';
import { enqueueNewRevisions, announceWentBack, recordAnnounced } from './enqueue.ts';
import { compareAll } from './compare.ts';
import { moveCursor, recordHistoryEnd } from '../core/cursor.ts';
import { walkHistory, type HistoryWalk } from './history-pages.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import {
  type ControlsCursor,
  type RevisionRow,
  findRevision,
  insertRevisions,
  outlinesAfter,
  outlinesOf,
  readableAgain,
  renameInRevision,
  replaceRevision,
  revisionBefore,
  settingsOf,
  tablesInTransaction,
  toRow,
} from '../core/revisions.ts';
import { pseudonymizedSettings, withoutErasedIn } from '../../../core/platform/pseudonymized.ts';
import { digestOfJson } from '../../../core/platform/redaction/json.ts';

/**
 * Stores the revisions first; then one transaction advances the cursor and enqueues the notices, so that a process that
 * dies midway leaves nothing half announced. Throws `PlatformError`, and errors of the store.
 */
export async function pollOnce(deps: ControlsDeps, cursor: ControlsCursor): Promise<void> {
  const rewritten: RevisionRow[] = [];
  const unreadable: UnreadableChange[] = [];
  await deps.checkpoint('controls:before_poll');
  const knownRevision = cursor.startedAt === null ? undefined : (cursor.revision ?? -Infinity);
  // Taken before the reading: while the process sleeps after it, a lagging copy may catch up.
  const readAt = cursor.wentBackTo === null ? undefined : await readStoreNow(deps.db);
  const walk = await walkHistory(deps.platform.controls, knownRevision, async (page) => {
    rewritten.push(...(await storePage(deps, page.changes, cursor.revision)));
    unreadable.push(...page.unreadable);
    await deps.checkpoint('controls:after_page');
  });
  if (cursor.startedAt === null) return recordStart(deps, cursor, walk);
  if (cursor.revision !== null && (walk.latest ?? -Infinity) < cursor.revision)
    return goBack(deps, cursor, walk, readAt);
  const pending = await outlinesAfter(deps.db, cursor.revision);
  const newUnreadable = newestUnreadable(unreadable, cursor.revision);
  const readableNow = await readableAgain(deps.db);
  if (cursor.wentBackTo !== null) await recordHistoryEnd(deps.db, undefined);
  if ([pending, rewritten, newUnreadable, readableNow].every(({ length }) => length === 0)) return;
  if (newUnreadable.length > 0)
    deps.log.warn({ revisions: newUnreadable, problems: unreadable }, 'Revisions of the controls could not be read');
  await compareAll(deps, pending, await lastReadable(deps, cursor));
  for (const one of readableNow) await compareAll(deps, [one], await revisionBefore(deps.db, one.revision));
  await enqueueNewRevisions(deps, cursor, {
    pending: await outlinesAfter(deps.db, cursor.revision),
    rewritten,
    unreadable: newUnreadable,
    readableNow: await outlinesOf(
      deps.db,
      readableNow.map(({ revision }) => revision),
    ),
    isKnownGone: cursor.revision !== null && !walk.isKnownShown,
  });
  await deps.checkpoint('controls:after_move');
}

/** The announced revision that the next one is compared with; null: there was none. The last one may be unreadable. */
const lastReadable = async ({ db }: ControlsDeps, { revision }: ControlsCursor): Promise<number | null | undefined> =>
  revision === null ? null : revisionBefore(db, revision + 1);

/** Of those without a number, only the log can say anything. */
function newestUnreadable(changes: readonly UnreadableChange[], announcedThrough: number | null): number[] {
  const revisions = changes.flatMap(({ unreadable }) => unreadable ?? []);
  return [...new Set(revisions.filter((one) => one > (announcedThrough ?? -Infinity)))].toSorted((a, b) => a - b);
}

/** @returns the announced revisions whose content has changed */
async function storePage(
  deps: ControlsDeps,
  changes: HistoryPage['changes'],
  announcedThrough: number | null,
): Promise<RevisionRow[]> {
  const { db, clock, erased } = deps;
  // A person may have been erased while the page was read.
  await erased.refresh();
  // Without one order, two replicas that write the same revisions could deadlock.
  const rows = changes
    .map((change) => toRow(withoutErasedIn(change, erased), clock.now()))
    .toSorted((a, b) => a.revision - b.revision);
  const revisions = rows.map(({ revision }) => revision);
  const storedOutlines = await outlinesOf(db, revisions);
  const storedByRevision = new Map(storedOutlines.map((row) => [row.revision, row]));
  const newRows = rows.filter(({ revision }) => !storedByRevision.has(revision));
  await insertRevisions(db, newRows);
  const others = rows.filter(({ revision, digest, redaction }) => {
    const before = storedByRevision.get(revision);
    return before !== undefined && before.redaction === redaction && before.digest !== digest;
  });
  const changed = await withoutErasures(deps, others);
  // Unannounced revisions are simply replaced; so are those of another redaction, which could not be compared.
  const replaceable = rows.filter((row) => {
    const before = storedByRevision.get(row.revision);
    if (before === undefined) return false;
    return (
      before.redaction !== row.redaction || (changed.includes(row) && row.revision > (announcedThrough ?? -Infinity))
    );
  });
  await db.transaction().execute(async (trx) => {
    for (const row of replaceable) await replaceRevision(tablesInTransaction(trx), row);
  });
  return changed.filter((row) => !replaceable.includes(row));
}

/** Returns the revisions whose new content no erasure explains; the others are stored with their new content. */
async function withoutErasures({ db, erased }: ControlsDeps, rows: readonly RevisionRow[]): Promise<RevisionRow[]> {
  const changed: RevisionRow[] = [];
  for (const row of rows) {
    const stored = await findRevision(db, row.revision);
    const isErasure =
      stored !== undefined && digestOfJson(pseudonymizedSettings(settingsOf(stored), erased)) === row.digest;
    if (isErasure) await db.transaction().execute((trx) => renameInRevision(tablesInTransaction(trx), stored, row));
    else changed.push(row);
  }
  return changed;
}

/** The first poll announces nothing: the watch begins after the existing revisions. */
async function recordStart(deps: ControlsDeps, cursor: ControlsCursor, { latest }: HistoryWalk): Promise<void> {
  const { db, clock, log } = deps;
  await compareAll(deps, await outlinesAfter(db, null), undefined);
  const revision = latest ?? null;
  const outlines = await outlinesAfter(db, null);
  const isOurs = await db.transaction().execute(async (trx) => {
    const isMoved = await moveCursor(trx, cursor, { revision, epoch: cursor.epoch, startedAt: clock.now() });
    if (isMoved) await recordAnnounced(tablesInTransaction(trx), outlines);
    return isMoved;
  });
  if (!isOurs) return;
  log.info({ revision }, 'Watching the enterprise controls from this revision');
}

/** A copy of the platform's data may lag behind by this much. */
const LAGS_AT_MOST_MS = 5 * 60_000;
const EMPTY = -1;

/** Whether the history has really gone back, rather than being read from a lagging copy. Pure. */
export function hasGoneBack(
  { wentBackTo: seen, wentBackAt: since }: Pick<ControlsCursor, 'wentBackTo' | 'wentBackAt'>,
  to: number,
  readAt: Date,
): boolean {
  return seen === to && since !== null && readAt.getTime() - Date.parse(since) >= LAGS_AT_MOST_MS;
}

async function goBack(
  deps: ControlsDeps,
  cursor: ControlsCursor,
  { latest }: HistoryWalk,
  readAt: Date | undefined,
): Promise<void> {
  const to = latest ?? EMPTY;
  if (readAt && hasGoneBack(cursor, to, readAt)) return announceWentBack(deps, cursor, latest ?? null);
  if (cursor.wentBackTo !== to) await recordHistoryEnd(deps.db, to);
}
