import { sql } from 'kysely';
import { emailsOf, permanentLimitsOf } from '../core/ledger.ts';
import type { LimitPerson, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../platform/endpoints/limits.ts';
import { peopleOf } from '../core/requests.ts';
import { approvedReturn } from './return-limits.ts';

export interface ReviewedPeople {
  /** Lowered amounts by e-mail. */
  lowered: ReadonlyMap<string, number>;
  /** E-mails. */
  leftOut: ReadonlySet<string>;
  /** Limits to return to by e-mail, if lower than shown. */
  returns: ReadonlyMap<string, number>;
  /** The upper bound for every limit to return to. */
  highestReturn: number | undefined;
}

/** Stores the approved values; batches are sent from these rows alone. */
export async function queuePeople(trx: LimitTransaction, request: LimitRequest, review: ReviewedPeople): Promise<void> {
  const { id } = request;
  await trx
    .updateTable('limit_request_people')
    .set((set) => ({
      state: 'queued',
      approved_value: set.ref('to_value'),
      batch: sql<number>`position / ${sql.lit(MAX_LIMITS_PER_CALL)}`,
    }))
    .where('request_id', '=', id)
    .execute();
  for (const [email, value] of review.lowered) {
    await trx
      .updateTable('limit_request_people')
      .set({
        approved_value: value,
        return_value: sql<number | null>`case when return_value > ${value} then ${value} else return_value end`,
      })
      .where('request_id', '=', id)
      .where('email', '=', email)
      .where('to_value', '>=', value)
      .execute();
  }
  if (request.until !== null) await boundReturns(trx, id, review);
  for (const email of review.leftOut) {
    await trx
      .updateTable('limit_request_people')
      .set({ state: 'left_out', approved_value: null, batch: null })
      .where('request_id', '=', id)
      .where('email', '=', email)
      .execute();
  }
}

/** The ledger may have learned a first or lower value since the request was made. */
async function boundReturns(trx: LimitTransaction, id: string, review: ReviewedPeople): Promise<void> {
  const people = await peopleOf(trx, id);
  const permanentLimits = await permanentLimitsOf(trx, emailsOf(people));
  for (const person of people) {
    const { email } = person;
    const reviewed = Math.min(review.returns.get(email) ?? Infinity, review.highestReturn ?? Infinity);
    const value = approvedReturn(person, person.approved_value ?? person.to_value, {
      permanentLimit: permanentLimits.get(email),
      reviewed,
    });
    if (value === person.return_value) continue;
    await trx
      .updateTable('limit_request_people')
      .set({ return_value: value })
      .where('request_id', '=', id)
      .where('email', '=', email)
      .execute();
  }
}

const OWN_LEFT_OUT = 'Left out: admins can’t decide their own limit. It needs another request.';

export async function explainOwn(trx: LimitTransaction, id: string, own: readonly LimitPerson[]): Promise<void> {
  if (own.length === 0) return;
  await trx
    .updateTable('limit_request_people')
    .set({ error: OWN_LEFT_OUT })
    .where('request_id', '=', id)
    .where('email', 'in', emailsOf(own))
    .execute();
}
