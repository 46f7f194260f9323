import type { Controls, HistoryPage } from '../../platform/endpoints/controls.ts';
import { isPlatformError, type PlatformErrorCode } from '../../platform/errors.ts';

/** The newest ones are asked for again and again; most often there is nothing new. */
const FIRST_PAGE = 10;
const NEXT_PAGES = 50;
/** Of the first look at a history: enough to say what the latest ones changed. */
const FIRST_LOOK = 25;
/** Such an answer may have been too large; with fewer revisions it may pass. */
const TOO_LARGE: ReadonlySet<PlatformErrorCode> = new Set(['timeout', 'cut_body', 'wrong_shape']);

type ReadPage = HistoryPage['changes'];

export interface Walk {
  /** Of the newest revision; nothing: the history is empty. */
  latest: number | undefined;
  /** The history still shows the revision that was looked for. */
  isKnownShown: boolean;
}

/**
 * Walks the pages of the history, newest first, until the revision that is known already, in whatever pages they come.
 *
 * @param known the last revision that is known; nothing: the first page alone is read
 * @param onPage takes the revisions of each page; they are in no certain order and may come twice
 * @throws PlatformError, and an Error when the pages do not come to an end
 */
export async function walkHistory(
  controls: Controls,
  known: number | undefined,
  onPage: (changes: ReadPage) => Promise<void>,
): Promise<Walk> {
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  let latest: number | undefined;
  let limit = known === undefined ? FIRST_LOOK : FIRST_PAGE;
  for (;;) {
    const { page, limit: worked } = await readPage(controls, cursor, limit);
    await onPage(page.changes);
    const revisions = page.changes.map(({ revision }) => revision);
    latest = Math.max(latest ?? -Infinity, ...revisions);
    const next = page.pagination.hasMore ? page.pagination.nextCursor : undefined;
    const isThere = known !== undefined && revisions.some((revision) => revision <= known);
    if (known === undefined || isThere || next === undefined) {
      return { latest: Number.isFinite(latest) ? latest : undefined, isKnownShown: revisions.includes(known ?? NaN) };
    }
    if (cursors.has(next)) throw new Error('The pages of the history of the controls do not come to an end');
    cursors.add(next);
    cursor = next;
    limit = worked < limit ? worked : NEXT_PAGES;
  }
}

/** Asks for fewer where an answer was too large; a revision alone that is too large is a fault like any other. */
async function readPage(
  controls: Controls,
  cursor: string | undefined,
  limit: number,
): Promise<{ page: HistoryPage; limit: number }> {
  for (let asked = limit; ; asked = Math.ceil(asked / 4)) {
    try {
      return { page: await controls.history({ limit: asked, cursor }), limit: asked };
    } catch (error) {
      if (asked === 1 || !isPlatformError(error) || !TOO_LARGE.has(error.code)) throw error;
    }
  }
}
