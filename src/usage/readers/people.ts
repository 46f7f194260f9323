import { createPeopleFold } from '../measures/people-fold.ts';
import { personKey } from '../../analytics/person-credits.ts';
import { readView, type OrganizationAsk, type ReadView } from './organization.ts';
import type { UsageDeps } from '../deps.ts';
import { foldedWithQuietDays, rangeToRead, settleBy, todayOf, withQuietDays } from './period.ts';
import { leftOutNotes, type Subject } from '../subject.ts';
import type { Audience } from '../../slack/people/audience.ts';
import { buildGroupReport } from '../reports/group-report.ts';
import { groupView } from '../views/group-view.ts';
import { createPeopleSpendFold } from '../measures/people-spend.ts';

/** The platform tells these by day for the organization alone. */
const NOT_BY_PERSON = new Set(['credits', 'models', 'tools', 'activity', 'productivity', 'moved']);

/**
 * Reads the figures of one person or a team. The platform has no filter by person: everybody's rows are read, and those of
 * others are dropped as they arrive.
 */
export async function readPeopleView<Readers extends Audience>(
  deps: UsageDeps,
  { request, period, readers, slowest }: OrganizationAsk<Readers>,
  subject: Extract<Subject, { kind: 'person' | 'team' }>,
): Promise<ReadView<Readers>> {
  const today = todayOf(deps);
  const range = rangeToRead(request.period, period, today, false);
  const activity = await deps.days.activity(range);
  const settled = settleBy(request.period, period, activity, today);
  const { scope } = settled;
  const wanted = new Set(subject.emails);
  const spend = createPeopleSpendFold(scope.period, scope.comparedWith, (key) => wanted.has(key));
  const fold = createPeopleFold();
  const [credits, spendDays, days] = await Promise.all([
    deps.days.credits(range),
    deps.days.peopleCredits(range, (row) => spend.add(row)),
    deps.days.users(
      scope.period,
      (row) => {
        if (wanted.has(personKey(row))) fold.add(row);
      },
      slowest,
    ),
  ]);
  const report = buildGroupReport(
    {
      organization: withQuietDays(credits, activity),
      spend: { days: spendDays, people: spend.people(), creditsOn: (day) => spend.creditsOn(day) },
      totals: { days: foldedWithQuietDays(days, activity), people: fold.people(), activeDays: fold.activeDays() },
    },
    { ...scope, label: subject.label, emails: subject.emails, kind: subject.kind, naming: readers.naming },
  );
  const leftOut = subject.kind === 'team' ? leftOutNotes(subject.withoutEmail, readers) : [];
  const notes = [...settled.notes, ...leftOut];
  if (NOT_BY_PERSON.has(request.view))
    notes.push('By model, tool or client the platform tells the organization’s figures only.');
  return readView(readers, { scope, notes }, report.faults, 2, (below) => ({ view: groupView(report, below) }));
}
