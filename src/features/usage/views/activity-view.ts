import { formatDay } from '../../../core/base/time/calendar.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import type { ActivityReport, ClientPeople } from '../reports/totals-report.ts';
import {
  type LabelledFigure,
  type LayeredParagraph,
  type View,
  type ViewNotes,
  byDay,
  inMore,
  layeredFigures,
  viewOf,
} from './paragraphs.ts';
import { headline, list, note } from '../../../core/slack/blocks/paragraphs.ts';

const CLIENT_NAMES: Readonly<Record<string, string>> = {
  'terminal-ui': 'Terminal',
  web: 'Web',
  'non-interactive-cli': 'Automated runs',
};

export function activityView(report: ActivityReport, notes: ViewNotes): View {
  return viewOf('Activity', { source: report.source, notes }, [
    headline(activeHeadline(report)),
    ...activeByDay(report.days),
    layeredFigures(
      [
        ['Sessions', report.sessions],
        ['Messages', report.messages],
        ...trailingFigures(report),
        ['Messages by people', report.userMessages],
        ...lastDayFigures(report),
      ],
      4,
    ),
    list('People a day, by client', report.clients.slice(0, 5).map(clientWords)),
    inMore(note(report.clients.length > 1 ? 'People who use several clients count in each.' : '')),
  ]);
}

function activeHeadline({ active, days }: ActivityReport): string {
  if (active.kind === 'unreadable') return 'The activity could not be read';
  if (active.kind === 'unpublished') return 'The activity is not published yet';
  const { averageDaily, peak, daily, day } = active.value;
  if (days.length < 2) return `${countOf(daily, 'person', 'people')} active on ${formatDay(day)}`;
  return `${countOf(averageDaily, 'person', 'people')} active on an average day, up to ${formatCompact(peak.daily)} (${formatDay(peak.day)})`;
}

function trailingFigures({ active }: ActivityReport): LabelledFigure[] {
  if (active.kind !== 'known') return [];
  const { weekly, monthly } = active.value;
  return [
    ...(weekly === undefined ? [] : [['People in 7 days', figure(weekly)] as const]),
    ...(monthly === undefined ? [] : [['People in 30 days', figure(monthly)] as const]),
  ];
}

function lastDayFigures({ active }: ActivityReport): LabelledFigure[] {
  if (active.kind !== 'known') return [];
  const { day, daily, stickiness } = active.value;
  return [
    [`People on ${formatDay(day)}`, figure(daily)],
    ...(stickiness === undefined ? [] : [['Stickiness (daily ÷ monthly active)', formatShare(stickiness, 1)] as const]),
  ];
}

const figure = (value: number) => ({ kind: 'known', value: { value } }) as const;

const clientWords = ({ client, averageDaily, peak }: ClientPeople) =>
  `${clientName(client)}: ${formatCompact(averageDaily)} on average, up to ${formatCompact(peak.daily)} (${formatDay(peak.day)})`;

function clientName(client: string): string {
  return Object.hasOwn(CLIENT_NAMES, client) ? (CLIENT_NAMES[client] ?? client) : clip(client, 60);
}

function activeByDay(days: ActivityReport['days']): LayeredParagraph[] {
  return byDay({
    title: 'Active people',
    kind: 'line',
    aggregation: 'peak',
    days,
    series: [{ title: 'Active people', cell: (row) => row.daily_active_users }],
    caption: 'Activity by day, UTC',
    columns: [
      { title: 'Active', cell: (row) => row.daily_active_users },
      { title: 'In 7 days', cell: (row) => row.weekly_active_users ?? undefined },
      { title: 'In 30 days', cell: (row) => row.monthly_active_users ?? undefined },
      { title: 'Sessions', cell: (row) => row.sessions },
      { title: 'Messages', cell: (row) => row.messages },
    ],
  });
}
