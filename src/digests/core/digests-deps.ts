import type { Period } from '../../base/time/calendar.ts';
import type { DigestSection } from '../../feature.ts';
import type { Services } from '../../services.ts';

export type DigestDeps = Pick<
  Services,
  'config' | 'db' | 'clock' | 'days' | 'checks' | 'channels' | 'people' | 'log' | 'random'
> & {
  /** The sections of all features; called whenever a digest is made. */
  sections: () => readonly DigestSection[];
  hasChanged: (period: Period, since: Date) => Promise<boolean>;
};
