import type { Markup } from '../../../core/base/text/markup.ts';
import type { LimitRequest, LimitTransaction } from './limit-tables.ts';

/** Whether the lead of a team may decide. The approval charges the pool of the team, and returns the request with its end. */
export type LeadApproval =
  | { kind: 'refused'; because: Markup }
  | { kind: 'allowed'; approve?: (request: LimitRequest) => Promise<LimitRequest> };

/**
 * Runs first in the transaction of a decision.
 *
 * @param approved the limit, and the lowest limit afterwards that was typed; missing for a denial
 */
export type DecideAsLead = (
  trx: LimitTransaction,
  approved?: { amount: number; lowestReturn: number | undefined },
) => Promise<LeadApproval>;

/** `decideAsLead`: of a person with `isLead`. */
export interface MaybeLead {
  decideAsLead?: DecideAsLead | undefined;
}
