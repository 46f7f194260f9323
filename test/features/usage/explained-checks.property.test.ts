import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, formatDay, type Day } from '../../../src/core/base/time/calendar.ts';
import {
  explanationMetadata,
  figureChanges,
  readExplanationMetadata,
  shownFigures,
} from '../../../src/core/figures/explanation/shown-figures.ts';
import { createPeopleSpendFold } from '../../../src/core/figures/measures/people-spend.ts';
import { creditsRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { explainCredits } from '../../../src/features/usage/explain/credits-parts.ts';
import { explainGroup } from '../../../src/features/usage/explain/people-parts.ts';
import { buildCreditsReport } from '../../../src/features/usage/reports/totals-report.ts';
import { buildGroupReport } from '../../../src/features/usage/reports/group-report.ts';
import { redactReport } from '../../../src/features/usage/reports/redact-report.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const PERIOD = { first: '2026-03-02', last: '2026-03-08' };
const DAYS = daysOf(PERIOD);
const PEOPLE = ['mia', 'max', 'ada', 'bo'].map((name) => `${name}@acme.example`);
const TEAM = PEOPLE.slice(0, 2);
const readAt = new Date('2026-03-20T00:00:00Z');
const scope = { period: PERIOD, comparedWith: undefined, today: '2026-03-20' };

/** The credits of each person on each day. */
type Amounts = readonly (readonly number[])[];
const amounts = fc.array(fc.array(fc.nat(1_000_000), { minLength: 7, maxLength: 7 }), { minLength: 4, maxLength: 4 });
const restatements = fc.array(fc.record({ person: fc.nat(3), day: fc.nat(6), amount: fc.nat(1_000_000) }), {
  maxLength: 6,
});

const restate = (before: Amounts, planted: readonly { person: number; day: number; amount: number }[]): Amounts =>
  before.map((own, person) =>
    own.map((amount, day) => planted.findLast((one) => one.person === person && one.day === day)?.amount ?? amount),
  );

const sumOn = (credits: Amounts, emails: readonly string[], day: number) =>
  PEOPLE.reduce((sum, email, at) => sum + (emails.includes(email) ? (credits[at]?.[day] ?? 0) : 0), 0);

function totalsOf(credits: Amounts) {
  const rows = DAYS.map((date, day) =>
    creditsRow.parse({
      date,
      billable_tokens: sumOn(credits, PEOPLE, day),
      input_tokens: 0,
      output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      by_model: [],
    }),
  );
  return { kind: 'read', rows, readAt } as const;
}

const explainTotal = (credits: Amounts) =>
  explainCredits(
    buildCreditsReport({ credits: totalsOf(credits), activity: { kind: 'read', rows: [], readAt } }, scope),
  );

function groupReport(credits: Amounts, emails: readonly string[]) {
  const fold = createPeopleSpendFold(PERIOD, undefined, (key) => emails.includes(key));
  for (const [day, date] of DAYS.entries())
    fold.add(
      creditsColumns(
        date,
        PEOPLE.map((email, at) => ({
          user_id: `u${at}`,
          user_email: email,
          billable_tokens: credits[at]?.[day] ?? 0,
        })),
      ),
    );
  const days = { kind: 'read', rows: DAYS, readAt } as const;
  const kind = emails.length === 1 ? 'person' : 'team';
  return buildGroupReport(
    {
      organization: totalsOf(credits),
      spend: { days, people: fold.people(), creditsOn: fold.creditsOn, emails: fold.emails },
      totals: { days: { ...days, rows: [] }, people: [], activeDays: 0 },
    },
    { ...scope, label: kind === 'team' ? '@web' : 'Mia', emails, kind, isInSlack: true, naming: undefined },
  );
}

/** The credits of these people as a check must report them. */
function expectedChange(before: Amounts, after: Amounts, emails: readonly string[], names: readonly Day[] = DAYS) {
  const total = (credits: Amounts) => DAYS.reduce((sum, _, day) => sum + sumOn(credits, emails, day), 0);
  const terms = DAYS.flatMap((date, day) => {
    const [was, is] = [sumOn(before, emails, day), sumOn(after, emails, day)];
    return was === is || !names.includes(date) ? [] : [{ name: formatDay(date), before: was, after: is }];
  });
  const change = { label: 'Credits', before: total(before), after: total(after), terms };
  return change.before !== change.after || terms.length > 0 ? [change] : [];
}

/** Through the modal, as a click sends it back. */
function check(shown: ReturnType<typeof explainTotal>, current: ReturnType<typeof explainTotal>) {
  const metadata = readExplanationMetadata(explanationMetadata('words', shown));
  return figureChanges(metadata?.figures ?? {}, shownFigures(current)).filter(({ label }) => label === 'Credits');
}

test('after planted restatements, a check reports exactly the difference of a total, a team and a person', () => {
  fc.assert(
    fc.property(amounts, restatements, (before, planted) => {
      const after = restate(before, planted);
      expect(check(explainTotal(before), explainTotal(after))).toEqual(expectedChange(before, after, PEOPLE));
      for (const emails of [TEAM, PEOPLE.slice(0, 1)]) {
        const [shown, current] = [groupReport(before, emails), groupReport(after, emails)];
        expect(check(explainGroup(shown), explainGroup(current))).toEqual(expectedChange(before, after, emails));
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});

test('of a team that may be shown only as a total, a check reports the difference of the total alone', () => {
  fc.assert(
    fc.property(amounts, restatements, (before, planted) => {
      const after = restate(before, planted);
      const [shown, current] = [before, after].map((credits) =>
        explainGroup(redactReport(groupReport(credits, TEAM), { isByDay: false, isCompared: false })),
      );
      const total = expectedChange(before, after, TEAM, []).filter((one) => one.before !== one.after);
      expect(check(shown ?? [], current ?? [])).toEqual(total);
    }),
    { numRuns: propertyRuns(500) },
  );
});
