import type { Markup } from '../../../core/base/text/markup.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { diffClassified, type ClassifiedChange } from '../diff/diff.ts';
import { pathText } from '../diff/paths.ts';
import { comparableSettings, findRevision, type RevisionOutline } from '../core/revisions.ts';
import { EVERYTHING, matchesWatch, type WatchFilter } from '../core/watches.ts';

export interface RevisionChanges {
  row: RevisionOutline;
  changes: ClassifiedChange[];
  filteredOut: number;
  /** False while the previous revision has not been read: then the changes are unknown. */
  isComparable: boolean;
  /** The models and servers that it names, with their use; only for a notice about this revision alone. */
  namedUse?: Markup | undefined;
}

export async function readRevisionChanges(
  { db, erased }: Pick<ControlsDeps, 'db' | 'erased'>,
  revision: number,
  filter: WatchFilter = EVERYTHING,
): Promise<RevisionChanges | undefined> {
  const revisionRow = await findRevision(db, revision);
  if (!revisionRow) return undefined;
  // The settings may be large, and a message may cover many revisions.
  const { settings: _settings, ...row } = revisionRow;
  // Before the first revision there were no settings.
  const previous = row.previous === null ? { ...revisionRow, settings: '{}' } : await findRevision(db, row.previous);
  // Without the previous revision the changes are unknown; the very first revision has `members`.
  if (!previous || (row.previous === null && row.members === null))
    return { row, changes: [], filteredOut: 0, isComparable: false };
  const { before, after } = comparableSettings(previous, revisionRow, erased);
  return { row, isComparable: true, ...filterChanges(diffClassified(before, after), filter) };
}

function filterChanges(all: readonly ClassifiedChange[], filter: WatchFilter) {
  const changes = all.filter(({ change, verdict }) => {
    if (filter.only && verdict?.kind !== filter.only) return false;
    const paths = change.kind === 'moved' ? [change.path, change.from] : [change.path];
    return paths.some((path) => matchesWatch(filter, pathText(path)));
  });
  return { changes, filteredOut: all.length - changes.length };
}
