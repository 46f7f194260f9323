import { list } from '../../../core/slack/blocks/paragraphs.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import { personName } from '../../../core/figures/measures/sentences.ts';
import type { ActivityReport, CreditsReport } from '../reports/totals-report.ts';
import { largestFigures, shareLines, shortName, type NamedFigure } from '../../../core/figures/measures/breakdown.ts';
import type { GroupReport } from '../reports/group-report.ts';
import { groupView } from '../views/group-view.ts';
import { shortLines } from '../views/summary-view.ts';
import { DAYS_IN_A_WEEK, lengthOf } from '../../../core/base/time/calendar.ts';
import { figures } from '../views/paragraphs.ts';
import type { PeopleReport } from '../reports/people-report.ts';
import { spendByName, type PeopleSpend } from '../../../core/figures/measures/people-spend.ts';
import type { ProductivityReport } from '../reports/productivity-report.ts';
import type { ToolsReport } from '../reports/tools-report.ts';
import { NO_NOTES, type SectionParts } from './content.ts';

const MAX_NAMED = 3;
const MAX_PEOPLE = 5;

export function creditsSection(report: CreditsReport): SectionParts {
  return {
    paragraphs: [
      list('Credits by model', shareLines(report.models, MAX_NAMED, 'other model')),
      figures([
        ['Input tokens', report.input],
        ['Output tokens', report.output],
        ['Cache reads', report.cacheRead],
      ]),
    ],
    figures: { 'Standard Credits': report.credits, 'Input tokens': report.input, 'Output tokens': report.output },
  };
}

export function toolsSection(report: ToolsReport): SectionParts {
  return {
    paragraphs: [
      figures([
        ['Tool calls', report.calls],
        ['Skills', report.skillUses],
        ['Slash commands', report.commandUses],
        ['Hooks', report.hookRuns],
      ]),
      list('Top tools', shareLines(report.tools, MAX_NAMED, 'other tool')),
    ],
    figures: { 'Tool calls': report.calls },
  };
}

export function activitySection(report: ActivityReport): SectionParts {
  return {
    paragraphs: [
      figures([
        ['Sessions', report.sessions],
        ['Messages', report.messages],
      ]),
    ],
    figures: { Sessions: report.sessions, Messages: report.messages },
  };
}

export function productivitySection(report: ProductivityReport): SectionParts {
  return {
    paragraphs: [
      figures([
        ['Commits', report.commits],
        ['Pull requests', report.pullRequests],
        ['Files created', report.filesCreated],
        ['Files edited', report.filesEdited],
      ]),
      list('Top languages', shareLines(report.languages, MAX_NAMED, 'other language')),
    ],
    figures: { Commits: report.commits, 'Pull requests': report.pullRequests },
  };
}

export function peopleSection(report: PeopleReport, spend: PeopleSpend, naming: NamingPermission): SectionParts {
  const named = spendByName(spend, report.scope, naming);
  const people = named.kind === 'known' ? named.value.filter(({ value }) => value > 0) : [];
  return topPeople('Top people', people);
}

export function groupPeopleSection(report: GroupReport): SectionParts {
  const { naming, label } = report.scope;
  const people =
    report.people.kind === 'known' && naming
      ? report.people.value.map((person) => ({ name: personName(person, naming), value: person.credits }))
      : [];
  const top = topPeople(`Top people of ${label}`, people);
  const isLong = lengthOf(report.scope.period) >= DAYS_IN_A_WEEK;
  const moved = list('Largest changes by person', isLong ? shortLines(report.byPerson, MAX_NAMED) : []);
  return { ...top, paragraphs: [...top.paragraphs, moved], detail: groupView(report, NO_NOTES) };
}

/** The names are part of the digest: it is corrected when their order or one of their figures changes. */
function topPeople(title: string, people: readonly NamedFigure[]) {
  const used = people.filter(({ value }) => value > 0);
  const namedPeople = largestFigures(used, MAX_PEOPLE);
  return {
    paragraphs: [list(title, shareLines(people, MAX_PEOPLE, 'other person', 'other people'))],
    figures: Object.fromEntries(
      namedPeople.map(({ name, value }) => [shortName(name), { kind: 'known', value: { value } } as const]),
    ),
    ranking: { title, names: namedPeople.map(({ name }) => shortName(name)) },
  };
}
