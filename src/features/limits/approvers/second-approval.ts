import type { LimitPerson, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { peopleOf, type RequestTotals } from '../core/requests.ts';
import { isWaiting, type ApprovalFacts } from '../core/states.ts';
import type { ReviewedPeople } from '../core/reviewed-people.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { denialOf, isActor, type Actor } from '../core/access.ts';
import type { VisibleRequest } from '../core/visible.ts';
import { readApproverRules, type ApproverRules } from './approver-rules.ts';

type FirstApproval = Pick<LimitRequest, 'state' | 'firstApprovedBy' | 'firstApprovedEmail'>;

/** Whether the admin is the person who gave the first approval, by any identity. Pure. */
export function isFirstApprover(request: FirstApproval, admin: Omit<Actor, 'role'>): boolean {
  const { state, firstApprovedBy: slackId, firstApprovedEmail: email } = request;
  return state === 'second_approval' && slackId !== null && isActor({ slackId, email }, admin);
}

/** Whether the admin can approve the request now. Pure. */
export function mayReview(
  { request, involvement }: Pick<VisibleRequest, 'request' | 'involvement'>,
  admin: Actor,
): boolean {
  const isDenied = denialOf({ action: 'decide', involvement }, admin) !== undefined;
  return isWaiting(request) && !isDenied && !isFirstApprover(request, admin);
}

/** The highest limit that can be approved now: a second approval never exceeds the first one. */
export const highestAmount = ({ approvedValue, toValue }: Pick<LimitPerson, 'approvedValue' | 'toValue'>): number =>
  approvedValue ?? toValue;

type Review = Pick<ReviewedPeople, 'lowered' | 'leftOut'>;

const peopleApproved = (people: readonly LimitPerson[], { leftOut }: Review) =>
  people.filter(({ email, state }) => state !== 'left_out' && !leftOut.has(email));

/** Returns the credits that an approval sets in total; infinite if it removes an own limit. Pure. */
function totalApproved(people: readonly LimitPerson[], review: Review): number {
  const approved = peopleApproved(people, review);
  if (approved.some(({ removes }) => removes === 1)) return Infinity;
  return approved
    .map((person) => Math.min(review.lowered.get(person.email) ?? Infinity, highestAmount(person)))
    .reduce((sum, amount) => sum + amount, 0);
}

/** The highest total that approving the request as it is can set. */
export const totalRequested = ({ requested, removals }: RequestTotals): number => (removals > 0 ? Infinity : requested);

export const needsSecondApproval = (total: number, rules: Pick<ApproverRules, 'secondAbove'> | undefined): boolean =>
  rules?.secondAbove !== undefined && total > rules.secondAbove;

/** Reads in the transaction of the decision whether a second approval is needed, or is given by another admin. */
export async function readApproval(
  trx: LimitTransaction,
  request: LimitRequest,
  decision: Review & { isSecond?: boolean },
  by: FreshPerson,
): Promise<{ approvals: ApprovalFacts; approvesAnyone?: boolean }> {
  const rules = await readApproverRules(trx);
  const approvals = {
    isSecondNeeded: false,
    isSecond: decision.isSecond ?? false,
    isByFirstApprover: isFirstApprover(request, by),
  };
  if (request.firstApprovedBy === null && rules?.secondAbove === undefined) return { approvals };
  const people = await peopleOf(trx, request.id);
  return {
    approvals: { ...approvals, isSecondNeeded: needsSecondApproval(totalApproved(people, decision), rules) },
    approvesAnyone: peopleApproved(people, decision).length > 0,
  };
}

export const firstApprovalBy = ({ slackId, email }: Pick<Actor, 'slackId' | 'email'>, at: string) => ({
  firstApprovedBy: slackId,
  firstApprovedEmail: email ?? null,
  firstApprovedAt: at,
});
