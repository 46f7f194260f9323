import { formatDay, formatPeriod, type Day } from '../../base/calendar.ts';
import { countOf, formatNumber, formatShare } from '../../base/numbers.ts';
import { forecastSentences } from '../insight/forecast.ts';
import { timelineText, shortMoves } from '../insight/moves-view.ts';
import { creditsHeadline, figureWords } from '../sentences.ts';
import { shareLines } from '../measures/breakdown.ts';
import { creditsByDay } from './credits-view.ts';
import type { Figure, Known } from '../measures/figures.ts';
import { headline, list, note, sentence, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf, type LabelledFigure } from './paragraphs.ts';
import type { SummaryReport } from '../reports/summary-report.ts';
import type { View, ViewNotes } from './view.ts';

/** How many models and people are named. */
const MAX_NAMED = 5;
/** More unusual days than this are the usual. */
const MAX_UNUSUAL = 3;

/** `/usage` and `/usage summary` */
export function summaryView(report: SummaryReport, notes: ViewNotes): View {
  const people = report.people?.kind === 'known' ? report.people.value : [];
  return viewOf(
    `Usage, ${formatPeriod(report.scope.period)}`,
    [
      headline(creditsHeadline(report.credits, report.scope), ownWords(report)),
      ...insightParagraphs(report),
      figures(summaryFigures(report)),
      ...creditsByDay(report.days),
      list('Top models', shareLines(report.models, MAX_NAMED, 'other model')),
      list('Top people', shareLines(people, MAX_NAMED, 'other person', 'other people')),
    ],
    notes,
    report.source,
    people.length > 0 || report.moves.byPerson?.kind === 'known',
  );
}

function ownWords({ own, credits }: SummaryReport): string {
  if (own?.kind !== 'known') return '';
  const amount = `You: ${formatNumber(own.value)} Standard Credits`;
  if (credits.kind !== 'known') return `${amount}.`;
  return `${amount}, ${formatShare(own.value, credits.value.value)} of all.`;
}

/** What a manager would ask next: what moved, what was unusual, where it goes. */
export function insightParagraphs({ moves, unusual, forecast, scope }: SummaryReport): Paragraph[] {
  const { unusual: found, unknown } = unusual ?? { unusual: [], unknown: [] };
  const shown = found.slice(-MAX_UNUSUAL);
  const left = found.length - shown.length;
  const timeline = moves.timeline.slice(-MAX_UNUSUAL).map((one) => timelineText(one, scope.readers));
  const [goes = '', basis = ''] = forecast ? forecastSentences(forecast) : [];
  return [
    list('What moved', scope.comparedWith ? shortMoves(moves) : []),
    list('Unusual days', [
      ...shown.map((day) => day.sentence),
      ...(left > 0 ? [`${formatNumber(left)} earlier ${left === 1 ? 'day' : 'days'} as well`] : []),
    ]),
    note(unknownWords(unknown)),
    list('What else happened', timeline),
    forecast?.kind === 'known' ? sentence(goes) : note(goes),
    note(basis),
  ];
}

function unknownWords(unknown: readonly Day[]): string {
  const [first = ''] = unknown;
  const more = unknown.length > 1 ? ` and ${countOf(unknown.length - 1, 'more day')}` : '';
  return first === ''
    ? ''
    : `Too few days before ${formatDay(first)}${more} to say whether ${more === '' ? 'it was' : 'they were'} unusual.`;
}

export function summaryFigures(report: SummaryReport): LabelledFigure[] {
  return [
    ['Active people', activeWords(report)],
    ['Sessions', report.sessions],
    ['Messages', report.messages],
    ['Commits', report.commits],
    ['Pull requests', report.pullRequests],
    ['Files', filesWords(report.filesCreated, report.filesEdited)],
  ];
}

function activeWords({ active, days }: SummaryReport): string {
  if (active.kind !== 'known') return figureWords(active);
  const { daily, weekly, monthly, day, peak } = active.value;
  const most = days.length > 1 ? `; at most ${formatNumber(peak.daily)} (${formatDay(peak.day)})` : '';
  const trailing =
    weekly === undefined || monthly === undefined
      ? ''
      : `; ${formatNumber(weekly)} in 7 days, ${formatNumber(monthly)} in 30`;
  return `${formatNumber(daily)} on ${formatDay(day)}${trailing}${most}`;
}

function filesWords(created: Known<Figure>, edited: Known<Figure>): string {
  if (created.kind !== 'known') return figureWords(created);
  return `${figureWords(created)} created, ${figureWords(edited)} edited`;
}
