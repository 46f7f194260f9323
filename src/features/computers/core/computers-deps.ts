import type { Config } from '../../../core/base/settings/config.ts';
import type { Services } from '../../../core/services.ts';

export type ComputerDeps = Pick<Services, 'db' | 'clock' | 'channels' | 'log' | 'checkpoint'> & {
  config: Pick<Config, 'computersRole'>;
  platform: Pick<Services['platform'], 'computers'>;
};
