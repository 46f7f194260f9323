import { context, fields, header, message, section, type Block, type BlockMessage } from '../slack/blocks.ts';
import { formatDay, formatPeriod } from '../slack/periods.ts';
import { countOf, formatNumber, formatShare, joinMarkup, markup, type Markup } from '../slack/text.ts';
import { creditsByDay } from './by-day.ts';
import type { PersonCredits } from '../analytics/person-credits.ts';
import { escapeLines, listText, namedList, personName, shareButtons, type PartFault } from './pieces.ts';
import type { DayCredits, SummaryReport } from './report.ts';
import {
  creditsHeadline,
  faultsMarkup,
  figureMarkup,
  figureWords,
  sourceMarkup,
  sourceText,
  valueMarkup,
} from './sentences.ts';

/** How many models and people are named. */
const MOST_NAMED = 5;

export interface SummaryView {
  report: SummaryReport;
  /** A member's own part of it. */
  own?: PersonCredits | undefined;
  /** What a person should know about the period: that it was cut, for example. */
  notes: readonly string[];
  faults: readonly PartFault[];
  /** The days of the chart, if they are others than the report's: a digest of one day shows the week that it ends. */
  chartDays?: readonly DayCredits[];
}

/** The blocks of the organization's summary, without buttons. */
export function summaryBlocks({ report, own, notes, faults, chartDays }: SummaryView): Block[] {
  return [
    section(markup`*${creditsHeadline(report.credits, report.comparedWith)}*`),
    ...(own ? [section(markup`${ownText(report, own)}`)] : []),
    fields([
      activeMarkup(report),
      figureMarkup('Sessions', report.sessions),
      figureMarkup('Messages', report.messages),
      figureMarkup('Commits', report.commits),
      figureMarkup('Pull requests', report.pullRequests),
      filesMarkup(report),
    ]),
    ...creditsByDay(chartDays ?? report.days),
    ...namedList('Top models', modelLines(report)),
    ...namedList('Top people', peopleLines(report)),
    ...faultsMarkup(faults).map((text) => section(text)),
    ...notes.map((note) => context(markup`${note}`)),
    context(sourceMarkup(report.period, report.days, report.readAt)),
  ];
}

/** All that the blocks say, for notifications and screen readers. */
export function summaryText({ report, own, notes, faults }: SummaryView): string {
  const lines = [
    `${creditsHeadline(report.credits, report.comparedWith)}.`,
    own ? `${ownText(report, own)}.` : '',
    `${activeText(report)}.`,
    `Sessions ${figureWords(report.sessions)}, messages ${figureWords(report.messages)}, commits ${figureWords(report.commits)}, pull requests ${figureWords(report.pullRequests)}, files created ${figureWords(report.filesCreated)}, files edited ${figureWords(report.filesEdited)}.`,
    listText('Top models', modelLines(report)),
    listText('Top people', peopleLines(report)),
    ...faults.map(
      ({ part, sentence, reference }) => `The ${part} could not be read. ${sentence} Reference ${reference}.`,
    ),
    ...notes,
    sourceText(report.period, report.days, report.readAt),
  ];
  return escapeLines(lines);
}

export function summaryMessage(view: SummaryView, share: string | undefined): BlockMessage {
  const title = `Usage, ${formatPeriod(view.report.period)}`;
  const hasPeople = view.report.people?.kind === 'known' && view.report.people.value.length > 0;
  return message(`${title}\n${summaryText(view)}`, [
    header(title),
    ...summaryBlocks(view),
    ...(share === undefined ? [] : [shareButtons(share, hasPeople ? 'both' : 'figures')]),
  ]);
}

function ownText(report: SummaryReport, own: PersonCredits): string {
  const amount = `You: ${formatNumber(own.credits)} Standard Credits`;
  if (report.credits.kind !== 'known') return amount;
  return `${amount}, ${formatShare(own.credits, report.credits.value.value)} of all`;
}

function activeMarkup(report: SummaryReport): Markup {
  if (report.active.kind !== 'known') return markup`Active people\n_${activeText(report)}_`;
  const { daily, weekly, monthly, day, peak } = report.active.value;
  const lines = [
    markup`Active people`,
    markup`*${formatNumber(daily)}* on ${formatDay(day)}`,
    markup`${formatNumber(weekly)} in 7 days, ${formatNumber(monthly)} in 30`,
  ];
  if (report.days.length > 1) lines.push(markup`peak ${formatNumber(peak.daily)} on ${formatDay(peak.day)}`);
  return joinMarkup(lines, '\n');
}

function activeText(report: SummaryReport): string {
  if (report.active.kind === 'unreadable') return 'could not be read';
  if (report.active.kind === 'unpublished') return 'not published yet';
  const { daily, weekly, monthly, day, peak } = report.active.value;
  return `Active people: ${formatNumber(daily)} on ${formatDay(day)}, ${formatNumber(weekly)} in the 7 days and ${formatNumber(monthly)} in the 30 days to then, at most ${formatNumber(peak.daily)} on one day (${formatDay(peak.day)})`;
}

function filesMarkup(report: SummaryReport): Markup {
  const created = valueMarkup(report.filesCreated, 'created');
  return joinMarkup([markup`Files`, created, valueMarkup(report.filesEdited, 'edited')], '\n');
}

function modelLines(report: SummaryReport): string[] {
  const total = report.models.reduce((sum, model) => sum + model.credits, 0);
  const lines = report.models
    .slice(0, MOST_NAMED)
    .map(({ model, credits }) => `${model}: ${formatNumber(credits)} (${formatShare(credits, total)})`);
  return withRest(lines, report.models.slice(MOST_NAMED), total, 'other model');
}

function peopleLines(report: SummaryReport): string[] {
  if (report.people?.kind !== 'known') return [];
  const people = report.people.value;
  const total = people.reduce((sum, person) => sum + person.credits, 0);
  const lines = people
    .slice(0, MOST_NAMED)
    .map((person) => `${personName(person)}: ${formatNumber(person.credits)} (${formatShare(person.credits, total)})`);
  return withRest(lines, people.slice(MOST_NAMED), total, 'other person', 'other people');
}

function withRest(
  lines: string[],
  rest: readonly { credits: number }[],
  total: number,
  noun: string,
  plural = `${noun}s`,
): string[] {
  if (rest.length === 0) return lines;
  const credits = rest.reduce((sum, item) => sum + item.credits, 0);
  return [...lines, `${countOf(rest.length, noun, plural)}: ${formatNumber(credits)} (${formatShare(credits, total)})`];
}
