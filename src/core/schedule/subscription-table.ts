import { sql, type Generated, type Selectable } from 'kysely';
import { isAmong, isLikeAny, type PoliciesOf } from '../store/table-policy.ts';
import type { Tables } from '../store/tables.ts';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export interface SubscriptionTable {
  id: string;
  kind: string;
  channel: string;
  /** JSON of a `Schedule`. */
  schedule: string;
  /** JSON whose shape only the feature knows. */
  settings: string;
  state: 'active' | 'paused' | 'removed';
  nextDueAt: string;
  createdAt: string;
  updatedAt: string;
  /** Slack id of the person who set it up; null: the settings. */
  owner: string | null;
  /** Slack id of the person who last paused, resumed or removed it; null: no person, or Quartermaster. */
  changedBy: string | null;
  /** The number of consecutive sends that failed for good. */
  failures: Generated<number>;
  /** When the first of them failed; null: before this version. */
  failingSince: string | null;
  /** Why Quartermaster paused it, in a sentence; null if a person did. */
  pausedReason: string | null;
}

declare module '../store/tables.ts' {
  interface Tables {
    subscriptions: SubscriptionTable;
  }
}

export type Subscription = Selectable<SubscriptionTable>;

export const subscriptionPolicies: PoliciesOf<Pick<Tables, 'subscriptions'>> = {
  subscriptions: {
    what: 'digests',
    // A digest about this person alone is left without a subject.
    deleted: ({ slackId }) =>
      sql<boolean>`(${isAmong('channel', slackId)} or ${isLikeAny(
        'settings',
        slackId.map((id) => `%"ids":["${id}"]%`),
      )})`,
    reasonToKeep: 'others get them',
  },
};
