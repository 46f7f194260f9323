import type { Knowledge } from '../feature.ts';
import type { Services } from '../services.ts';

export type AlertDeps = Pick<
  Services,
  | 'days'
  | 'plannedSums'
  | 'checks'
  | 'people'
  | 'channels'
  | 'db'
  | 'clock'
  | 'log'
  | 'config'
  | 'random'
  | 'checkpoint'
> &
  Knowledge;
