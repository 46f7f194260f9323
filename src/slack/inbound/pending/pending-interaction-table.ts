import { isLikeAny, type PoliciesOf } from '../../../store/policies/table-policy.ts';
import type { Tables } from '../../../store/tables.ts';

/** Waits for its acknowledgement, or was acknowledged and is not finished. */
export interface PendingInteractionTable {
  /** The key that also recognizes duplicates. */
  key: string;
  kind: 'click' | 'form';
  /** JSON: the parts of Slack's payload that are needed to resume. */
  payload: string;
  receivedAt: string;
  leasedUntil: string;
  /** 0 until it is acknowledged: it may have been refused because this row was written too late. */
  attempts: number;
}

declare module '../../../store/tables.ts' {
  interface Tables {
    pendingInteractions: PendingInteractionTable;
  }
}

export const pendingInteractionPolicies: PoliciesOf<Pick<Tables, 'pendingInteractions'>> = {
  pendingInteractions: {
    what: 'clicks and forms under way',
    isPassing: true,
    deleted: ({ slackId }) =>
      isLikeAny(
        'payload',
        slackId.map((id) => `%"user":{"id":"${id}"%`),
      ),
    reasonToKeep: 'they are others’',
  },
};
