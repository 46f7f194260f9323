import { PlatformError } from '../errors.ts';
import { createSharedKeys, type ListingKeys } from './listing-keys.ts';

/** More than any organization needs (10,000 people x 365 days at 100 rows a page is 36,500). */
const MAX_PAGES = 100_000;
/** A filter may leave some pages empty. More than this many in a row mean that the listing never ends. */
const MAX_EMPTY_PAGES = 100;

/** If cursors are keys, a repeated page is requested again, at most this often in a listing. */
const MAX_REPEATS = 3;

export type NextPage = { more: false } | { more: true; cursor: string | undefined };

export interface Listing<Page, Item> {
  path: string;
  load: (cursor: string | undefined) => Promise<Page>;
  items: (page: Page) => readonly Item[];
  next: (page: Page) => NextPage;
  /** Identifies an item. An item of a repeated key is yielded once. */
  key: (item: Item) => string;
  /**
   * Whether each cursor is the key of an item. If the order within a page is not certain, such pages may overlap, and
   * one of them may contain nothing new. Loops are found by repeated cursors.
   */
  cursorsAreKeys?: boolean;
  /** Remembers the keys; by default each listing does so by itself. */
  keys?: Pick<ListingKeys, 'isNew'>;
  /** The least number of items on a full page. A smaller page without new items is the last, even if it names a next one. */
  fullPage?: number;
}

/** Like `eachPage`, one item at a time. @example for await (const row of eachItem({ path, load, items, next, key })) fold(row); */
export async function* eachItem<Page, Item>(listing: Listing<Page, Item>): AsyncGenerator<Item, void, undefined> {
  for await (const items of eachPage(listing)) yield* items;
}

/**
 * Yields the new items of each page, one page at a time.
 *
 * @throws PlatformError `pagination_loop` if a cursor is missing or repeated, if a page that is not known
 * to be the last contains only known items, or if the pages do not end; and errors of `load`
 */
export async function* eachPage<Page, Item>(
  listing: Listing<Page, Item>,
): AsyncGenerator<readonly Item[], void, undefined> {
  const cursors = new Set<string>();
  const keys = listing.keys ?? createSharedKeys().open();
  let cursor: string | undefined;
  let emptyPages = 0;
  let repeats = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await listing.load(cursor);
    const items = listing.items(page);
    const fresh = items.filter((item) => keys.isNew(listing.key(item)));
    if (pages > 0 && fresh.length === 0 && isPastTheEnd(listing, page, cursors)) return;
    if (items.length > 0 && fresh.length === 0 && !listing.cursorsAreKeys) {
      throw loop(listing.path, 'a page brought only items of earlier pages');
    }
    yield fresh;

    const next = listing.next(page);
    if (!next.more) return;
    emptyPages = items.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages > MAX_EMPTY_PAGES) throw loop(listing.path, `${emptyPages} empty pages in a row`);
    if (next.cursor === undefined) throw loop(listing.path, 'more pages were promised without a cursor');
    if (isNew(cursors, next.cursor)) cursor = next.cursor;
    else if (next.cursor === cursor && listing.cursorsAreKeys && repeats < MAX_REPEATS) repeats += 1;
    else throw loop(listing.path, 'a cursor came back');
  }
  throw loop(listing.path, `no end after ${MAX_PAGES} pages`);
}

/** An empty page with a new cursor is not the end. */
function isPastTheEnd<Page, Item>(
  { items, next, fullPage }: Listing<Page, Item>,
  page: Page,
  cursors: ReadonlySet<string>,
): boolean {
  if (fullPage === undefined) return false;
  const size = items(page).length;
  const following = next(page);
  if (!following.more) return true;
  if (size > 0) return size < fullPage;
  return following.cursor === undefined || cursors.has(following.cursor);
}

function isNew(seen: Set<string>, value: string): boolean {
  if (seen.has(value)) return false;
  seen.add(value);
  return true;
}

function loop(path: string, detail: string): PlatformError {
  return new PlatformError({ code: 'pagination_loop', method: 'GET', path, detail });
}
