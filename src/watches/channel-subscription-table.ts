import type { Selectable } from 'kysely';

/** A channel that gets what happens, when it happens. All times are ISO 8601 in UTC with milliseconds. */
export interface ChannelSubscriptionTable {
  /** Which feature it belongs to: `controls`, `readiness`. */
  kind: string;
  channel: string;
  /** Tells apart several of a kind in one channel, such as the key of a repository; empty: it gets all. */
  subject: string;
  /** JSON whose shape the feature knows: which part of it the channel gets. */
  filter: string;
  state: 'active' | 'paused' | 'removed';
  /** Slack id of who set it up; null: the settings. */
  owner: string | null;
  /** Messages in a row that could not be posted. */
  failures: number;
  last_error: string | null;
  /** It gets what comes after this number of the feature; null: the feature has no such number, or none yet. */
  since: number | null;
  /** JSON whose shape the feature knows: what was posted lately; null: nothing yet. */
  recent: string | null;
  created_at: string;
  updated_at: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    channel_subscriptions: ChannelSubscriptionTable;
  }
}

export type ChannelSubscription = Selectable<ChannelSubscriptionTable>;
export type ChannelSubscriptionKey = Pick<ChannelSubscription, 'kind' | 'channel' | 'subject'>;
