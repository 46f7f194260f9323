import type { DigestSection, SectionReading } from '../feature.ts';
import type { Logger } from '../log.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/analytics-range.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock } from '../schedule/clock.ts';
import { tellFault } from '../slack/faults.ts';
import { plusDays, type Day, type Period } from '../slack/periods.ts';
import { readOrganizationFacts } from './facts.ts';
import { buildSummary, type SummaryReport } from './report.ts';
import type { Known } from './views/figures.ts';
import { summaryBlocks, summaryText } from './summary-blocks.ts';

const atLeastFirst = (day: Day) => (day < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : day);

/**
 * The organization's figures of one day. It is compared with the same weekday a week before: Monday against Sunday says
 * nothing. The chart shows the week that ends with the day.
 */
export function summarySection(parts: { platform: PlatformClient; clock: Clock; log: Logger }): DigestSection {
  return {
    id: 'summary',
    title: 'Usage',
    description: 'Standard Credits, active people, sessions and what they led to',
    namesPeople: false,
    isDefault: true,
    read: async ({ period: { last: day }, comparedWith }) => {
      const week: Period = { first: atLeastFirst(plusDays(day, -6)), last: day };
      const facts = await readOrganizationFacts(
        parts.platform,
        { first: comparedWith?.first ?? week.first, last: day },
        () => parts.clock.now(),
      );
      const report = buildSummary(facts, { first: day, last: day }, comparedWith, undefined);
      const chartDays = buildSummary(facts, week, undefined, undefined).days;
      return reading(report, chartDays, parts.log);
    },
  };
}

function reading(report: SummaryReport, chartDays: SummaryReport['days'], log: Logger): SectionReading {
  const fault = report.faults[0];
  if (fault)
    return { kind: 'unreadable', ...tellFault(fault.fault, log, { part: fault.part, digest: report.period.last }) };
  const view = { report, chartDays, notes: [], faults: [] };
  const parts: Known<unknown>[] = [report.credits, report.active, report.commits];
  const isPublished = parts.every((part) => part.kind === 'known');
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    blocks: summaryBlocks(view),
    text: summaryText(view),
    figures: figuresOf(report),
    isQuiet: false,
  };
}

function figuresOf({ credits, commits }: SummaryReport): Record<string, number> {
  return {
    ...(credits.kind === 'known' ? { 'Standard Credits': credits.value.value } : {}),
    ...(commits.kind === 'known' ? { Commits: commits.value.value } : {}),
  };
}
