import { context, fields, header, message, section, type Block, type BlockMessage } from '../slack/blocks.ts';
import { formatPeriod } from '../slack/periods.ts';
import { countOf, formatNumber, formatShare, markup } from '../slack/text.ts';
import { creditsByDay } from './by-day.ts';
import type { PeopleReport } from './people-report.ts';
import { escapeLines, listText, namedList, personName, shareButtons, type PartFault } from './pieces.ts';
import { creditsHeadline, faultsMarkup, sourceMarkup, sourceText } from './sentences.ts';

export interface PeopleView {
  report: PeopleReport;
  /** Whether the people of a team are named. */
  withPeople: boolean;
  notes: readonly string[];
  faults: readonly PartFault[];
}

/** One person's or a team's figures. */
export function peopleMessage(view: PeopleView, share: string | undefined): BlockMessage {
  const { report, notes, faults, withPeople } = view;
  const title = `Usage of ${report.label}, ${formatPeriod(report.period)}`;
  const headline = creditsHeadline(report.credits, report.comparedWith);
  const shareOfAll = `${formatShare(
    report.people.reduce((sum, person) => sum + person.credits, 0),
    report.organizationCredits,
  )} of the organization’s credits, active on ${countOf(report.activeDays, 'day')} of ${report.days.length}.`;
  const hasTeam = report.people.length > 1;
  const lines =
    hasTeam && withPeople
      ? report.people.map((person) => `${personName(person)}: ${formatNumber(person.credits)}`)
      : [];
  const missing =
    report.withoutFigures.length === 0 || !withPeople
      ? ''
      : `No figures in this period: ${report.withoutFigures.join(', ')}.`;
  const text = escapeLines([
    title,
    `${headline}.`,
    shareOfAll,
    totalsText(report),
    listText('People', lines),
    missing,
    ...faults.map(
      ({ part, sentence, reference }) => `The ${part} could not be read. ${sentence} Reference ${reference}.`,
    ),
    ...notes,
    sourceText(report.period, report.days, report.readAt),
  ]);
  return message(text, [
    header(title),
    section(markup`*${headline}*\n${shareOfAll}`),
    ...totalsFields(report),
    ...creditsByDay(report.days),
    ...namedList('People', lines),
    ...(missing === '' ? [] : [context(markup`${missing}`)]),
    ...faultsMarkup(faults).map((fault) => section(fault)),
    ...notes.map((note) => context(markup`${note}`)),
    context(sourceMarkup(report.period, report.days, report.readAt)),
    ...(share === undefined ? [] : [shareButtons(share, hasTeam ? 'both' : 'people')]),
  ]);
}

function totalsOf(report: PeopleReport): [string, number][] {
  if (report.totals.kind !== 'known') return [];
  const { sessions, messages, toolCalls, commits, pullRequests, filesCreated, filesEdited } = report.totals.value;
  return [
    ['Sessions', sessions],
    ['Messages', messages],
    ['Tool calls', toolCalls],
    ['Commits', commits],
    ['Pull requests', pullRequests],
    ['Files created', filesCreated],
    ['Files edited', filesEdited],
  ];
}

function totalsFields(report: PeopleReport): Block[] {
  const totals = totalsOf(report);
  return totals.length === 0
    ? []
    : [fields(totals.map(([label, value]) => markup`${label}\n*${formatNumber(value)}*`))];
}

function totalsText(report: PeopleReport): string {
  return totalsOf(report)
    .map(([label, value]) => `${label} ${formatNumber(value)}`)
    .join(', ');
}
