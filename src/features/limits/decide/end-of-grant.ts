import { newestEntries } from '../core/ledger.ts';
import type { LimitTransaction } from '../core/limit-tables.ts';
import { findRequest } from '../core/requests.ts';

/**
 * Returns what happens at the end of a raise that a policy granted. `approved`: the raise is the newest limit, so its
 * end is sent. `left`: a newer raise has its own end. `unsure`: a person decides.
 */
export async function endOfGrant(
  trx: LimitTransaction,
  raiseId: string,
  people: readonly { email: string }[],
): Promise<'approved' | 'left' | 'unsure'> {
  const emails = people.map(({ email }) => email);
  const newest = await newestEntries(trx, emails);
  const ids = new Set(emails.map((email) => newest.get(email)?.requestId));
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) return 'unsure';
  if (id === raiseId) return 'approved';
  const newer = await findRequest(trx, id);
  const isRaise = newer?.kind === 'ask' && newer.until !== null && newer.undoneAt === null;
  return isRaise ? 'left' : 'unsure';
}

export async function supersedePeople(trx: LimitTransaction, requestId: string): Promise<void> {
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'superseded', error: 'Not sent: a newer raise has its own end.' })
    .where('requestId', '=', requestId)
    .execute();
}
