import type { Config } from '../../base/settings/config.ts';
import type { Services } from '../../services.ts';
import type { KnownEmails } from '../rights/known-emails.ts';
import type { LimitDatabase } from './limit-tables.ts';

export type LimitDeps = Pick<
  Services,
  'people' | 'files' | 'clock' | 'log' | 'random' | 'readDataGap' | 'checkpoint'
> & {
  config: Pick<Config, 'limitsChannel' | 'limitsExpireHours' | 'fourEyes' | 'limitPeriod' | 'minGroup' | 'timeZone'>;
  db: LimitDatabase;
  platform: Pick<Services['platform'], 'limits'>;
  days: Pick<Services['days'], 'peopleCredits' | 'beginningOfPeople'>;
  channels: Pick<Services['channels'], 'join'>;
  knownEmails: KnownEmails;
};
