import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { userRow, type UserRow } from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { dayNumber } from '../../../../src/sandbox/platform/model/calendar.ts';
import { foldDay } from '../../../../src/sandbox/platform/model/day-figures.ts';
import { createOrganization } from '../../../../src/sandbox/platform/model/organization.ts';
import { daysOf } from '../../../../src/core/base/time/calendar.ts';
import { mostCreditsFirst } from '../../../../src/core/analytics/person-credits.ts';
import { createPeopleFold } from '../../../../src/core/figures/measures/people-fold.ts';
import { buildPeopleReport } from '../../../../src/features/usage/reports/people-report.ts';
import { peopleView } from '../../../../src/features/usage/views/people-view.ts';
import { NAMING } from '../../../support/slack/readers.ts';
import { generatedPeriod, seeds } from './generated.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const fold = (rows: readonly UserRow[]) => {
  const people = createPeopleFold();
  for (const row of rows) people.add(row);
  return mostCreditsFirst(people.people());
};

function rowsOf(seed: number, people: number, period: { first: string; last: string }): UserRow[] {
  const organization = createOrganization({ seed, people });
  return daysOf(period).flatMap((day) =>
    [...foldDay(organization, dayNumber(day), 1).users.values()].map((row) => userRow.parse(row)),
  );
}

const quiet: UserRow = {
  user_id: 'u1',
  user_email: 'mia@acme.example',
  date: '2026-03-02',
  tool_calls: 0,
  billable_tokens: 0,
  primary_model: null,
  primary_model_tier: null,
  files_created: 0,
  files_edited: 0,
  git_commits: 0,
  git_prs_created: 0,
  mcp_calls: 0,
  skill_calls: 0,
  slash_commands: 0,
  hooks: 0,
  sessions: 0,
  messages: 0,
  user_messages: 0,
  assistant_messages: 0,
  autonomy_ratio: null,
  delegation_level: null,
  languages: [],
};
const busy = (change: Partial<UserRow>): UserRow => ({ ...quiet, sessions: 1, ...change });

describe('the fold of people', () => {
  test('adds up every measure of every person, for any order of the rows', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 1, max: 40 }),
        generatedPeriod(20),
        fc.integer(),
        (seed, size, period, mix) => {
          const rows = rowsOf(seed, size, period);
          const people = fold(rows);
          for (const person of people) {
            const own = rows.filter((row) => (row.user_email?.toLowerCase() ?? `id:${row.user_id}`) === person.key);
            const sum = (measure: (row: UserRow) => number | null) =>
              own.reduce((total, row) => total + (measure(row) ?? 0), 0);
            expect(person).toMatchObject({
              credits: sum((row) => row.billable_tokens),
              sessions: sum((row) => row.sessions),
              messages: sum((row) => row.messages),
              userMessages: sum((row) => row.user_messages),
              toolCalls: sum((row) => row.tool_calls),
              commits: sum((row) => row.git_commits),
              pullRequests: sum((row) => row.git_prs_created),
              filesCreated: sum((row) => row.files_created),
              filesEdited: sum((row) => row.files_edited),
              activeDays: new Set(own.map((row) => row.date)).size,
              lastActiveDay: own
                .map((row) => row.date)
                .toSorted()
                .at(-1),
              languages: [...new Set(own.flatMap((row) => row.languages))].toSorted(),
            });
          }
          const shuffled = rows.toSorted(
            (a, b) => (((a.billable_tokens ?? 0) * (mix | 1)) % 97) - (((b.billable_tokens ?? 0) * (mix | 1)) % 97),
          );
          expect(fold(shuffled)).toEqual(people);
          expect(people.map((person) => person.credits)).toEqual(
            people.map((person) => person.credits).toSorted((a, b) => b - a),
          );
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  test('treats e-mails that differ in letter case as one person', () => {
    const people = fold([
      busy({ user_email: 'Mia@Acme.Example', billable_tokens: 5 }),
      busy({ user_id: 'u0', billable_tokens: 7 }),
    ]);
    expect(people).toMatchObject([
      { email: 'mia@acme.example', userId: 'u0', credits: 12, activeDays: 1, sessions: 2 },
    ]);
  });

  test('keeps people without an e-mail apart by their id', () => {
    const people = fold([busy({ user_email: null }), busy({ user_email: null, user_id: 'u2' })]);
    expect(people.map(({ email, userId }) => [email, userId])).toEqual([
      [undefined, 'u1'],
      [undefined, 'u2'],
    ]);
  });

  test('names the delegation level of most active days, and of several the one used last', () => {
    const days = (levels: readonly (string | null)[]) =>
      fold(levels.map((delegation_level, index) => busy({ date: `2026-03-0${index + 1}`, delegation_level })));
    expect(days(['manual', 'manual', 'auto-high'])[0]?.delegationLevel).toBe('manual');
    expect(days(['auto-high', 'manual'])[0]?.delegationLevel).toBe('manual');
    expect(days([null])[0]?.delegationLevel).toBeUndefined();
  });

  test('does not count a day without activity of the person', () => {
    expect(fold([quiet])).toMatchObject([{ activeDays: 0, lastActiveDay: undefined }]);
  });

  test('processes people one by one, so that others get their turn between thousands', () => {
    const asked: string[] = [];
    const people = createPeopleFold((key) => asked.push(key) > 0);
    for (const name of ['ada', 'mia', 'noa']) people.add(busy({ user_id: name, user_email: `${name}@acme.example` }));
    const [first] = people.people();
    expect(first?.key).toBe('ada@acme.example');
    expect(asked).toEqual(['ada@acme.example']);
  });

  test('counts days well past the bits of one number', () => {
    const days = daysOf({ first: '2026-01-14', last: '2026-06-30' });
    expect(fold(days.map((date) => busy({ date })))[0]?.activeDays).toBe(days.length);
  });
});

describe('a value that the platform omits for a person', () => {
  const rows = [
    userRow.parse({ ...quiet, billable_tokens: null, sessions: 2, messages: 4 }),
    userRow.parse({ ...quiet, date: '2026-03-03', billable_tokens: 30, sessions: undefined }),
    userRow.parse({ ...quiet, user_id: 'u2', user_email: 'max@acme.example', billable_tokens: 5 }),
  ];

  test('is left out of their sums, and affects no other', () => {
    expect(fold(rows)).toMatchObject([
      { email: 'mia@acme.example', credits: 30, sessions: 2, messages: 4, activeDays: 2 },
      { email: 'max@acme.example', credits: 5 },
    ]);
  });

  test('is counted in the small print', () => {
    const people = createPeopleFold();
    for (const row of rows) people.add(row);
    const days = { kind: 'read', rows: ['2026-03-02', '2026-03-03'], readAt: new Date() } as const;
    const scope = {
      period: { first: '2026-03-02', last: '2026-03-03' },
      comparedWith: undefined,
      today: '2026-03-04',
    };
    const told = (missingValues: number) => {
      const report = buildPeopleReport({ days, people: mostCreditsFirst(people.people()), missingValues }, scope);
      const view = peopleView(report, { notes: [], faults: [] }, NAMING);
      return [view.lines.at(-1), JSON.stringify(view.blocks)];
    };
    for (const text of told(people.missingValues())) expect(text).toContain('without 2 values the platform left out');
    for (const text of told(0)) expect(text).not.toContain('left out');
  });
});
