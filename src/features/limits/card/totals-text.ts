import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { type Cost, aboutCost, countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { Evidence, EvidenceReading } from './evidence.ts';
import { peopleWords } from '../core/person-text.ts';
import type { RequestTotals } from '../core/requests.ts';

export function totalsLine({ total, longDays }: Evidence): Markup {
  return markup`*Requested: ${formatAmount(total.asked)} in total.* These people used ${formatCompact(total.long)} in the last ${longDays} days.`;
}

export interface RequestCosts {
  requested: Cost;
  used: Cost | undefined;
}

/** At the price of today; empty without a price. */
export function costLines({
  costs,
  evidence,
}: {
  costs?: RequestCosts | undefined;
  evidence?: EvidenceReading | undefined;
}): Markup[] {
  if (!costs) return [];
  const used =
    costs.used && evidence?.kind === 'read'
      ? markup` Used in the last ${countOf(evidence.evidence.longDays, 'day')}: ${aboutCost(costs.used)}.`
      : markup``;
  return [markup`Requested, in money: *${aboutCost(costs.requested)}*.${used}`];
}

/** The approved total beside the requested one. Empty before a decision, and for one person, whose row shows it. */
export function approvedLines(count: number, { requested, approved }: RequestTotals): Markup[] {
  if (count < 2 || approved === undefined) return [];
  if (approved === requested) return [markup`Approved: ${formatAmount(approved)} in total, as requested`];
  return [markup`Approved: ${formatAmount(approved)} in total, of ${formatAmount(requested)} requested`];
}

/** Lists people who would get less than they used, and amounts far above the others, most extreme first. */
export function outlierLines({ outliers, belowUse: peopleBelowUse, longDays }: Evidence, most: number): Markup[] {
  const below = outliers.filter(({ kind }) => kind === 'below_use');
  const far = outliers.filter(({ kind }) => kind === 'far_above');
  return [
    ...(peopleBelowUse > 0
      ? [
          markup`⚠️ *${peopleWords(peopleBelowUse)} would get less than they used in the last ${longDays} days*${peopleBelowUse > 1 ? ', lowest first' : ''}:`,
          ...listed(below, most, peopleBelowUse),
        ]
      : []),
    ...(far.length > 0 ? [markup`⚠️ Far above the others, highest first:`, ...listed(far, most, far.length)] : []),
  ];
}

function listed(outliers: Evidence['outliers'], most: number, count: number): Markup[] {
  const visibleOutliers = outliers.slice(0, most);
  const lines = visibleOutliers.map(({ email, amount, used }) => {
    const remark = amount === 0 ? '. A limit of 0 stops their work.' : '';
    return markup`•  ${email}: *${formatAmount(amount)}* (used ${formatCompact(used)})${remark}`;
  });
  return count > visibleOutliers.length
    ? [...lines, markup`•  and ${peopleWords(count - visibleOutliers.length)} more`]
    : lines;
}
