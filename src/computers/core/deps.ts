import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import type { Computers } from '../../platform/endpoints/computers.ts';
import type { Clock } from '../../clock.ts';
import type { Channels } from '../../slack/outbound/channels.ts';
import type { Database } from '../../store/tables.ts';

/** The points of a creation at which a crash would tell on it, in their order. */
export type CreationStep = 'order_stored' | 'before_create' | 'after_create' | 'create_settled';

/** What this feature is made of. */
export interface ComputerDeps {
  config: Pick<Config, 'computersRole'>;
  computers: Computers;
  db: Database;
  clock: Clock;
  channels: Channels;
  log: Logger;
  /** Something was put into the outbox: it is looked at now rather than at its next poll. */
  wakeOutbox: () => void;
  /** Called at each step of a creation; the crash tests end the process there. */
  observe: (step: CreationStep) => void;
}
