import type { BudgetDeps } from '../budgets/core/deps.ts';
import type { UsageDeps } from '../deps.ts';

export type WatchDeps = BudgetDeps & Pick<UsageDeps, 'timeline'>;
