import type { AnalyticsDays } from '../analytics/days.ts';
import type { TimelineEvent } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Clock } from '../clock.ts';
import type { Channels } from '../slack/outbound/channels.ts';
import type { Files } from '../slack/outbound/files.ts';
import type { People } from '../slack/people/people.ts';
import type { Period } from '../calendar.ts';
import type { Database } from '../store/tables.ts';

/** What this feature is made of. */
export interface UsageDeps {
  days: AnalyticsDays;
  people: People;
  files: Files;
  channels: Channels;
  db: Database;
  clock: Clock;
  log: Logger;
  /** What the features know to have happened in a period; asked when figures are to be explained. */
  timeline: (period: Period) => Promise<TimelineEvent[]>;
}
