import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import { formatDay, lengthOf } from '../../../core/base/time/calendar.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import { creditsHeadline, personName } from '../../../core/figures/measures/sentences.ts';
import { shareLines, shortName } from '../../../core/figures/measures/breakdown.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { ratioOf } from '../reports/totals-report.ts';
import { creditsChart } from './paragraphs.ts';
import type { GroupReport, WithoutFigures } from '../reports/group-report.ts';
import { headline, list, note, NOTHING, table, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import {
  type LabelledFigure,
  type LayeredParagraph,
  type View,
  type ViewNotes,
  inMore,
  layeredFigures,
  viewOf,
} from './paragraphs.ts';
import type { PersonTotals } from '../../../core/figures/measures/people-fold.ts';
import { personColumns } from './people-view.ts';

/** Two tables share the number of characters that Slack accepts. */
const MAX_ROWS = 40;
const MAX_MISSING = 20;
const MAX_LANGUAGES = 6;
const MAX_TOP = 3;

export const NO_BREAKDOWN = 'The platform breaks usage down by model and tier only for the whole organization.';

export function groupView(report: GroupReport, notes: ViewNotes, extraParagraphs: readonly Paragraph[] = []): View {
  const { scope, credits, cost } = report;
  const people = report.people.kind === 'known' ? report.people.value : [];
  const isTeam = scope.kind === 'team';
  const name = `Usage of ${scope.label}`;
  if (report.unknown) {
    const { email, nearest } = report.unknown;
    const paragraph = headline(
      `${shortName(email)} doesn’t appear in the figures of these days`,
      nearest === undefined
        ? 'There’s no such account, or it used nothing. Check the spelling.'
        : `Did you mean ${shortName(nearest)}?`,
    );
    return viewOf(name, { source: report.source, notes, hasNames: true }, [paragraph]);
  }
  const hasNames = !isTeam || (scope.naming !== undefined && people.length > 0);
  return viewOf(name, { source: report.source, notes, hasNames }, [
    headline(creditsHeadline(credits, scope, cost), shareWords(report)),
    ...creditsChart(report.days),
    groupTotals(report),
    ...(isTeam && scope.naming ? memberParagraphs(people, scope.naming) : []),
    ...extraParagraphs,
    inMore(missingNote(report)),
  ]);
}

export const groupTotals = ({ people, scope }: GroupReport): LayeredParagraph =>
  layeredFigures(people.kind === 'known' ? groupFigures(people.value, scope.kind === 'team') : [], 4);

export const missingNote = ({ withoutFigures, scope }: GroupReport): Paragraph =>
  note(missingWords(withoutFigures, scope.emails.length));

function shareWords({ credits, organizationCredits, activeDays, scope }: GroupReport): string {
  const words: string[] = [];
  if (credits.kind === 'known' && organizationCredits.kind === 'known')
    words.push(`${formatShare(credits.value.value, organizationCredits.value.value)} of the organization’s credits`);
  if (activeDays.kind === 'known') words.push(...activeWords(activeDays.value, scope));
  return words.length === 0 ? '' : `${words.join('; ')}.`;
}

/** For a single day the other figures already show the activity. */
function activeWords(activeDays: number, { kind, period }: GroupReport['scope']): string[] {
  const days = lengthOf(period);
  if (days === 1) return activeDays > 0 ? [] : [kind === 'person' ? 'not active' : 'no one active'];
  return [
    `${kind === 'person' ? 'active' : 'people active'} on ${formatCompact(activeDays)} of ${countOf(days, 'day')}`,
  ];
}

function groupFigures(people: readonly PersonTotals[], isTeam: boolean): LabelledFigure[] {
  const total = (measure: (person: PersonTotals) => number) => sumOf(people, measure);
  const created = formatCompact(total((one) => one.filesCreated));
  const edited = formatCompact(total((one) => one.filesEdited));
  const toolCalls = total((one) => one.toolCalls);
  const userMessages = total((one) => one.userMessages);
  const ratio = ratioOf(toolCalls, userMessages);
  const [person] = people;
  return [
    ['Sessions', formatCompact(total((one) => one.sessions))],
    ['Messages', formatCompact(total((one) => one.messages))],
    ['Commits', formatCompact(total((one) => one.commits))],
    ['Pull requests', formatCompact(total((one) => one.pullRequests))],
    ['Tool calls', formatCompact(toolCalls)],
    ...(ratio === undefined ? [] : [['Tool calls per message', formatCompact(ratio)] as const]),
    ['Files', `${created} created, ${edited} edited`],
    ...(isTeam || !person ? [] : personFigures(person)),
  ];
}

function personFigures({ delegationLevel, languages, lastActiveDay }: PersonTotals): LabelledFigure[] {
  return [
    ...(delegationLevel === undefined ? [] : [['Autonomy', shortName(delegationLevel)] as const]),
    ...(languages.length === 0
      ? []
      : [['Languages', languages.slice(0, MAX_LANGUAGES).map(shortName).join(', ')] as const]),
    ...(lastActiveDay === undefined ? [] : [['Last active', formatDay(lastActiveDay)] as const]),
  ];
}

function memberParagraphs(people: readonly PersonTotals[], naming: NamingPermission): LayeredParagraph[] {
  const credits = sumOf(people, (person) => person.credits);
  const hiddenCount = people.length - MAX_ROWS;
  const used = people
    .filter((person) => person.credits > 0)
    .map((person) => ({ name: personName(person, naming), value: person.credits }));
  const top = list('Top people', shareLines(used, MAX_TOP, 'other person', 'other people'));
  return [
    { whole: NOTHING, short: top, more: NOTHING },
    inMore(
      table({
        caption: 'People of the team by credits; shares are of the team’s',
        columns: personColumns(credits, naming),
        rows: people.slice(0, MAX_ROWS),
      }),
    ),
    inMore(
      note(hiddenCount > 0 ? `And ${countOf(hiddenCount, 'more person', 'more people')}; the CSV lists everyone.` : ''),
    ),
  ];
}

/** @example missingWords({ inactive: ['a@b.c'], neverUsed: [] }, 4) // 'No activity: 1 of 4 (a).' */
function missingWords({ inactive, neverUsed }: WithoutFigures, size: number): string {
  if (!neverUsed) return inactive.length === 0 ? '' : `No platform account, or no use: ${shortList(inactive)}.`;
  const parts = [
    inactive.length === 0 ? '' : `No activity: ${inactive.length} of ${size} (${shortList(inactive)}).`,
    neverUsed.length === 0 ? '' : `Never used: ${neverUsed.length} of ${size} (${shortList(neverUsed)}).`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function shortList(emails: readonly string[]): string {
  const names = emails.slice(0, MAX_MISSING).map(shortName);
  const hiddenCount = emails.length - names.length;
  return `${names.join(', ')}${hiddenCount > 0 ? ` and ${formatCompact(hiddenCount)} more` : ''}`;
}
