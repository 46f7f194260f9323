import type { WebClient } from '@slack/web-api';
import type { Services } from '../services.ts';
import type { ErasureDeps } from './carry-out.ts';

export type ErasureServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'random' | 'erased'> & {
  lookups: WebClient;
  posting: WebClient;
  botUserId: string;
  eraseElsewhere: ErasureDeps['eraseElsewhere'];
};
