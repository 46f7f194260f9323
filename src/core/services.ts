import type { GroupSum } from './base/privacy/disclosure.ts';
import type { DayChecks } from './analytics/check-days.ts';
import type { AnalyticsDays } from './analytics/days.ts';
import type { Checkpoint } from './base/checkpoint.ts';
import type { Clock } from './base/time/clock.ts';
import type { Config } from './base/settings/config.ts';
import type { Logger } from './base/log.ts';
import type { Network } from './http/network.ts';
import type { Capabilities } from './platform/capabilities/capabilities.ts';
import type { PlatformClient } from './platform/client.ts';
import type { Channels } from './slack/outbound/channels/channels.ts';
import type { Files } from './slack/outbound/files.ts';
import type { People } from './slack/people/people.ts';
import type { ErasedPeople } from './store/erased-people.ts';
import type { DataGap } from './store/data-gap.ts';
import type { Database } from './store/tables.ts';

export interface KeyEvidence {
  refusedSince: Date | undefined;
  acceptedAt: Date | undefined;
}

/**
 * Parts that exist once. A feature picks its own, so that a reader sees what it can reach, and a test passes only
 * these.
 *
 * @example type SessionDeps = Pick<Services, 'platform' | 'db' | 'files' | 'clock'>
 */
export interface Services {
  config: Config;
  db: Database;
  network: Pick<Network, 'agent'>;
  platform: PlatformClient;
  capabilities: Capabilities;
  days: AnalyticsDays;
  checks: DayChecks;
  people: People;
  erased: ErasedPeople;
  /** The sums of groups that channels get next in planned messages. */
  plannedSums: () => Promise<readonly GroupSum[]>;
  /** The scopes of the bot token; undefined if Slack does not say. */
  grantedScopes: () => Promise<readonly string[] | undefined>;
  channels: Channels;
  files: Files;
  clock: Clock;
  log: Logger;
  /** From 0 to below 1. */
  random: () => number;
  /** The name of this process among its replicas; unique to each start. */
  replica: string;
  readDataGap: () => Promise<DataGap | undefined>;
  checkpoint: Checkpoint;
}
