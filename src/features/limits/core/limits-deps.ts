import type { Config } from '../../../core/base/settings/config.ts';
import type { Logger } from '../../../core/base/log.ts';
import type { OwnLimitLine } from '../../../core/feature.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { Services } from '../../../core/services.ts';
import type { ReadHoldingBudgets } from '../../alerts/budgets/evaluate/budgets-holding.ts';
import type { ReadMonthlyUse } from './monthly-use.ts';
import type { KnownEmails } from './known-emails.ts';
import type { LimitDatabase } from './limit-tables.ts';
import type { RequestPolicies } from './request-policies.ts';

export type LimitDeps = Pick<
  Services,
  'people' | 'files' | 'clock' | 'log' | 'random' | 'readDataGap' | 'checkpoint' | 'plannedSums'
> & {
  config: Pick<
    Config,
    | 'limitsChannel'
    | 'limitsExpireHours'
    | 'limitPolicies'
    | 'fourEyes'
    | 'limitPeriod'
    | 'limitMinimum'
    | 'minGroup'
    | 'timeZone'
  >;
  db: LimitDatabase;
  platform: Pick<Services['platform'], 'limits'>;
  days: Pick<Services['days'], 'dailyCredits' | 'credits' | 'peopleCredits' | 'beginningOfPeople'>;
  channels: Pick<Services['channels'], 'join'>;
  capabilities: Pick<Services['capabilities'], 'limits' | 'readLimits' | 'refreshLimits' | 'readRoster'>;
  knownEmails: KnownEmails;
  readMonthlyUse: ReadMonthlyUse;
  policies: RequestPolicies;
  readHoldingBudgets: ReadHoldingBudgets;
  readOwnLimitLine: (person: Person, log: Logger) => Promise<OwnLimitLine | undefined>;
};
