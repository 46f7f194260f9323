import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import type { Column } from '../../../core/base/text/columns.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import {
  costNote,
  countOf,
  formatCompact,
  formatNumber,
  formatPart,
  formatShare,
  splitCost,
} from '../../../core/base/text/numbers.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { personName } from '../../../core/figures/measures/sentences.ts';
import { shortName } from '../../../core/figures/measures/breakdown.ts';
import { ratioOf } from '../reports/totals-report.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { headline, note, numberCell, table } from '../../../core/slack/blocks/paragraphs.ts';
import { type View, type ViewNotes, inMore, shareCell, viewOf } from './paragraphs.ts';
import { dayOf, formatDate, type Day } from '../../../core/base/time/calendar.ts';
import type { Seats } from '../../../core/figures/measures/seats.ts';
import type { Inactivity } from '../../../core/figures/measures/inactive.ts';
import type { PersonTotals } from '../../../core/figures/measures/people-fold.ts';
import type { PeopleReport } from '../reports/people-report.ts';

/** Slack accepts 200 rows and 20,000 characters in a table; titles and the caption need some of them. */
const MAX_ROWS = 200;
const MAX_CHARACTERS = 17_000;
const MAX_LANGUAGES = 3;
const TOP = 10;

/** `/usage people`: the people from `offset` on, most credits first, as many as Slack accepts. */
export function peopleView(report: PeopleReport, notes: ViewNotes, naming: NamingPermission, offset = 0): View {
  const { people, credits } = report.people.kind === 'known' ? report.people.value : { people: [], credits: 0 };
  const { costs } = report;
  const [person, ofCredits, ...others] = personColumns(credits, naming);
  const money = costs && moneyColumn(costs, people);
  const columns = [person, ofCredits, money, ...others].filter((column) => column !== undefined);
  const rows = peopleThatFit(people.slice(offset), columns);
  const last = offset + rows.length;
  const remainingPeople = people.slice(last);
  const tableOptions = {
    caption: offset === 0 ? 'People by credits' : `People ${formatNumber(offset + 1)} to ${formatNumber(last)}`,
    rows,
    pageSize: 10,
  };
  const view = viewOf(
    'People',
    {
      source: report.source,
      notes,
      hasNames: rows.length > 0 || (report.inactivity?.inactive.length ?? 0) + (report.seats?.unused.length ?? 0) > 0,
    },
    [
      headline(peopleHeadline(report), leadersWords(people, credits, naming)),
      {
        whole: table({ ...tableOptions, columns }),
        short: table({ ...tableOptions, columns: columns.filter(({ isInShort }) => isInShort) }),
        more: table({ ...tableOptions, columns }),
      },
      note(
        remainingPeople.length === 0
          ? ''
          : `And ${countOf(remainingPeople.length, 'more person', 'more people')} with ${formatCompact(sumOf(remainingPeople, (person) => person.credits))} credits; the CSV lists everyone.`,
      ),
      note(report.inactivity ? inactivityWords(report.inactivity) : ''),
      note(report.seats ? seatsWords(report.seats) : ''),
      inMore(note(report.seats ? unusedList(report.seats, report.scope.today, naming) : '')),
      inMore(note(report.inactivity ? inactiveList(report.inactivity, naming) : '')),
      inMore(note(rows.length === 0 ? '' : 'Calls per message: tool calls per message the person wrote.')),
    ],
  );
  return { ...view, next: remainingPeople.length > 0 ? last : undefined };
}

const MAX_INACTIVE = 100;

const inactivityWords = ({ knownCount, inactive }: Inactivity): string =>
  `No activity: ${formatNumber(inactive.length)} of ${formatNumber(knownCount)}.`;

function inactiveList({ inactive }: Inactivity, naming: NamingPermission): string {
  if (inactive.length === 0) return '';
  const names = inactive.slice(0, MAX_INACTIVE).map((person) => shortName(personName(person, naming)));
  const hiddenCount = inactive.length - names.length;
  const more = hiddenCount > 0 ? ` and ${formatNumber(hiddenCount)} more; the CSV lists everyone` : '';
  return `Known from the last 90 days or a credit limit, without activity in these days: ${names.join(', ')}${more}.`;
}

/** @example 'Seats: 60. Without credits in the last 30 days: 7. Without a limit of their own: 49.' */
function seatsWords({ count, days, unused, withoutOwnLimit }: Seats): string {
  const limits = withoutOwnLimit.areShown ? 'a limit of their own' : 'a limit that is known here';
  return `Seats: ${formatNumber(count)}. Without credits in the last ${countOf(days, 'day')}: ${formatNumber(unused.length)}. Without ${limits}: ${formatNumber(withoutOwnLimit.count)}.`;
}

