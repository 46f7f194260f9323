import { compareAll } from './compare.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import {
  type RevisionRow,
  findRevision,
  insertRevisions,
  oldestStored,
  outlinesAfter,
  toRow,
} from '../core/revisions.ts';

/** The most revisions that one command reads; a request for older ones reads further. */
const MAX_READ = 1_000;
const PAGE = 50;

type Deps = Pick<ControlsDeps, 'db' | 'platform' | 'erased' | 'clock'>;

/** Returns a revision. If it is from before the watch began, the history is read back to it and stored. */
export async function reachRevision(deps: Deps, revision: number): Promise<RevisionRow | undefined> {
  const stored = await findRevision(deps.db, revision);
  if (stored || !(await reachBackTo(deps, revision))) return stored;
  return findRevision(deps.db, revision);
}

/** Reads the history back to a revision older than the stored ones; returns `false` if there was nothing to read. */
export async function reachBackTo(deps: Deps, revision: number): Promise<boolean> {
  const { db, platform, clock } = deps;
  const oldest = await oldestStored(db);
  if (!oldest || revision >= oldest.revision) return false;
  let read = 0;
  let lowest = oldest.revision;
  for await (const change of platform.controls.eachChange({ limit: PAGE })) {
    if (change.revision < oldest.revision) {
      await insertRevisions(db, [toRow(change, clock.now())]);
      read += 1;
      lowest = Math.min(lowest, change.revision);
    }
    // The previous revision is needed to say what the requested one changed.
    if (change.revision < revision || read >= MAX_READ) break;
  }
  const uncompared = (await outlinesAfter(db, null)).filter((row) => row.revision <= oldest.revision);
  await compareAll(deps, uncompared, undefined);
  return lowest < oldest.revision;
}
