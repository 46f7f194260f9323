import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import type { ReviewedPeople } from '../core/reviewed-people.ts';

export type Decision =
  /** `isSecond`: the admin saw the first approval. */
  | ({ kind: 'approve'; comment: string; isConfirmed: boolean; isSecond?: boolean } & ReviewedPeople)
  | { kind: 'deny'; comment: string }
  | { kind: 'withdraw' }
  | { kind: 'retry' }
  | { kind: 'send' }
  | { kind: 'leave' }
  | { kind: 'undo' };

const AUDIT_ACTIONS = {
  approve: 'approved',
  deny: 'denied',
  withdraw: 'withdrawn',
  retry: 'retried',
  send: 'sent after all',
  leave: 'left',
  undo: 'undo',
} as const;

type DecidedRequest = Pick<LimitRequest, 'decidedAlone' | 'firstApprovedBy' | 'state'>;

export const auditActionOf = ({ kind }: Decision, { state }: DecidedRequest): string =>
  state === 'second_approval' ? 'first approval' : AUDIT_ACTIONS[kind];

const MAX_DETAIL_LENGTH = 2_000;

const ALONE = 'Decided alone: there is no other admin, and FOUR_EYES is when-possible';

export function detailOf(decision: Decision, request: DecidedRequest): string | null {
  if (decision.kind !== 'approve' && decision.kind !== 'deny') return null;
  const { comment } = decision;
  const isSecond = decision.kind === 'approve' && request.state === 'approved' && request.firstApprovedBy !== null;
  const changes =
    decision.kind === 'deny'
      ? []
      : [
          ...[...decision.lowered].map(([email, value]) => `${email} lowered to ${formatAmount(value)}`),
          ...[...decision.leftOut].map((email) => `${email} left out`),
          ...[...decision.returns].map(([email, value]) => `${email} goes back to ${formatAmount(value)}`),
          ...(decision.highestReturn === undefined
            ? []
            : [`limits go back to at most ${formatAmount(decision.highestReturn)}`]),
        ];
  return (
    [...(request.decidedAlone ? [ALONE] : []), ...(isSecond ? ['Second approval'] : []), comment, ...changes]
      .filter((line) => line !== '')
      .join('; ')
      .slice(0, MAX_DETAIL_LENGTH) || null
  );
}
