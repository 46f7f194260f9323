import type { Selectable } from 'kysely';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export interface SubscriptionTable {
  id: string;
  /** Which feature it belongs to: `digest`, … */
  kind: string;
  channel: string;
  /** JSON of a `Schedule`. */
  schedule: string;
  /** JSON whose shape the feature knows. */
  settings: string;
  state: 'active' | 'paused' | 'removed';
  next_due_at: string;
  created_at: string;
  updated_at: string;
}

export interface SubscriptionTables {
  subscriptions: SubscriptionTable;
}

export type Subscription = Selectable<SubscriptionTable>;
