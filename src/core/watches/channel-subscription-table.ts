import type { Selectable } from 'kysely';
import { bySlackId, type PoliciesOf } from '../store/table-policy.ts';
import type { Tables } from '../store/tables.ts';

/** A channel that gets events when they happen. All times are ISO 8601 in UTC with milliseconds. */
export interface ChannelSubscriptionTable {
  /** The feature that it belongs to: `controls`, `readiness`. */
  kind: string;
  channel: string;
  /** Distinguishes several of a kind in one channel, such as by the key of a repository; empty: it gets all. */
  subject: string;
  /** JSON whose shape only the feature knows: which events the channel gets. */
  filter: string;
  state: 'active' | 'paused' | 'removed';
  /** Slack id of the person who set it up; null: the settings. */
  owner: string | null;
  /** Slack id of the person who last started, paused, resumed or ended it; null: the settings, or Quartermaster. */
  changedBy: string | null;
  /** Consecutive messages that could not be posted. */
  failures: number;
  /** When the first of them failed; null: before this version. */
  failingSince: string | null;
  lastError: string | null;
  /** It gets events after this number of the feature; null: the feature has no such number, or none yet. */
  since: number | null;
  /** JSON whose shape only the feature knows: the latest posts; null: none yet. */
  recent: string | null;
  createdAt: string;
  updatedAt: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    channelSubscriptions: ChannelSubscriptionTable;
  }
}

export type ChannelSubscription = Selectable<ChannelSubscriptionTable>;

/** Quartermaster pauses one after failures, without a name. */
export const isPausedByPerson = ({ state, changedBy }: Pick<ChannelSubscription, 'state' | 'changedBy'>): boolean =>
  state === 'paused' && changedBy !== null;

/** Active, or paused by a person. One that Quartermaster paused has to be set up again. */
export const isInUse = (subscription: Pick<ChannelSubscription, 'state' | 'changedBy'>): boolean =>
  subscription.state === 'active' || isPausedByPerson(subscription);

export type ChannelSubscriptionKey = Pick<ChannelSubscription, 'kind' | 'channel' | 'subject'>;

export const watchPolicies: PoliciesOf<Pick<Tables, 'channelSubscriptions'>> = {
  channelSubscriptions: { what: 'watches', deleted: bySlackId('channel'), reasonToKeep: 'others get them' },
};
