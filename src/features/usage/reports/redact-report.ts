import type { GroupDetail } from '../../../core/figures/groups/group.ts';
import type { GroupReport } from './group-report.ts';

export function redactReport(report: GroupReport, { isByDay, isCompared }: GroupDetail): GroupReport {
  const { credits, scope } = report;
  const hidden = { kind: 'unpublished' } as const;
  return {
    ...report,
    credits:
      credits.kind === 'known' && !isCompared ? { kind: 'known', value: { value: credits.value.value } } : credits,
    scope: isCompared ? scope : { ...scope, comparedWith: undefined },
    days: isByDay ? report.days : [],
    people: hidden,
    byPerson: undefined,
    activeDays: hidden,
    withoutFigures: { inactive: [], neverUsed: undefined },
  };
}
