import { markup } from '../../../core/base/text/markup.ts';
import type { Button } from '../../../core/slack/blocks/blocks.ts';
import { secondApprovalSentence, type CardApprovers } from '../approvers/card-approvers.ts';
import { needsSecondApproval } from '../approvers/second-approval.ts';
import { approveButton } from '../core/limit-buttons.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { nameOf } from '../core/person-text.ts';
import { untilLine } from '../core/state-text.ts';
import type { VisibleRequest } from '../core/visible.ts';
import type { LimitPerson, LimitRequest } from '../core/limit-tables.ts';
import type { EvidenceReading } from './evidence.ts';

interface Facts {
  request: Pick<LimitRequest, 'state' | 'kind'>;
  people: readonly Pick<LimitPerson, 'toValue' | 'removes'>[];
  evidence: EvidenceReading | undefined;
  /** Other open requests for the same people. */
  open: readonly unknown[];
  /** A policy would have granted it. */
  policy?: { isPrepared: boolean } | undefined;
}

/** A larger multiple of a person’s use in 28 days needs a review. */
export const MAX_TIMES_USED = 3;

/** Whether one click may approve a request: for one person, in proportion to their use, and nothing unusual. Pure. */
export function canApproveAtOnce({ request, people, evidence, open, policy }: Facts): boolean {
  const [person, ...others] = people;
  if ((request.state !== 'pending' && request.state !== 'handed_on') || request.kind !== 'ask') return false;
  if (people.some(({ removes }) => removes === 1)) return false;
  if (policy?.isPrepared) return people.length === 1 && open.length === 0;
  if (!person || others.length > 0 || open.length > 0 || evidence?.kind !== 'read') return false;
  const { belowUse: peopleBelowUse, outliers, total } = evidence.evidence;
  return peopleBelowUse === 0 && outliers.length === 0 && person.toValue <= total.long * MAX_TIMES_USED;
}

export function approveButtons(
  facts: Facts & VisibleRequest & { approvers?: Pick<CardApprovers, 'secondAbove'> | undefined },
): Button[] {
  const [person] = facts.people;
  if (!person || !canApproveAtOnce(facts)) return [];
  const secondAbove = facts.approvers?.secondAbove;
  if (secondAbove !== undefined && needsSecondApproval(person.toValue, facts.approvers))
    return [approveButton(facts.request.id, markup`${secondApprovalSentence(secondAbove)}`)];
  const until = untilLine(facts);
  const what = markup`The limit of ${nameOf(person)} is set to *${formatAmount(person.toValue)}* now.`;
  return [approveButton(facts.request.id, until ? markup`${what} ${until}.` : what)];
}
