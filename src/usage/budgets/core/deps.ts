import type { Services } from '../../../services.ts';
import type { UsageDeps } from '../../deps.ts';

/** What budgets are made of. */
export type BudgetDeps = Pick<UsageDeps, 'days' | 'people' | 'channels' | 'db' | 'clock' | 'log' | 'limits'> &
  Pick<Services, 'config' | 'random' | 'checkpoint'>;
