import type { AnalyticsDays } from '../../analytics/days.ts';
import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Clock } from '../../clock.ts';
import type { Files } from '../../slack/outbound/files.ts';
import type { People } from '../../slack/people/people.ts';
import type { Silence } from '../../store/silence.ts';
import type { LimitDatabase } from './tables.ts';

/** The points between a click and its card at which a crash would tell on them, in their order. */
export type LimitStep =
  | 'before_decision'
  | 'after_decision'
  | 'after_claim'
  | 'before_put'
  | 'after_put'
  | 'after_record'
  | 'before_finish'
  | 'finished';

/** What this feature is made of. */
export interface LimitDeps {
  config: Pick<Config, 'limitsChannel' | 'limitsExpireHours' | 'timeZone'>;
  db: LimitDatabase;
  platform: Pick<PlatformClient, 'limits'>;
  days: Pick<AnalyticsDays, 'peopleCredits'>;
  people: People;
  files: Files;
  clock: Clock;
  log: Logger;
  /** From 0 to below 1. */
  random: () => number;
  /** Makes sure that the bot is in a channel. */
  enterChannel: (
    reference: string,
  ) => Promise<{ kind: 'entered'; channel: string } | { kind: 'refused'; sentence: string }>;
  /** The last time of which the store may lack what was written, as it is noticed by now. */
  readSilence: () => Promise<Silence | undefined>;
  /** Something was put into the outbox: it is looked at now rather than at its next poll. */
  wakeOutbox: () => void;
  /** Called at each step of a decision and of what follows; the crash tests end the process there. */
  observe?: ((step: LimitStep) => void) | undefined;
}
