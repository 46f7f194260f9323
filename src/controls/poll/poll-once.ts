import type { HistoryPage } from '../../platform/endpoints/controls.ts';
import { enqueueNewRevisions, announceWentBack } from './enqueue.ts';
import { compareAll } from './compare.ts';
import { moveCursor, noteWentBack } from '../core/cursor.ts';
import { walkHistory, type Walk } from './pages.ts';
import type { ControlsDeps } from '../core/deps.ts';
import { readStoreNow } from '../../store/lease.ts';
import { noteAnnounced } from '../core/announced.ts';
import { keepRevisions, outlinesAfter, outlinesOf, replaceRevision, toRow } from '../core/revisions.ts';
import { tablesInTransaction, type ControlsCursor, type RevisionRow } from '../core/tables.ts';

/**
 * Reads the history once and tells of what is new. What was read is kept first; the cursor moves, and the notices are put into
 * the outbox, in one transaction. So a process that dies on the way leaves nothing half announced.
 *
 * @throws PlatformError, and whatever the store throws
 */
export async function pollOnce(deps: ControlsDeps, cursor: ControlsCursor): Promise<void> {
  const rewritten: RevisionRow[] = [];
  await deps.checkpoint('controls:before_poll');
  const known = cursor.started_at === null ? undefined : (cursor.revision ?? -Infinity);
  const walk = await walkHistory(deps.platform.controls, known, async (changes) => {
    rewritten.push(...(await keepPage(deps, changes, cursor.revision)));
    await deps.checkpoint('controls:after_page');
  });
  if (cursor.started_at === null) return begin(deps, cursor, walk);
  if (cursor.revision !== null && (walk.latest ?? -Infinity) < cursor.revision) return goBack(deps, cursor, walk);
  const pending = await outlinesAfter(deps.db, cursor.revision);
  if (cursor.went_back_to !== null) await noteWentBack(deps.db, undefined);
  if (pending.length === 0 && rewritten.length === 0) return;
  await compareAll(deps.db, pending, cursor.revision);
  await enqueueNewRevisions(deps, cursor, {
    pending: await outlinesAfter(deps.db, cursor.revision),
    rewritten,
    isKnownGone: cursor.revision !== null && !walk.isKnownShown,
  });
  await deps.checkpoint('controls:after_move');
}

/** @returns those that were told of, and whose content is another one now */
async function keepPage(
  { db, clock }: ControlsDeps,
  changes: HistoryPage['changes'],
  told: number | null,
): Promise<RevisionRow[]> {
  // In one order, or two replicas that write the same revisions would each wait for the other.
  const rows = changes.map((change) => toRow(change, clock.now())).toSorted((a, b) => a.revision - b.revision);
  const known = await outlinesOf(
    db,
    rows.map(({ revision }) => revision),
  );
  const kept = new Map(known.map((row) => [row.revision, row]));
  await keepRevisions(
    db,
    rows.filter(({ revision }) => !kept.has(revision)),
  );
  const changed = rows.filter(({ revision, digest, redaction }) => {
    const before = kept.get(revision);
    return before !== undefined && before.redaction === redaction && before.digest !== digest;
  });
  // What nobody was told of yet is simply read again; so is what another redaction made, or it could not be compared with.
  const untold = rows.filter((row) => {
    const before = kept.get(row.revision);
    if (before === undefined) return false;
    return before.redaction !== row.redaction || (changed.includes(row) && row.revision > (told ?? -Infinity));
  });
  await db.transaction().execute(async (trx) => {
    for (const row of untold) await replaceRevision(tablesInTransaction(trx), row);
  });
  return changed.filter((row) => !untold.includes(row));
}

/** The first look announces nothing: what is there already is where the watch begins. */
async function begin(deps: ControlsDeps, cursor: ControlsCursor, { latest }: Walk): Promise<void> {
  const { db, clock, log } = deps;
  await compareAll(db, await outlinesAfter(db, null), undefined);
  const revision = latest ?? null;
  const shown = await outlinesAfter(db, null);
  const isOurs = await db.transaction().execute(async (trx) => {
    const isMoved = await moveCursor(trx, cursor, { revision, epoch: cursor.epoch, startedAt: clock.now() });
    if (isMoved) await noteAnnounced(tablesInTransaction(trx), shown);
    return isMoved;
  });
  if (!isOurs) return;
  log.info({ revision }, 'The enterprise controls are watched from this revision on');
}

/** For so long a copy of the platform's data may lag behind. */
const LAGS_AT_MOST_MS = 5 * 60_000;
/** In place of a revision, where the history is empty. */
const EMPTY = -1;

/** Whether a history that ends before what is known has really gone back, or is a copy that lags behind. Pure. */
export function hasGoneBack(
  { went_back_to: seen, went_back_at: since }: Pick<ControlsCursor, 'went_back_to' | 'went_back_at'>,
  to: number,
  now: Date,
): boolean {
  return seen === to && since !== null && now.getTime() - Date.parse(since) >= LAGS_AT_MOST_MS;
}

async function goBack(deps: ControlsDeps, cursor: ControlsCursor, { latest }: Walk): Promise<void> {
  const to = latest ?? EMPTY;
  if (hasGoneBack(cursor, to, await readStoreNow(deps.db))) return announceWentBack(deps, cursor, latest ?? null);
  if (cursor.went_back_to !== to) await noteWentBack(deps.db, to);
}
