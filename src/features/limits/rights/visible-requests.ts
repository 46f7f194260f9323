import type { Reader } from '../../../core/outbox/reader.ts';
import type { LimitDatabase, LimitPerson } from '../core/limit-tables.ts';
import { emailsOf } from '../core/ledger.ts';
import { countPeople, findRequest, ownRowsOf } from '../core/requests.ts';
import { visibleTo, type Viewer, type VisibleRequest } from '../core/visible.ts';

/** Returns undefined if it does not exist or is not visible; `read` reads the rows besides the viewer’s own. */
export async function readVisible(
  db: LimitDatabase,
  id: string,
  viewer: Viewer,
  read: (db: LimitDatabase, id: string) => Promise<readonly LimitPerson[]>,
): Promise<VisibleRequest | undefined> {
  const request = await findRequest(db, id);
  if (!request) return undefined;
  const own = viewer === 'reviewers' ? [] : await ownRowsOf(db, id, viewer);
  const rows = await read(db, id);
  const emails = new Set(emailsOf(rows));
  const people = [...rows, ...own.filter(({ email }) => !emails.has(email))];
  return visibleTo({ request, people, counts: await countPeople(db, id) }, viewer);
}

export const viewerOf = (reader: Reader): Viewer => (reader.kind === 'channel' ? 'reviewers' : reader);
