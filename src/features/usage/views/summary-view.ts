import type { TimelineEvent } from '../../../core/feature.ts';
import { type Audience, sentenceFor } from '../../../core/slack/people/audience.ts';
import { type Day, formatDay, lengthOf } from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact, formatShare, isShownChange } from '../../../core/base/text/numbers.ts';
import { creditsHeadline, figureWords } from '../../../core/figures/measures/sentences.ts';
import { shareLines, shortName } from '../../../core/figures/measures/breakdown.ts';
import { firstInOrder, sumOf } from '../../../core/base/statistics.ts';
import { NOTHING, type Paragraph, headline, list, note, sentence } from '../../../core/slack/blocks/paragraphs.ts';
import {
  type LabelledFigure,
  type LayeredParagraph,
  type View,
  type ViewNotes,
  figures,
  inMore,
  viewOf,
  wholeOf,
} from './paragraphs.ts';
import {
  type KnownMoves,
  type Move,
  type Moves,
  type MovesReport,
  type SummaryReport,
  changeOf,
  explainedShare,
  isAsUsual,
  largestChangeFirst,
} from '../reports/summary-report.ts';
import { forecastSentences } from '../../../core/figures/insight/forecast.ts';
import { creditsChart } from './paragraphs.ts';
import type { Figure, Measurement } from '../../../core/figures/measures/figures.ts';

const MAX_IN_SHORT = 3;

export function movesView(report: MovesReport, notes: ViewNotes, readers: Pick<Audience, 'naming'>): View {
  const { scope, credits, byModel, byPerson, byTeam, byTool, timeline } = report;
  const hasNames = byPerson?.kind === 'known' && byPerson.value.moves.length > 0;
  return viewOf('What moved', { source: report.source, notes, hasNames }, [
    headline(creditsHeadline(credits, scope)),
    ...movesParagraphs('By model', byModel, 'other model'),
    ...movesParagraphs('By team', byTeam, 'other team'),
    inMore(note(byTeam?.kind === 'known' ? 'People can be in several teams, so the changes don’t add up.' : '')),
    ...movesParagraphs('By person', byPerson, 'other person', 'other people'),
    ...movesParagraphs('By tool, in calls', byTool, 'other tool').map(inMore),
    timelineList(timeline.map((one) => timelineText(one, readers))),
  ]);
}

function timelineList(lines: readonly string[]): LayeredParagraph {
  const title = 'What else happened';
  const whole = list(title, lines);
  return { whole, short: list(title, lines.slice(-MAX_IN_SHORT)), more: lines.length > MAX_IN_SHORT ? whole : NOTHING };
}

/** @example timelineText({ day: '2026-03-03', sentence: 'Limits changed.' }, CHANNEL) // 'Tue 3 Mar: Limits changed' */
export function timelineText(timelineEvent: TimelineEvent, readers: Pick<Audience, 'naming'>): string {
  return `${formatDay(timelineEvent.day)}: ${sentenceFor(timelineEvent, readers).replace(/\.$/, '')}`;
}

function movesParagraphs(
  title: string,
  knownMoves: KnownMoves | undefined,
  noun: string,
  plural?: string,
): Paragraph[] {
  if (!knownMoves || knownMoves.kind === 'unreadable') return [];
  if (knownMoves.kind !== 'known') return [sentence(`${title}: ${gapWords(knownMoves.kind)}.`)];
  const moved = knownMoves.value.moves.filter((move) => isShownChange(changeOf(move)));
  if (moved.length === 0) return [sentence(`${title}: no change.`)];
  return [list(title, moveLines(knownMoves.value, moved, noun, plural))];
}

const gapWords = (kind: 'unpublished' | 'not_comparable') =>
  kind === 'unpublished' ? 'not published yet' : 'can’t be compared, because days are missing in one of the periods';

function moveLines(moves: Moves, moved: readonly Move[], noun: string, plural = `${noun}s`): string[] {
  // A single remaining item is as short by name as by number.
  const count = moved.length === MAX_NAMED + 1 ? moved.length : MAX_NAMED;
  const namedMoves = firstInOrder(moved, count, largestChangeFirst);
  const lines = namedMoves
    .toSorted((a, b) => Number(goesWithTotal(moves, b)) - Number(goesWithTotal(moves, a)))
    .map((move) => moveWords(moves, move));
  const rest = moved.filter((move) => !namedMoves.includes(move));
  if (rest.length === 0) return lines;
  const change = sumOf(rest, changeOf);
  return [...lines, `${countOf(rest.length, noun, plural)}: ${signed(change)} together`];
}

