import type { Knowledge } from '../feature.ts';
import type { ReadOwn } from './own/own-report.ts';
import type { Services } from '../services.ts';

export type UsageDeps = UsageServices & {
  readOwn: ReadOwn;
};

export type UsageServices = Pick<
  Services,
  'days' | 'people' | 'files' | 'channels' | 'db' | 'clock' | 'log' | 'config' | 'random' | 'checkpoint'
> &
  Knowledge;
