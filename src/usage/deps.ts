import type { Period } from '../base/time/calendar.ts';
import type { LimitKnowledge, TimelineEvent } from '../feature.ts';
import type { ReadOwn } from './own/own-report.ts';
import type { Services } from '../services.ts';

export type UsageDeps = UsageServices & {
  readOwn: ReadOwn;
};

export type UsageServices = Pick<
  Services,
  'days' | 'people' | 'files' | 'channels' | 'db' | 'clock' | 'log' | 'config' | 'random' | 'checkpoint'
> & {
  /** What the features know to have happened in a period; asked when figures are to be explained. */
  timeline: (period: Period) => Promise<TimelineEvent[]>;
  /** What is known of credit limits; nothing where no feature knows of them. */
  limits: () => LimitKnowledge | undefined;
};
