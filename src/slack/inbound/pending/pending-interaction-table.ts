import { isLikeAny, type PoliciesOf } from '../../../store/table-policy.ts';
import type { Tables } from '../../../store/tables.ts';

/** Waits for its acknowledgement, or was acknowledged and is not finished. */
export interface PendingInteractionTable {
  /** The key that also recognizes duplicates. */
  key: string;
  kind: 'click' | 'form';
  /** JSON: the parts of Slack's payload that are needed to resume. */
  payload: string;
  received_at: string;
  leased_until: string;
  /** 0 until it is acknowledged: it may have been refused because this row was written too late. */
  attempts: number;
}

declare module '../../../store/tables.ts' {
  interface Tables {
    pending_interactions: PendingInteractionTable;
  }
}

export const pendingInteractionPolicies: PoliciesOf<Pick<Tables, 'pending_interactions'>> = {
  pending_interactions: {
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
