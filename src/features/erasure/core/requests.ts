import type { Identifiers } from '../../../core/base/privacy/pseudonyms.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { BOT_ACTOR } from '../../../core/store/audit.ts';
import type { Database, DatabaseTransaction } from '../../../core/store/tables.ts';
import { auditErasure, makeErasureId } from './erasures.ts';
import { notifyOfErasure } from './notice.ts';
import { tablesIn, type ErasureRequest } from './erasure-tables.ts';

/** A request expires if no second admin has agreed by then. */
const REQUEST_LIFE_MS = 7 * DAY_MS;

/** Requests a second admin. @returns the id that the erasure will have */
export async function askForErasure(
  { db, random }: { db: Database; random: () => number },
  email: string,
  askedBy: string,
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const tables = tablesIn(trx);
    const requests = tables.selectFrom('erasureRequests').select('id');
    const before = await requests.where('email', '=', email).executeTakeFirst();
    if (before) return before.id;
    const id = makeErasureId(random);
    await tables.insertInto('erasureRequests').values({ id, email, askedBy, askedAt: now.toISOString() }).execute();
    await auditErasure(trx, id, askedBy, 'asked for a second admin', now);
    await notifyOfErasure(trx, { id, event: 'asked', by: askedBy }, now);
    return id;
  });
}

export async function findErasureRequest(db: Database, id: string): Promise<ErasureRequest | undefined> {
  return tablesIn(db).selectFrom('erasureRequests').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listErasureRequests(db: Database): Promise<ErasureRequest[]> {
  return tablesIn(db).selectFrom('erasureRequests').selectAll().orderBy('askedAt').execute();
}

/** Takes a request, which one of several deciding admins can do. @returns false if it was decided before */
export async function takeRequest(trx: DatabaseTransaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await tablesIn(trx).deleteFrom('erasureRequests').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function declineErasure(db: Database, id: string, by: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await takeRequest(trx, id))) return false;
    await auditErasure(trx, id, by, 'declined to erase', now);
    await notifyOfErasure(trx, { id, event: 'declined', by }, now);
    return true;
  });
}

/** Deletes requests, and the e-mails in them, to which no admin agreed in time. */
export async function expireRequests(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - REQUEST_LIFE_MS).toISOString();
  for (const { id, askedAt: at } of await listErasureRequests(db)) {
    if (at > before) continue;
    await db.transaction().execute(async (trx) => {
      if (!(await takeRequest(trx, id))) return;
      await auditErasure(trx, id, BOT_ACTOR, 'expired', now);
    });
  }
}

/** Returns why an admin may not be the second one; undefined if they may. Pure. */
export function whyNotSecond(
  admin: { slackId: string; email: string | undefined },
  { askedBy }: Pick<ErasureRequest, 'askedBy'>,
  askerEmail: string | undefined,
  erased: Identifiers,
): string | undefined {
  const isAsker = admin.slackId === askedBy || (admin.email !== undefined && admin.email === askerEmail);
  if (isAsker) return 'You requested this erasure, so another admin has to agree.';
  return isSamePerson(admin, erased) ? SELF : undefined;
}

export const SELF = 'You can’t erase yourself. Ask another admin, or the server operator.';

export const isSamePerson = (admin: { slackId: string; email: string | undefined }, { slackId, email }: Identifiers) =>
  slackId.includes(admin.slackId) || (admin.email !== undefined && email.includes(admin.email.toLowerCase()));
