import type { Services } from '../services.ts';

export type ReadinessDeps = Pick<Services, 'platform' | 'clock' | 'files' | 'log' | 'db' | 'channels'> & {
  people: Pick<Services['people'], 'admins'>;
};
