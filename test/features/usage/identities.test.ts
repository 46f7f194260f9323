import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostCreditsFirst, createIdentities } from '../../../src/core/analytics/person-credits.ts';
import type { AnalyticsDays } from '../../../src/core/analytics/days.ts';
import { readEvidence } from '../../../src/features/limits/card/evidence.ts';
import { userRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { daysOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import { createPeopleFold } from '../../../src/core/figures/measures/people-fold.ts';
import { createPeopleSpendFold } from '../../../src/core/figures/measures/people-spend.ts';
import { buildGroupReport } from '../../../src/features/usage/reports/group-report.ts';
import { groupView } from '../../../src/features/usage/views/group-view.ts';
import { NAMING } from '../../support/slack/readers.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const PERIOD = { first: '2026-03-02', last: '2026-03-08' };
const DAYS = daysOf(PERIOD);
const MIA = 'mia@acme.example';

interface Row {
  user_id: string;
  user_email: string | null;
  date: string;
}

/** Ten credits and one session per row. */
function userOf(row: Row) {
  const nothing = Object.fromEntries(Object.keys(userRow.shape).map((name) => [name, 0]));
  const texts = { primary_model: null, primary_model_tier: null, delegation_level: null, languages: [] };
  return userRow.parse({ ...nothing, ...texts, ...row, billable_tokens: 10, sessions: 1, messages: 2 });
}

function reportOf(rows: readonly Row[], email: string, isNamed = true, isInSlack = false) {
  const isWanted = (key: string) => key === email;
  const [totals, spend] = [createPeopleFold(isWanted), createPeopleSpendFold(PERIOD, undefined, isWanted)];
  for (const row of rows) {
    totals.add(userOf(row));
    spend.add(creditsColumns(row.date, [{ ...row, billable_tokens: 10 }]));
  }
  const days = { kind: 'read', rows: DAYS, readAt: new Date('2026-03-12T00:00:00Z') } as const;
  return buildGroupReport(
    {
      organization: { ...days, rows: [] },
      spend: { days, people: spend.people(), creditsOn: spend.creditsOn, emails: spend.emails },
      totals: { days, people: mostCreditsFirst(totals.people()), activeDays: totals.activeDays() },
    },
    {
      period: PERIOD,
      comparedWith: undefined,
      today: '2026-03-12',
      label: email,
      emails: [email],
      kind: 'person',
      isInSlack,
      naming: isNamed ? NAMING : undefined,
    },
  );
}

const others = DAYS.map((date) => ({ user_id: 'u9', user_email: 'max@acme.example', date }));
/** Her e-mail is missing on the first and the fourth day. */
const forgotten = DAYS.map((date, at) => ({ user_id: 'u1', user_email: at % 3 === 0 && at < 6 ? null : MIA, date }));

describe('the figures of a person by their e-mail', () => {
  test('are those of all days, including two on which the platform omitted it', () => {
    const report = reportOf([...others, ...forgotten], MIA);
    expect(report.credits).toMatchObject({ kind: 'known', value: { value: 70 } });
    expect(report.activeDays).toMatchObject({ value: 7 });
    expect(report.people).toMatchObject({
      value: [{ email: MIA, userId: 'u1', credits: 70, sessions: 7, activeDays: 7 }],
    });
    expect(report.days.map(({ row }) => row?.billable_tokens)).toEqual(DAYS.map(() => 10));
    expect(report.withoutFigures.inactive).toEqual([]);
    expect(groupView(report, { notes: [], faults: [] }).lines.join('\n')).toContain('active on 7 of 7 days');
  });

  test('are those of all their ids, in any letter case', () => {
    const second = DAYS.slice(0, 3).map((date) => ({ user_id: 'u2', user_email: 'Mia@Acme.Example', date }));
    const report = reportOf([...second, ...others, ...forgotten], MIA);
    expect(report.people).toMatchObject({ value: [{ email: MIA, userId: 'u1', credits: 100, activeDays: 7 }] });
  });

  test.each([MIA, 'mia.new@acme.example'])('are those of both e-mails of one id, by each: %s', (asked) => {
    const renamed = DAYS.map((date, at) => ({
      user_id: 'u1',
      user_email: at < 4 ? MIA : 'mia.new@acme.example',
      date,
    }));
    const report = reportOf([...renamed, ...others], asked);
    expect(report.credits).toMatchObject({ value: { value: 70 } });
    expect(report.people).toMatchObject({ value: [{ email: 'mia.new@acme.example', otherEmails: [MIA] }] });
    expect(report.withoutFigures.inactive).toEqual([]);
  });
});

describe('an address that appears nowhere in the figures', () => {
  const wordsOf = (email: string, isNamed: boolean) =>
    groupView(reportOf([...forgotten, ...others], email, isNamed), { notes: [], faults: [] }).lines.join('\n');

  test('is reported as unknown with the nearest one, and not as zero', () => {
    const words = wordsOf('mja@acme.example', true);
    expect(words).toContain('mja@acme.example doesn’t appear in the figures of these days');
    expect(words).toContain(`Did you mean ${MIA}?`);
    expect(words).not.toContain('credits');
  });

  test('used nothing on a day off if Slack knows the address', () => {
    const report = reportOf([...forgotten, ...others], 'mja@acme.example', true, true);
    const words = groupView(report, { notes: [], faults: [] }).lines.join('\n');
    expect(words).toContain('No credits used');
    expect(words).not.toMatch(/doesn’t appear|Did you mean/);
  });

  test('is reported without a suggestion if none is near', () => {
    expect(wordsOf('somebody.else@other.example', true)).not.toContain('Did you mean');
  });

  test('is reported without a suggestion to users who may not know of others', () => {
    const words = wordsOf('mja@acme.example', false);
    expect(words).toContain('doesn’t appear');
    expect(words).not.toContain(MIA);
  });
});

test('the evidence on a card covers all days of a person, including those on which the platform omitted the e-mail', async () => {
  const peopleCredits: AnalyticsDays['peopleCredits'] = async (period, take) => {
    const days = daysOf(period);
    for (const [at, date] of days.entries())
      take(
        creditsColumns(date, [
          { user_id: 'u1', user_email: at % 2 === 0 ? 'MIA@acme.example' : null, billable_tokens: 10 },
        ]),
      );
    return { kind: 'read', rows: days, readAt: new Date() };
  };
  const reading = await readEvidence(
    { peopleCredits },
    [{ email: MIA, amount: 5 }],
    new Date(`${plusDays(PERIOD.last, 1)}T07:00:00Z`),
  );
  expect(reading).toMatchObject({ evidence: { peopleWithCredits: 1, people: [{ email: MIA, short: 70, long: 280 }] } });
});

test('the identity of a person does not depend on the order of the rows', () => {
  const row = fc.record({
    user_id: fc.constantFrom('u1', 'u2', 'u3', 'u4'),
    user_email: fc.constantFrom(null, 'a@x.example', 'A@x.example', 'b@x.example', 'c@x.example'),
    date: fc.constantFrom(...DAYS),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const peopleOf = (some: typeof rows) => {
        const identities = createIdentities();
        const ids = some.map((each) => [identities.learnRow(each, each.date), each.user_id] as const);
        return identities
          .people()
          .map(({ identity, places }) => {
            const theirs = ids.filter(([place]) => places.includes(place)).map(([, id]) => id);
            return JSON.stringify([identity, [...new Set(theirs)].toSorted((a, b) => (a < b ? -1 : 1))]);
          })
          .toArray()
          .toSorted((a, b) => (a < b ? -1 : 1));
      };
      expect(peopleOf(rows.toReversed())).toEqual(peopleOf(rows));
    }),
    { numRuns: 200 },
  );
});
