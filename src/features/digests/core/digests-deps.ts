import type { Period } from '../../../core/base/time/calendar.ts';
import type { DigestSection } from '../../../core/feature.ts';
import type { Services } from '../../../core/services.ts';

export type DigestDeps = Pick<
  Services,
  'config' | 'db' | 'clock' | 'days' | 'plannedSums' | 'checks' | 'channels' | 'people' | 'log' | 'random'
> & {
  /** The sections that people can choose, of all features. */
  sections: readonly DigestSection[];
  /** Those that come in every digest if they have anything to say. */
  extraSections: readonly DigestSection[];
  /** Whether figures of the period changed after `since`. */
  hasChanged: (period: Period, since: Date) => Promise<boolean>;
};
