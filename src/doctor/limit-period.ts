import type { LimitPeriod } from '../base/settings/config.ts';
import { ok, warning, type Finding } from './finding.ts';

const NAME = 'LIMIT_PERIOD';

/** @param chosen the choice of an admin in the store, which counts more than the setting */
export function judgeLimitPeriod(setting: LimitPeriod | undefined, chosen: string | undefined): Finding {
  if (chosen !== undefined && setting !== undefined && chosen !== setting)
    return warning(
      NAME,
      `An admin chose ${chosen} in Slack, and that counts. The setting is ${setting}: change it too.`,
    );
  const period = chosen ?? setting;
  if (period !== undefined) return ok(NAME, `A credit limit counts over a ${period}.`);
  return warning(
    NAME,
    'isn’t set, so members can’t see when they run out. Set it to week, month, quarter or year, or let an admin choose in /quartermaster.',
  );
}
