import type { Knowledge } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import type { OwnLineDeps } from '../own/own-limit.ts';

export type UsageDeps = Pick<
  Services,
  | 'days'
  | 'plannedSums'
  | 'checks'
  | 'people'
  | 'capabilities'
  | 'files'
  | 'channels'
  | 'db'
  | 'clock'
  | 'log'
  | 'config'
  | 'random'
  | 'checkpoint'
> &
  Knowledge &
  Pick<OwnLineDeps, 'readOwn' | 'readWarnButton'>;
