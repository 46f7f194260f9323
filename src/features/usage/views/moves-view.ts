import type { TimelineEvent } from '../../../core/feature.ts';
import { sentenceFor, type Audience } from '../../../core/slack/people/audience.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import { creditsHeadline } from '../../../core/figures/measures/sentences.ts';
import { shortName } from '../../../core/figures/measures/breakdown.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { headline, list, note, NOTHING, sentence, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import { inMore, viewOf, type LayeredParagraph } from './paragraphs.ts';
import type { View, ViewNotes } from './view-parts.ts';
import {
  changeOf,
  explainedShare,
  type KnownMoves,
  type Move,
  type Moves,
  type MovesReport,
} from '../reports/moves-report.ts';

const MAX_NAMED = 5;
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
  const moved = knownMoves.value.moves.filter((move) => changeOf(move) !== 0);
  if (moved.length === 0) return [sentence(`${title}: no change.`)];
  return [list(title, moveLines(knownMoves.value, moved, noun, plural))];
}

const gapWords = (kind: 'unpublished' | 'not_comparable') =>
  kind === 'unpublished' ? 'not published yet' : 'can’t be compared, because days are missing in one of the periods';

function moveLines(moves: Moves, moved: readonly Move[], noun: string, plural = `${noun}s`): string[] {
  // A single remaining item is as short by name as by number.
  const namedMoves = moved.slice(0, moved.length === MAX_NAMED + 1 ? MAX_NAMED + 1 : MAX_NAMED);
  const lines = namedMoves
    .toSorted((a, b) => Number(goesWithTotal(moves, b)) - Number(goesWithTotal(moves, a)))
    .map((move) => moveWords(moves, move));
  const rest = moved.slice(namedMoves.length);
  if (rest.length === 0) return lines;
  const change = sumOf(rest, changeOf);
  return [...lines, `${countOf(rest.length, noun, plural)}: ${signed(change)} together`];
}

/** Whether a move has the direction of the total. Such moves come first, because users look for the cause. */
const goesWithTotal = ({ total }: Moves, move: Move) => changeOf(total) * changeOf(move) > 0;

/** @example signed(-1_470_000) // '−1.47 M' */
const signed = (change: number) =>
  change === 0 ? 'no change' : `${change > 0 ? '+' : '−'}${formatCompact(Math.abs(change))}`;

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

function shortLines(known: KnownMoves | undefined, maxLines: number): string[] {
  if (known?.kind !== 'known') return [];
  const moves = known.value;
  return moves.moves
    .filter((move) => sizeOf(move) > 0 && sizeOf(move) >= moves.total.before * LEAST_SHORT)
    .slice(0, maxLines)
    .toSorted((a, b) => Number(goesWithTotal(moves, b)) - Number(goesWithTotal(moves, a)))
    .map((move) => moveWords(moves, move));
}

/** The largest moves as two lists, so that shares of models and of people are not added up. */
export function movedLists(moves: { models: readonly string[]; people: readonly string[] }): Paragraph[] {
  return [list('Largest changes by model', moves.models), list('Largest changes by person', moves.people)];
}

const sizeOf = (move: Move) => Math.abs(changeOf(move));
