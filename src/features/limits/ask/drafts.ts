import { DAY_MS } from '../../../core/base/time/durations.ts';
import { randomUUID } from 'node:crypto';
import { contentsSchema, type RequestContents } from '../core/requests.ts';
import type { LimitDatabase, LimitTransaction } from '../core/limit-tables.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

const DRAFT_LIFE_MS = DAY_MS;
const contentsColumn = jsonColumn(contentsSchema);

/** Stores the input during the review step, because Slack keeps at most 3,000 characters with a modal. */
export async function keepDraft(
  db: LimitDatabase,
  owner: string,
  contents: RequestContents,
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('limitDrafts')
    .values({ id, owner, createdAt: now.toISOString(), contents: contentsColumn.write(contents) })
    .execute();
  return id;
}

export async function findDraft(db: LimitDatabase, id: string, owner: string): Promise<RequestContents | undefined> {
  const row = await db
    .selectFrom('limitDrafts')
    .select('contents')
    .where((where) => where.and({ id, owner }))
    .executeTakeFirst();
  return row && contentsColumn.read(row.contents);
}

/** Deletes a draft in the transaction that creates its request, so that it becomes only one request. */
export async function deleteDraft(trx: LimitTransaction, id: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('limitDrafts').where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function forgetOldDrafts(db: LimitDatabase, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - DRAFT_LIFE_MS).toISOString();
  await db.deleteFrom('limitDrafts').where('createdAt', '<', oldest).execute();
}
