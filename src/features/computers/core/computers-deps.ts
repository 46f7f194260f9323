import type { Config } from '../../../core/base/settings/config.ts';
import type { Services } from '../../../core/services.ts';

export type ComputerDeps = Pick<Services, 'db' | 'clock' | 'channels' | 'log' | 'checkpoint'> & {
  config: Pick<Config, 'computersRole'>;
  platform: Pick<Services['platform'], 'computers'>;
  /** Returns the web addresses of known repositories whose name ends in these parts, such as `acme/web`. */
  findAddresses: (name: string) => Promise<readonly string[]>;
};
