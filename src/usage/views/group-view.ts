import type { Naming } from '../../slack/people/audience.ts';
import { formatDay, formatPeriod, lengthOf } from '../../base/calendar.ts';
import { countOf, formatNumber, formatShare } from '../../base/numbers.ts';
import { creditsHeadline } from '../sentences.ts';
import { shortName } from '../measures/breakdown.ts';
import { ratioOf } from '../reports/credits-report.ts';
import { creditsByDay } from './credits-view.ts';
import { addUp, type GroupReport } from '../reports/group-report.ts';
import { headline, note, table, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { figures, viewOf, type LabelledFigure } from './paragraphs.ts';
import type { PersonTotals } from '../measures/people-fold.ts';
import { personColumns } from './people-view.ts';
import type { View, ViewNotes } from './view.ts';

/** Two tables share the characters that Slack takes. */
const MAX_ROWS = 40;
const MAX_MISSING = 20;
const MAX_LANGUAGES = 6;

/** One person's or a team's figures. */
export function groupView(report: GroupReport, notes: ViewNotes): View {
  const { scope, credits } = report;
  const people = report.people.kind === 'known' ? report.people.value : [];
  const isTeam = scope.kind === 'team';
  if (report.unknown) {
    const { email, nearest } = report.unknown;
    const said = headline(
      `${shortName(email)} appears nowhere in the figures of these days`,
      nearest === undefined
        ? 'There is no such account, or it used nothing. Check the spelling.'
        : `Did you mean ${shortName(nearest)}?`,
    );
    const title = `Usage of ${scope.label}, ${formatPeriod(scope.period)}`;
    return viewOf(title, [said], notes, report.source, true);
  }
  return viewOf(
    `Usage of ${scope.label}, ${formatPeriod(scope.period)}`,
    [
      headline(creditsHeadline(credits, scope), shareWords(report)),
      figures(report.people.kind === 'known' ? groupFigures(people, isTeam) : []),
      ...creditsByDay(report.days),
      ...(isTeam && scope.naming ? memberParagraphs(people, scope.naming) : []),
      note(missingWords(report.withoutFigures)),
    ],
    notes,
    report.source,
    !isTeam || (scope.naming !== undefined && people.length > 0),
  );
}

function shareWords({ credits, organizationCredits, activeDays, scope }: GroupReport): string {
  const words: string[] = [];
  if (credits.kind === 'known' && organizationCredits.kind === 'known')
    words.push(`${formatShare(credits.value.value, organizationCredits.value.value)} of the organization’s credits`);
  if (activeDays.kind === 'known') {
    const who = scope.kind === 'person' ? 'active' : 'somebody active';
    words.push(`${who} on ${formatNumber(activeDays.value)} of ${countOf(lengthOf(scope.period), 'day')}`);
  }
  return words.length === 0 ? '' : `${words.join('; ')}.`;
}

function groupFigures(people: readonly PersonTotals[], isTeam: boolean): LabelledFigure[] {
  const sums = addUp(people);
  const ratio = ratioOf(sums.toolCalls, sums.userMessages);
  const [person] = people;
  return [
    ['Sessions', formatNumber(sums.sessions)],
    ['Messages', formatNumber(sums.messages)],
    ['Tool calls', formatNumber(sums.toolCalls)],
    ...(ratio === undefined ? [] : [['Tool calls for each message', formatNumber(ratio)] as const]),
    ['Commits', formatNumber(sums.commits)],
    ['Pull requests', formatNumber(sums.pullRequests)],
    ['Files', `${formatNumber(sums.filesCreated)} created, ${formatNumber(sums.filesEdited)} edited`],
    ...(isTeam || !person ? [] : personFigures(person)),
  ];
}

function personFigures({ delegationLevel, languages, lastActiveDay }: PersonTotals): LabelledFigure[] {
  return [
    ...(delegationLevel === undefined ? [] : [['Delegation', shortName(delegationLevel)] as const]),
    ...(languages.length === 0
      ? []
      : [['Languages', languages.slice(0, MAX_LANGUAGES).map(shortName).join(', ')] as const]),
    ...(lastActiveDay === undefined ? [] : [['Last active', formatDay(lastActiveDay)] as const]),
  ];
}

function memberParagraphs(people: readonly PersonTotals[], naming: Naming): Paragraph[] {
  const credits = people.reduce((sum, person) => sum + person.credits, 0);
  const left = people.length - MAX_ROWS;
  return [
    table({
      caption: 'People of the team by credits; shares are of the team’s',
      columns: personColumns(credits, naming),
      rows: people.slice(0, MAX_ROWS),
    }),
    note(left > 0 ? `And ${countOf(left, 'more person', 'more people')}; the CSV has all of them.` : ''),
  ];
}

function missingWords(emails: readonly string[]): string {
  if (emails.length === 0) return '';
  const shown = emails.slice(0, MAX_MISSING).map(shortName);
  const left = emails.length - shown.length;
  const more = left > 0 ? ` and ${formatNumber(left)} more` : '';
  return `No platform account, or nothing used: ${shown.join(', ')}${more}.`;
}
