import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Clock } from '../../clock.ts';
import type { Channels } from '../../slack/outbound/channels.ts';
import type { Files } from '../../slack/outbound/files.ts';
import type { People } from '../../slack/people/people.ts';
import type { Database } from '../../store/tables.ts';

/** The points of a reading of the history at which a crash would tell on it, in their order. */
export type PollStep = 'before_poll' | 'after_page' | 'before_move' | 'in_move' | 'after_move';

export interface ControlsDeps {
  config: Pick<Config, 'controlsChannel' | 'controlsPollSeconds'>;
  db: Database;
  platform: PlatformClient;
  clock: Clock;
  channels: Channels;
  people: People;
  files: Files;
  log: Logger;
  /** From 0 to below 1. */
  random: () => number;
  /** The name of this process among its replicas. */
  replica: string;
  /** Something was put into the outbox: it is looked at now rather than at its next poll. */
  wakeOutbox: () => void;
  /** Called at each step; the crash tests end the process there. */
  observe: (step: PollStep) => void;
}
