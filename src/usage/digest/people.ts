import { personKey } from '../../analytics/person-credits.ts';
import type { ForNamedChannel, Naming } from '../../slack/people/audience.ts';
import type { DigestQuery } from '../../feature.ts';
import { content, DIGEST_OPTIONS, rangeOf, reportScope, type SectionContent } from './content.ts';
import type { UsageDeps } from '../deps.ts';
import { foldedWithQuietDays } from '../readers/period.ts';
import { shareLines } from '../measures/breakdown.ts';
import { buildGroupReport, type GroupReport } from '../reports/group-report.ts';
import { groupView } from '../views/group-view.ts';
import { list } from '../../slack/blocks/paragraphs.ts';
import { personName } from '../readers/faults.ts';
import { createPeopleFold } from '../measures/people-fold.ts';
import { buildPeopleReport } from '../reports/people-report.ts';
import { createPeopleSpendFold, spendByName } from '../measures/people-spend.ts';
import { peopleView } from '../views/people-view.ts';

const MAX_NAMED = 5;
const NO_NOTES = { notes: [], faults: [] };

/** Who used most; the whole table in the thread. */
export async function readPeopleSection(
  deps: UsageDeps,
  digest: DigestQuery,
  { naming }: ForNamedChannel,
): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  if (digest.people) {
    const report = await readGroup(deps, digest, digest.people, naming);
    const people = report.people.kind === 'known' ? report.people.value : [];
    const named = people.map((person) => ({ name: personName(person, naming), value: person.credits }));
    return content({
      source: report.source,
      faults: report.faults,
      paragraphs: [list(`Top people of ${digest.about}`, shareLines(named, MAX_NAMED, 'other person', 'other people'))],
      detail: groupView(report, NO_NOTES),
      figures: {},
    });
  }
  const fold = createPeopleFold();
  const spend = createPeopleSpendFold(scope.period, scope.comparedWith);
  const [activity, days, spendDays] = await Promise.all([
    deps.days.activity(scope.period, DIGEST_OPTIONS),
    deps.days.users(scope.period, (row) => fold.add(row), DIGEST_OPTIONS),
    deps.days.peopleCredits(rangeOf(scope), (row) => spend.add(row), DIGEST_OPTIONS),
  ]);
  const report = buildPeopleReport({ days: foldedWithQuietDays(days, activity), people: fold.people() }, scope);
  const named = spendByName({ days: spendDays, people: spend.people() }, scope, naming);
  const top = named.kind === 'known' ? named.value.filter(({ value }) => value > 0) : [];
  return content({
    source: report.source,
    faults: report.faults,
    paragraphs: [list('Top people', shareLines(top, MAX_NAMED, 'other person', 'other people'))],
    detail: peopleView(report, NO_NOTES, naming).view,
    figures: {},
  });
}

/** The figures of some people over the period of a digest. */
export async function readGroup(
  deps: UsageDeps,
  digest: DigestQuery,
  emails: readonly string[],
  naming: Naming | undefined,
): Promise<GroupReport> {
  const scope = reportScope(deps, digest);
  const wanted = new Set(emails);
  const spend = createPeopleSpendFold(scope.period, scope.comparedWith, (key) => wanted.has(key));
  const fold = createPeopleFold();
  const [activity, organization, spendDays, days] = await Promise.all([
    deps.days.activity(scope.period, DIGEST_OPTIONS),
    deps.days.credits(rangeOf(scope), DIGEST_OPTIONS),
    deps.days.peopleCredits(rangeOf(scope), (row) => spend.add(row), DIGEST_OPTIONS),
    deps.days.users(
      scope.period,
      (row) => {
        if (wanted.has(personKey(row))) fold.add(row);
      },
      DIGEST_OPTIONS,
    ),
  ]);
  return buildGroupReport(
    {
      organization,
      spend: { days: spendDays, people: spend.people(), creditsOn: (day) => spend.creditsOn(day) },
      totals: { days: foldedWithQuietDays(days, activity), people: fold.people(), activeDays: fold.activeDays() },
    },
    { ...scope, label: digest.about, emails, kind: digest.isOnePerson ? 'person' : 'team', naming },
  );
}
