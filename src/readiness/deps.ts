import type { Logger } from '../log.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock } from '../clock.ts';
import type { Channels } from '../slack/outbound/channels.ts';
import type { Files } from '../slack/outbound/files.ts';
import type { People } from '../slack/people/people.ts';
import type { Database } from '../store/tables.ts';

/** What this feature is made of. */
export interface ReadinessDeps {
  platform: PlatformClient;
  clock: Clock;
  files: Files;
  log: Logger;
  db: Database;
  channels: Channels;
  people: Pick<People, 'admins'>;
  /** Something was put into the outbox. */
  wakeOutbox: () => void;
}
