import type { Config } from '../../../core/base/settings/config.ts';
import type { Services } from '../../../core/services.ts';

export type ControlsDeps = Pick<
  Services,
  | 'db'
  | 'days'
  | 'platform'
  | 'erased'
  | 'clock'
  | 'channels'
  | 'people'
  | 'files'
  | 'log'
  | 'random'
  | 'replica'
  | 'checkpoint'
> & {
  config: Pick<Config, 'controlsChannel' | 'controlsPollSeconds' | 'minGroup'>;
};
