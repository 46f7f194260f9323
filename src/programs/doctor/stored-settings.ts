import { type Price, formatPrice, isSamePrice } from '../../core/base/text/numbers.ts';
import { ok, warning, type Finding } from './finding.ts';
import { periodName, type LimitPeriod } from '../../core/base/time/limit-period-days.ts';

/** None without the setting. @param stored the price of today, which counts more than the setting */
export function judgeCreditPrice(setting: Price | undefined, stored: Price | undefined): Finding[] {
  if (!setting) return [];
  if (!stored || isSamePrice(setting, stored))
    return [ok('CREDIT_PRICE', `A million credits cost ${formatPrice(setting)}.`)];
  const sentence = `A million credits cost ${formatPrice(stored)} in the store, and that counts. The setting is ${formatPrice(setting)}: change it too.`;
  return [warning('CREDIT_PRICE', sentence)];
}

/** @param chosen the choice of an admin in the store, which counts more than the setting */
export function judgeLimitPeriod(setting: LimitPeriod | undefined, chosen: LimitPeriod | undefined): Finding {
  if (chosen !== undefined && setting !== undefined && chosen !== setting)
    return warning(
      'LIMIT_PERIOD',
      `An admin chose ${chosen} in Slack, and that counts. The setting is ${setting}: change it too.`,
    );
  const period = chosen ?? setting;
  if (period !== undefined) return ok('LIMIT_PERIOD', `A credit limit counts over a ${periodName(period)}.`);
  return warning(
    'LIMIT_PERIOD',
    'isn’t set, so members can’t see when they run out. Set it to week, month, quarter, year, or a month from another day such as “month from 15”, or let an admin choose in /quartermaster.',
  );
}
