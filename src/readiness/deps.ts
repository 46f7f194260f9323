import type { Services } from '../services.ts';

/** What this feature is made of. */
export type ReadinessDeps = Pick<Services, 'platform' | 'clock' | 'files' | 'log' | 'db' | 'channels'> & {
  people: Pick<Services['people'], 'admins'>;
};
