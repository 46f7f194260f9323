import type { LimitPeriod } from '../../core/base/settings/config.ts';
import type { ExistingLimit, KnownLimit } from '../../core/figures/known-limit.ts';
import { outlookOf, type Outlook, type OwnUse } from './own-outlook.ts';

export interface LimitFacts {
  limit: KnownLimit;
  /** The period over which the limit counts; undefined if it was not set. */
  unit: LimitPeriod | undefined;
  /** Undefined if the period is unknown, or if figures of people are not kept for all of it. */
  use: OwnUse | undefined;
}

/** The answer to “Will I run out?”. */
export type LimitCourse =
  | { kind: 'no_limit' }
  | { kind: 'no_period'; limit: ExistingLimit }
  | { kind: 'not_counted'; limit: ExistingLimit; unit: LimitPeriod }
  | {
      kind: 'counted';
      limit: ExistingLimit;
      unit: LimitPeriod;
      used: number;
      outlook: Outlook;
      /** Without one the outlook is only the pace of the weeks before. */
      hasPublishedDay: boolean;
    };

export function decideLimitCourse({ limit, unit, use }: LimitFacts): LimitCourse {
  if (limit.kind === 'none') return { kind: 'no_limit' };
  if (!unit) return { kind: 'no_period', limit };
  if (!use) return { kind: 'not_counted', limit, unit };
  const hasPublishedDay = use.through >= use.period.first;
  return { kind: 'counted', limit, unit, used: use.used, outlook: outlookOf(use, limit.value), hasPublishedDay };
}
