import { formatDay, lengthOf, type Day } from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import { forecastSentences } from '../../../core/figures/insight/forecast.ts';
import { movedLists, shortMoves, timelineText } from './moves-view.ts';
import { creditsHeadline, figureWords } from '../../../core/figures/measures/sentences.ts';
import { shareLines } from '../../../core/figures/measures/breakdown.ts';
import { creditsChart } from './credits-view.ts';
import type { Figure, Measurement } from '../../../core/figures/measures/figures.ts';
import { headline, list, note, NOTHING, sentence, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import { figures, inMore, viewOf, wholeOf, type LabelledFigure, type LayeredParagraph } from './paragraphs.ts';
import { isAsUsual, type SummaryReport } from '../reports/summary-report.ts';
import type { View, ViewNotes } from './view-parts.ts';

const MAX_NAMED = 5;
/** If there are more, only the latest are listed. */
const MAX_UNUSUAL = 3;

export function summaryView(report: SummaryReport, notes: ViewNotes): View {
  const people = report.people?.kind === 'known' ? report.people.value : [];
  const hasNames = people.length > 0 || report.moves.byPerson?.kind === 'known';
  return viewOf('Usage', { source: report.source, notes, hasNames }, [
    summaryHeadline(report),
    ...creditsChart(report.days),
    ...movedParagraphs(report),
    ...unusualParagraphs(report).map(inMore),
    ...forecastParagraphs(report),
    {
      whole: figures(summaryFigures(report)),
      short: figures(shortFigures(report)),
      more: figures(summaryFigures(report).filter(([label]) => !isInShort(label))),
    },
    inMore(list('Top models', shareLines(report.models, MAX_NAMED, 'other model'))),
    inMore(list('Top people', shareLines(people, MAX_NAMED, 'other person', 'other people'))),
  ]);
}

function summaryHeadline(report: SummaryReport): LayeredParagraph {
  const point = creditsHeadline(report.credits, report.scope, report.cost);
  const own = ownWords(report);
  const [goes = ''] = report.forecast?.kind === 'known' ? forecastSentences(report.forecast) : [];
  return {
    whole: headline(point, own),
    short: headline(point, [own, goes].filter((words) => words !== '').join('\n')),
    more: NOTHING,
  };
}

function ownWords({ own, credits }: SummaryReport): string {
  if (own?.kind !== 'known') return '';
  const amount = `You: ${formatCompact(own.value)} credits`;
  if (credits.kind !== 'known') return `${amount}.`;
  return `${amount}, ${formatShare(own.value, credits.value.value)} of all.`;
}

export function insightParagraphs(report: SummaryReport): Paragraph[] {
  return wholeOf([...movedParagraphs(report), ...unusualParagraphs(report), ...forecastParagraphs(report)]);
}

/** On days as usual, the largest changes are chance. */
function movedParagraphs(report: SummaryReport): Paragraph[] {
  return report.scope.comparedWith && !isAsUsual(report) ? movedLists(shortMoves(report.moves)) : [];
}

function unusualParagraphs({ moves, unusual, scope }: SummaryReport): Paragraph[] {
  const { unusual: unusualDays, unknown } = unusual ?? { unusual: [], unknown: [] };
  const latestDays = unusualDays.slice(-MAX_UNUSUAL);
  const hiddenCount = unusualDays.length - latestDays.length;
  const timeline = moves.timeline.slice(-MAX_UNUSUAL).map((one) => timelineText(one, scope.readers));
  return [
    list('Unusual days', [
      ...latestDays.map((day) => day.sentence),
      ...(hiddenCount > 0
        ? [`${formatCompact(hiddenCount)} earlier ${hiddenCount === 1 ? 'day' : 'days'} as well`]
        : []),
    ]),
    note(unknownWords(unknown)),
    list('What else happened', timeline),
  ];
}

/** The short form has the forecast in its headline; the details have its basis. */
function forecastParagraphs({ forecast }: SummaryReport): LayeredParagraph[] {
  const [goes = '', basis = ''] = forecast ? forecastSentences(forecast) : [];
  const isKnown = forecast?.kind === 'known';
  const paragraph = isKnown ? sentence(goes) : note(goes);
  return [{ whole: paragraph, short: NOTHING, more: isKnown ? NOTHING : paragraph }, inMore(note(basis))];
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

const shortFigures = (report: SummaryReport): LabelledFigure[] => [
  ['Active people', shortActiveWords(report)],
  ...summaryFigures(report).filter(([label]) => isInShort(label)),
];

/** “Active people” is not among them: the details describe it at greater length. */
const isInShort = (label: string) => ['Sessions', 'Messages', 'Commits'].includes(label);

const WEEK = 7;
const MONTH = 30;

/** Numbers of people are never added over days: the platform’s counts over 7 and 30 days replace the sum. */
function shortActiveWords({ active, scope: { period } }: SummaryReport): string {
  if (active.kind !== 'known') return figureWords(active);
  const { daily, weekly, monthly, averageDaily } = active.value;
  const length = lengthOf(period);
  if (length === 1) return formatCompact(daily);
  if (length >= MONTH && monthly !== undefined) return `${formatCompact(monthly)} in 30 days`;
  if (length >= WEEK && weekly !== undefined) return `${formatCompact(weekly)} in 7 days`;
  return `${formatCompact(averageDaily)} on an average day`;
}

function activeWords({ active, days }: SummaryReport): string {
  if (active.kind !== 'known') return figureWords(active);
  const { daily, weekly, monthly, day, peak } = active.value;
  const most = days.length > 1 ? `; up to ${formatCompact(peak.daily)} (${formatDay(peak.day)})` : '';
  const trailing =
    weekly === undefined || monthly === undefined
      ? ''
      : `; ${formatCompact(weekly)} in 7 days, ${formatCompact(monthly)} in 30`;
  return `${formatCompact(daily)} on ${formatDay(day)}${trailing}${most}`;
}

function filesWords(created: Measurement<Figure>, edited: Measurement<Figure>): string {
  if (created.kind !== 'known') return figureWords(created);
  return `${figureWords(created)} created, ${figureWords(edited)} edited`;
}