function unusedList({ unused, days }: Seats, today: Day, naming: NamingPermission): string {
  if (unused.length === 0) return '';
  const names = unused.slice(0, MAX_INACTIVE).map((seat) => {
    const signIn = seat.lastSignInAt === undefined ? 'none known' : formatDate(dayOf(seat.lastSignInAt), today);
    return `${shortName(personName(seat, naming))} (${signIn})`;
  });
  const hiddenCount = unused.length - names.length;
  const more = hiddenCount > 0 ? ` and ${formatNumber(hiddenCount)} more` : '';
  return `Seats without credits in the last ${countOf(days, 'day')}, with the last sign-in: ${names.join(', ')}${more}.`;
}

function peopleHeadline({ people, costs }: PeopleReport): string {
  if (people.kind === 'unreadable') return 'The people could not be read';
  if (people.kind === 'unpublished') return 'The people of these days are not published yet';
  const { people: all, credits } = people.value;
  return `${countOf(all.length, 'person', 'people')} used ${formatCompact(credits)} credits${costNote(costs?.total)}`;
}

function leadersWords(people: readonly PersonTotals[], credits: number, naming: NamingPermission): string {
  const [first] = people;
  if (!first || first.credits === 0) return '';
  const most = `${shortName(personName(first, naming))} used the most: ${formatShare(first.credits, credits)}.`;
  if (people.length <= TOP) return most;
  const top = sumOf(people.slice(0, TOP), (person) => person.credits);
  return `${most} The top ${TOP} together used ${formatShare(top, credits)}.`;
}

interface PersonColumn extends Column<PersonTotals, Cell> {
  /** The columns by which people are compared; a phone does not show more. */
  isInShort?: true;
}

/** Cells hold numbers, so that Slack sorts them as such; shares are of `credits`. */
export function personColumns(credits: number, naming: NamingPermission): PersonColumn[] {
  return [
    { title: 'Person', isInShort: true, cell: (person) => clip(personName(person, naming), 80) },
    { title: 'Credits', isInShort: true, cell: (person) => numberCell(person.credits) },
    { title: 'Share', isInShort: true, cell: (person) => shareCell(person.credits, credits) },
    { title: 'Sessions', isInShort: true, cell: (person) => numberCell(person.sessions) },
    { title: 'Messages', cell: (person) => numberCell(person.messages) },
    { title: 'Commits', isInShort: true, cell: (person) => numberCell(person.commits) },
    { title: 'PRs', cell: (person) => numberCell(person.pullRequests) },
    { title: 'Calls per message', cell: callsCell },
    { title: 'Autonomy', cell: (person) => clip(person.delegationLevel ?? '–', 20) },
    { title: 'Languages', cell: (person) => languageWords(person.languages) },
    { title: 'Active days', cell: (person) => numberCell(person.activeDays) },
    { title: 'Last active', cell: (person) => person.lastActiveDay ?? '–' },
  ];
}

/** The rows of all people add up to the total as it is shown, or the title says “rounded”. */
function moneyColumn({ total, of }: NonNullable<PeopleReport['costs']>, people: readonly PersonTotals[]): PersonColumn {
  const places = new Map(people.map((person, place) => [person, String(place)]));
  const { parts, isRounded } = splitCost(
    total,
    new Map([...places].map(([person, place]) => [place, of.get(person) ?? total])),
  );
  return {
    title: isRounded ? 'Money (rounded)' : 'Money',
    cell: (person) => formatPart(parts.get(places.get(person) ?? '') ?? total, total, person.credits),
  };
}

/** Slack sorts a column by number only if each of its cells has one. */
function callsCell({ toolCalls, userMessages }: PersonTotals): Cell {
  const ratio = ratioOf(toolCalls, userMessages);
  return ratio === undefined ? { value: 0, text: '–' } : numberCell(ratio);
}

function peopleThatFit(people: readonly PersonTotals[], columns: readonly Column<PersonTotals, Cell>[]) {
  let characters = 0;
  const past = people.slice(0, MAX_ROWS).findIndex((person) => {
    const cells = columns.map(({ cell }) => cell(person));
    characters += sumOf(cells, (cell) => (typeof cell === 'string' ? cell : cell.text).length);
    return characters > MAX_CHARACTERS;
  });
  return people.slice(0, past < 0 ? MAX_ROWS : past);
}

function languageWords(languages: readonly string[]): string {
  if (languages.length === 0) return '–';
  const names = languages.slice(0, MAX_LANGUAGES).map((language) => clip(language, 20));
  const hiddenCount = languages.length - names.length;
  return hiddenCount > 0 ? `${names.join(', ')} and ${hiddenCount} more` : names.join(', ');
}
