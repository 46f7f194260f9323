import type { Config } from '../../config.ts';
import type { DigestSection } from '../../feature.ts';
import type { Logger } from '../../log.ts';
import type { Clock } from '../../clock.ts';
import type { Channels } from '../../slack/outbound/channels.ts';
import type { People } from '../../slack/people/people.ts';
import type { Period } from '../../calendar.ts';
import type { Database } from '../../store/tables.ts';

export interface DigestDeps {
  config: Config;
  db: Database;
  clock: Clock;
  channels: Channels;
  people: People;
  log: Logger;
  /** From 0 to below 1. */
  random: () => number;
  /** What the features have to say; asked when a digest is made. */
  sections: () => readonly DigestSection[];
  /** Whether figures of a period are others than they were at `since`. */
  hasChanged: (period: Period, since: Date) => Promise<boolean>;
  /** Something was put into the outbox: it is looked at now rather than at its next poll. */
  wakeOutbox: () => void;
}
