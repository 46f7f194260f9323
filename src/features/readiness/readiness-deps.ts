import type { Services } from '../../core/services.ts';

export type ReadinessDeps = Pick<Services, 'platform' | 'clock' | 'files' | 'log' | 'db' | 'channels'> & {
  people: Pick<Services['people'], 'admins'>;
};
