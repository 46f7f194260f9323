import { formatDay, formatPeriod } from '../../base/calendar.ts';
import { clip } from '../../base/markup.ts';
import { countOf, formatNumber, formatShare } from '../../base/numbers.ts';
import type { ActivityReport, ClientPeople } from '../reports/activity-report.ts';
import { byDay } from './day-table.ts';
import { headline, list, note, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf, type LabelledFigure } from './paragraphs.ts';
import type { View, ViewNotes } from './view.ts';

const CLIENT_NAMES: Readonly<Record<string, string>> = {
  'terminal-ui': 'Terminal',
  web: 'Web',
  'non-interactive-cli': 'Automated runs',
};

/** `/usage activity` */
export function activityView(report: ActivityReport, notes: ViewNotes): View {
  return viewOf(
    `Activity, ${formatPeriod(report.scope.period)}`,
    [
      headline(activeHeadline(report)),
      figures([
        ...activeFigures(report),
        ['Sessions', report.sessions],
        ['Messages', report.messages],
        ['Messages by people', report.userMessages],
      ]),
      ...activeByDay(report.days),
      list('By client, people on a day', report.clients.slice(0, 10).map(clientWords)),
      note(report.clients.length > 1 ? 'Somebody who uses several clients counts on each.' : ''),
    ],
    notes,
    report.source,
  );
}

function activeHeadline({ active, days }: ActivityReport): string {
  if (active.kind === 'unreadable') return 'The activity could not be read';
  if (active.kind === 'unpublished') return 'The activity is not published yet';
  const { averageDaily, peak, daily, day } = active.value;
  if (days.length < 2) return `${countOf(daily, 'person', 'people')} active on ${formatDay(day)}`;
  return `${countOf(averageDaily, 'person', 'people')} active on an average day, at most ${formatNumber(peak.daily)} (${formatDay(peak.day)})`;
}

function activeFigures({ active }: ActivityReport): LabelledFigure[] {
  if (active.kind !== 'known') return [];
  const { day, daily, weekly, monthly, stickiness } = active.value;
  return [
    [`On ${formatDay(day)}`, figure(daily)],
    ...(weekly === undefined ? [] : [['In the 7 days to then', figure(weekly)] as const]),
    ...(monthly === undefined ? [] : [['In the 30 days to then', figure(monthly)] as const]),
    ...(stickiness === undefined
      ? []
      : [['Average day by the 30 days (stickiness)', formatShare(stickiness, 1)] as const]),
  ];
}

const figure = (value: number) => ({ kind: 'known', value: { value } }) as const;

const clientWords = ({ client, averageDaily, peak }: ClientPeople) =>
  `${clientName(client)}: ${formatNumber(averageDaily)} on average, at most ${formatNumber(peak.daily)} (${formatDay(peak.day)})`;

function clientName(client: string): string {
  return Object.hasOwn(CLIENT_NAMES, client) ? (CLIENT_NAMES[client] ?? client) : clip(client, 60);
}

function activeByDay(days: ActivityReport['days']): Paragraph[] {
  return byDay({
    title: 'Active people',
    kind: 'line',
    gathering: 'peak',
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
