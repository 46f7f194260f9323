import type { AnalyticsDays } from '../../../../core/analytics/days.ts';
import type { Services } from '../../../../core/services.ts';
import type { AlertDeps } from '../../alerts-deps.ts';

export interface EvaluationDeps extends Pick<Services, 'db' | 'clock' | 'log' | 'plannedSums' | 'checkpoint'> {
  days: Pick<AnalyticsDays, 'dailyCredits' | 'credits' | 'peopleCredits' | 'changedAfter'>;
  people: Pick<Services['people'], 'teams' | 'describe' | 'names' | 'identify'>;
  config: Pick<Services['config'], 'peopleRole' | 'minGroup' | 'retentionDays'>;
}

export type BudgetDeps = Omit<AlertDeps, 'timeline'>;
