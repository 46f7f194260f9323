import type { Knowledge } from '../feature.ts';
import type { Services } from '../services.ts';

export type AlertDeps = Pick<
  Services,
  'days' | 'checks' | 'people' | 'channels' | 'db' | 'clock' | 'log' | 'config' | 'random' | 'checkpoint'
> &
  Knowledge;
