import type { Config } from '../../../../core/base/settings/config.ts';
import type { LimitKnowledge } from '../../../../core/feature.ts';
import type { Services } from '../../../../core/services.ts';
import type { HookDatabase } from './session-tables.ts';

export type HookDeps = Pick<Services, 'clock' | 'log' | 'network'> & {
  db: HookDatabase;
  platform: Pick<Services['platform'], 'sessions'>;
  config: Pick<Config, 'hooks' | 'hooksShowText' | 'retentionDays'>;
};

/** The cards also say what became of the requests that were made from them. */
export type HookCardDeps = HookDeps & { limits: Pick<LimitKnowledge, 'blockedButton' | 'blockedRequestOf'> };
