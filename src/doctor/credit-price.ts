import { formatPrice, isSamePrice, type Price } from '../base/text/money.ts';
import { ok, warning, type Finding } from './finding.ts';

const NAME = 'CREDIT_PRICE';

/** None without the setting. @param stored the price of today, which counts more than the setting */
export function judgeCreditPrice(setting: Price | undefined, stored: Price | undefined): Finding[] {
  if (!setting) return [];
  if (!stored || isSamePrice(setting, stored)) return [ok(NAME, `A million credits cost ${formatPrice(setting)}.`)];
  const sentence = `A million credits cost ${formatPrice(stored)} in the store, and that counts. The setting is ${formatPrice(setting)}: change it too.`;
  return [warning(NAME, sentence)];
}