/** Whether a move has the direction of the total. Such moves come first, because users look for the cause. */
const goesWithTotal = ({ total }: Moves, move: Move) => changeOf(total) * changeOf(move) > 0;

/** @example signed(-1_470_000) // '−1.47 M' */
const signed = (change: number) =>
  isShownChange(change) ? `${change > 0 ? '+' : '−'}${formatCompact(Math.abs(change))}` : 'no change';

/** @example 'atlas-large: 520 K (+120 K, 60% of the increase)' */
function moveWords(moves: Moves, move: Move): string {
  const share = explainedShare(moves, move);
  const ofWhat = changeOf(moves.total) > 0 ? 'increase' : 'decrease';
  const explained = share === undefined ? '' : `, ${formatShare(share, 1)} of the ${ofWhat}`;
  return `${shortName(move.name)}: ${formatCompact(move.value)} (${changeOrBefore(move)}${explained})`;
}

/** To or from zero, the change is the amount itself and says nothing new. */
function changeOrBefore(move: Move): string {
  const { value, before, wasUsedEarlier: isSeenBefore } = move;
  if (value === 0) return `was ${formatCompact(before)}`;
  if (before > 0) return signed(changeOf(move));
  return isSeenBefore === undefined ? 'was 0' : isSeenBefore ? 'active again' : 'new';
}

/** A move below this share of all earlier credits is left out of a summary. */
const LEAST_SHORT = 0.01;

/** @example shortMoves(report).models // ['atlas-large: 520 K (+120 K, 60% of the increase)', …] */
export function shortMoves(
  { byModel, byPerson }: Pick<MovesReport, 'byModel' | 'byPerson'>,
  maxLines = MAX_IN_SHORT,
): { models: string[]; people: string[] } {
  return { models: shortLines(byModel, maxLines), people: shortLines(byPerson, maxLines) };
}

export function shortLines(known: KnownMoves | undefined, maxLines: number): string[] {
  if (known?.kind !== 'known') return [];
  const moves = known.value;
  const shown = moves.moves.filter(
    (move) => sizeOf(move) >= moves.total.before * LEAST_SHORT && isShownChange(changeOf(move)),
  );
  return firstInOrder(shown, maxLines, largestChangeFirst)
    .toSorted((a, b) => Number(goesWithTotal(moves, b)) - Number(goesWithTotal(moves, a)))
    .map((move) => moveWords(moves, move));
}

/** The largest moves as two lists, so that shares of models and of people are not added up. */
export function movedLists(moves: { models: readonly string[]; people: readonly string[] }): Paragraph[] {
  return [list('Largest changes by model', moves.models), list('Largest changes by person', moves.people)];
}

const sizeOf = (move: Move) => Math.abs(changeOf(move));

const MAX_NAMED = 5;
/** If there are more, only the latest are listed. */
const MAX_UNUSUAL = 3;

export function summaryView(report: SummaryReport, notes: ViewNotes): View {
  const people = report.people?.kind === 'known' ? report.people.value : [];
  const hasNames = people.length > 0 || report.moves.byPerson?.kind === 'known';
  return viewOf('Usage', { source: report.source, notes, hasNames }, [
    summaryHeadline(report),
    ...creditsChart(report.days),
    ...layeredMoves(report),
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
function movedParagraphs(report: SummaryReport, maxLines = MAX_IN_SHORT): Paragraph[] {
  return report.scope.comparedWith && !isAsUsual(report) ? movedLists(shortMoves(report.moves, maxLines)) : [];
}

/** These lines take most of the screen of a phone, so the details have a list that was cut. */
function layeredMoves(report: SummaryReport): LayeredParagraph[] {
  const short = movedParagraphs(report, MAX_MOVES_IN_SUMMARY);
  return movedParagraphs(report).map((whole, index) => {
    const cut = short[index] ?? NOTHING;
    return { whole, short: cut, more: cut.lines.join('') === whole.lines.join('') ? NOTHING : whole };
  });
}

const MAX_MOVES_IN_SUMMARY = 2;

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
