import type { Naming } from '../../slack/people/audience.ts';
import type { Cell } from '../../slack/blocks/blocks.ts';
import { formatPeriod } from '../../calendar.ts';
import { clip } from '../../markup.ts';
import { countOf, formatNumber, formatShare } from '../../numbers.ts';
import { personName } from '../readers/faults.ts';
import { shortName } from '../measures/breakdown.ts';
import { ratioOf } from './credits-report.ts';
import { sumOf } from '../measures/figures.ts';
import { headline, note, numberCell, table } from '../../slack/blocks/paragraphs.ts';
import { shareCell, viewOf } from './paragraphs.ts';
import type { PersonTotals } from '../measures/people-fold.ts';
import type { PeopleReport } from '../reports/people-report.ts';
import type { View, ViewNotes } from './view.ts';

/** Slack takes 200 rows and 20,000 characters in a table; titles and the caption need some of them. */
const MAX_ROWS = 200;
const MAX_CHARACTERS = 17_000;
const MAX_LANGUAGES = 3;
const TOP = 10;

/** A page of the table of people, and where the next one begins. */
export interface PeoplePage {
  view: View;
  /** The offset of the next page; missing on the last. */
  next: number | undefined;
}

/**
 * `/usage people`: the people from `offset` on, most credits first, as many as Slack takes.
 *
 * @example peopleView(report, { notes: [], faults: [] }, naming, 150).view // people 151 and on
 */
export function peopleView(report: PeopleReport, notes: ViewNotes, naming: Naming, offset = 0): PeoplePage {
  const { people, credits } = report.people.kind === 'known' ? report.people.value : { people: [], credits: 0 };
  const rows = rowsThatFit(people.slice(offset), credits, naming);
  const last = offset + rows.length;
  const left = people.slice(last);
  const view = viewOf(
    `People, ${formatPeriod(report.scope.period)}`,
    [
      headline(peopleHeadline(report), leadersWords(people, credits, naming)),
      table({
        caption: offset === 0 ? 'People by credits' : `People ${formatNumber(offset + 1)} to ${formatNumber(last)}`,
        columns: COLUMNS,
        rows,
        pageSize: 10,
      }),
      note(
        left.length === 0
          ? ''
          : `And ${countOf(left.length, 'more person', 'more people')} with ${formatNumber(sumOf(left, (person) => person.credits))} credits; the CSV has all of them.`,
      ),
      note(rows.length === 0 ? '' : 'Calls per message: tool calls for each message by the person.'),
    ],
    notes,
    report.source,
    rows.length > 0,
  );
  return { view, next: left.length > 0 ? last : undefined };
}

function peopleHeadline({ people }: PeopleReport): string {
  if (people.kind === 'unreadable') return 'The people could not be read';
  if (people.kind === 'unpublished') return 'The people of these days are not published yet';
  const { people: all, credits } = people.value;
  return `${countOf(all.length, 'person', 'people')} used ${formatNumber(credits)} Standard Credits`;
}

function leadersWords(people: readonly PersonTotals[], credits: number, naming: Naming): string {
  const [first] = people;
  if (!first || first.credits === 0) return '';
  const most = `${shortName(personName(first, naming))} used most: ${formatShare(first.credits, credits)}.`;
  if (people.length <= TOP) return most;
  const top = sumOf(people.slice(0, TOP), (person) => person.credits);
  return `${most} The first ${TOP} used ${formatShare(top, credits)} together.`;
}

export const COLUMNS = [
  'Person',
  'Credits',
  'Share',
  'Sessions',
  'Messages',
  'Commits',
  'PRs',
  'Calls per message',
  'Delegation',
  'Languages',
  'Active days',
  'Last active',
] as const;

function rowsThatFit(people: readonly PersonTotals[], credits: number, naming: Naming): Cell[][] {
  const rows: Cell[][] = [];
  let characters = 0;
  for (const person of people.slice(0, MAX_ROWS)) {
    const row = personRow(person, credits, naming);
    for (const cell of row) characters += typeof cell === 'string' ? cell.length : cell.text.length;
    if (characters > MAX_CHARACTERS) break;
    rows.push(row);
  }
  return rows;
}

/** A person as cells of `COLUMNS`; numbers stay numbers, so that Slack sorts them as such. */
export function personRow(person: PersonTotals, credits: number, naming: Naming): Cell[] {
  const ratio = ratioOf(person.toolCalls, person.userMessages);
  return [
    clip(personName(person, naming), 80),
    numberCell(person.credits),
    shareCell(person.credits, credits),
    numberCell(person.sessions),
    numberCell(person.messages),
    numberCell(person.commits),
    numberCell(person.pullRequests),
    // A column sorts by number only if each of its cells has one.
    ratio === undefined ? { value: 0, text: '–' } : numberCell(ratio),
    clip(person.delegationLevel ?? '–', 20),
    languageWords(person.languages),
    numberCell(person.activeDays),
    person.lastActiveDay ?? '–',
  ];
}

function languageWords(languages: readonly string[]): string {
  if (languages.length === 0) return '–';
  const shown = languages.slice(0, MAX_LANGUAGES).map((language) => clip(language, 20));
  const left = languages.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
