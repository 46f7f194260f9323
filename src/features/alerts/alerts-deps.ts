import type { Knowledge } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';

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
