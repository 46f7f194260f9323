import type { ReviewedPeople } from '../core/reviewed-people.ts';
import { sql } from 'kysely';
import { permanentAmountOf } from '../../../core/figures/known-limit.ts';
import { emailsOf, limitsOf } from '../core/ledger.ts';
import type { LimitPerson, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../../core/platform/endpoints/limits.ts';
import { peopleOf } from '../core/requests.ts';
import { approvedReturn } from './return-limits.ts';

/**
 * Stores the approved values; batches are sent from these rows alone. After the first of two approvals the rows still
 * wait, and the second approval starts from their values.
 */
export async function queuePeople(trx: LimitTransaction, request: LimitRequest, review: ReviewedPeople): Promise<void> {
  const { id } = request;
  await trx
    .updateTable('limitRequestPeople')
    .set((set) => ({
      state: request.state === 'second_approval' ? 'asked' : 'queued',
      approvedValue: set.fn.coalesce('approvedValue', 'toValue'),
      batch: sql<number>`position / ${sql.lit(MAX_LIMITS_PER_CALL)}`,
    }))
    .where('requestId', '=', id)
    .where('state', '!=', 'left_out')
    .execute();
  for (const [email, value] of review.lowered) {
    await trx
      .updateTable('limitRequestPeople')
      .set({
        approvedValue: value,
        returnValue: sql<number | null>`case when return_value > ${value} then ${value} else return_value end`,
        returnsToNone: sql<number | null>`case when return_value > ${value} then null else returns_to_none end`,
      })
      .where((where) => where.and({ requestId: id, email }))
      .where('approvedValue', '>=', value)
      .execute();
  }
  await recordSeen(trx, id, review.seen ?? new Map());
  if (request.until !== null) await boundReturns(trx, id, review);
  for (const email of review.leftOut) {
    await trx
      .updateTable('limitRequestPeople')
      .set({ state: 'left_out', approvedValue: null, batch: null })
      .where((where) => where.and({ requestId: id, email }))
      .execute();
  }
}

/** The limits that the reviewer saw, if they differ from those of the request. */
async function recordSeen(trx: LimitTransaction, id: string, seen: ReadonlyMap<string, string>): Promise<void> {
  for (const { email, shownBefore } of seen.size === 0 ? [] : await peopleOf(trx, id)) {
    const shown = seen.get(email);
    if (shown === undefined || shown === shownBefore) continue;
    await trx
      .updateTable('limitRequestPeople')
      .set({ shownBefore: shown })
      .where((where) => where.and({ requestId: id, email }))
      .execute();
  }
}

/** The ledger may have learned a first or lower value since the request was made. */
async function boundReturns(trx: LimitTransaction, id: string, review: ReviewedPeople): Promise<void> {
  const people = await peopleOf(trx, id);
  const known = await limitsOf(trx, emailsOf(people));
  for (const person of people) {
    const { email } = person;
    const reviewed = Math.min(review.returns.get(email) ?? Infinity, review.highestReturn ?? Infinity);
    const value = approvedReturn(person, person.approvedValue ?? person.toValue, {
      permanentLimit: permanentAmountOf(known(email)),
      reviewed,
    });
    if (value === person.returnValue) continue;
    const isChosen = reviewed < (person.returnValue ?? Infinity);
    await trx
      .updateTable('limitRequestPeople')
      .set({ returnValue: value, ...(isChosen ? { returnsToNone: null } : {}) })
      .where((where) => where.and({ requestId: id, email }))
      .execute();
  }
}

/** A request that ends without the second approval shows what was requested. */
export async function clearFirstApproval(
  trx: LimitTransaction,
  { id, firstApprovedBy }: Pick<LimitRequest, 'id' | 'firstApprovedBy'>,
): Promise<void> {
  if (firstApprovedBy === null) return;
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'asked', approvedValue: null, batch: null, error: null })
    .where('requestId', '=', id)
    .execute();
}

const OWN_LEFT_OUT = 'Left out: admins can’t decide their own limit. It needs another request.';

export async function explainOwn(trx: LimitTransaction, id: string, own: readonly LimitPerson[]): Promise<void> {
  if (own.length === 0) return;
  await trx
    .updateTable('limitRequestPeople')
    .set({ error: OWN_LEFT_OUT })
    .where('requestId', '=', id)
    .where('email', 'in', emailsOf(own))
    .execute();
}
