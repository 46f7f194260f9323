import type { Controls, HistoryPage } from '../../../core/platform/endpoints/controls.ts';
import { isPlatformError, type PlatformErrorCode } from '../../../core/platform/errors.ts';

/** The newest revisions are requested at every poll; most often there is nothing new. */
const FIRST_PAGE = 10;
const NEXT_PAGES = 50;
/** The size of the first page of a new watch: enough to show what the latest revisions changed. */
const FIRST_WATCH_PAGE = 25;
/** After these errors the answer may have been too large; a smaller page may succeed. */
const TOO_LARGE: ReadonlySet<PlatformErrorCode> = new Set(['timeout', 'cut_body', 'wrong_shape']);

export interface HistoryWalk {
  /** The newest revision; undefined: the history is empty. */
  latest: number | undefined;
  isKnownShown: boolean;
}

/**
 * Walks the pages, newest first, down to the known revision; if that is undefined, reads only the first page.
 * @param onPage takes each page; its revisions are in no particular order and may repeat
 * @throws PlatformError, and an Error if the pages do not end
 */
export async function walkHistory(
  controls: Controls,
  knownRevision: number | undefined,
  onPage: (page: HistoryPage) => Promise<void>,
): Promise<HistoryWalk> {
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  let latest: number | undefined;
  let limit = knownRevision === undefined ? FIRST_WATCH_PAGE : FIRST_PAGE;
  for (;;) {
    const { page, limit: worked } = await readPage(controls, cursor, limit);
    await onPage(page);
    const unreadable = page.unreadable.flatMap((one) => one.unreadable ?? []);
    const revisions = [...page.changes.map(({ revision }) => revision), ...unreadable];
    latest = Math.max(latest ?? -Infinity, ...revisions);
    const next = page.pagination.hasMore ? page.pagination.nextCursor : undefined;
    const isThere = knownRevision !== undefined && revisions.some((revision) => revision <= knownRevision);
    if (knownRevision === undefined || isThere || next === undefined) {
      return {
        latest: Number.isFinite(latest) ? latest : undefined,
        isKnownShown: revisions.includes(knownRevision ?? NaN),
      };
    }
    if (cursors.has(next)) throw new Error('The pages of the history of the controls do not come to an end');
    cursors.add(next);
    cursor = next;
    limit = worked < limit ? worked : NEXT_PAGES;
  }
}

/** Requests fewer revisions after a too large answer. If a single revision is too large, the error is thrown. */
async function readPage(
  controls: Controls,
  cursor: string | undefined,
  limit: number,
): Promise<{ page: HistoryPage; limit: number }> {
  for (let size = limit; ; size = Math.ceil(size / 4)) {
    try {
      return { page: await controls.history({ limit: size, cursor }), limit: size };
    } catch (error) {
      if (size === 1 || !isPlatformError(error) || !TOO_LARGE.has(error.code)) throw error;
    }
  }
}
