import { describe, expect, test } from 'vitest';
import { buildTeamsReport, type ChosenTeam } from '../../../src/features/teams/teams-report.ts';
import { teamsView } from '../../../src/features/usage/views/teams-view.ts';
import { READ_AT } from './views/generated.ts';

const scope = {
  period: { first: '2026-03-03', last: '2026-03-03' },
  comparedWith: { first: '2026-02-24', last: '2026-02-24' },
  today: '2026-03-05',
};
const days = (...rows: string[]) => ({ kind: 'read', rows, readAt: READ_AT }) as const;
const credits = { kind: 'read', rows: [], readAt: READ_AT } as const;
const person = (name: string, amount: number, before: number) => {
  const email = `${name}@acme.example`;
  return { key: email, email, userId: name, credits: amount, before };
};
const team = (label: string, ...names: string[]): ChosenTeam => ({
  label,
  members: names.length,
  emails: names.map((name) => `${name}@acme.example`),
});

const people = [person('mia', 300_000, 200_000), person('max', 100_000, 100_000), person('nora', 50_000, 0)];
const reportOf = (teams: readonly ChosenTeam[]) =>
  buildTeamsReport({ spend: { days: days('2026-02-24', '2026-03-03'), people }, teams, credits }, scope);

describe('the teams that an admin chose', () => {
  test('have their members, credits and change, and people in none are named as such', () => {
    const { teams, rest } = reportOf([team('@infra', 'max', 'idle'), team('@web', 'mia')]);
    expect(teams).toEqual([
      { name: '@web', members: 1, active: 1, value: 300_000, before: 200_000 },
      { name: '@infra', members: 2, active: 1, value: 100_000, before: 100_000 },
    ]);
    expect(rest).toEqual({ name: 'No team', members: undefined, active: 1, value: 50_000, before: 0 });
  });

  test('mention, only if it occurs, that people in several count in each', () => {
    const said = (...teams: ChosenTeam[]) => teamsView(reportOf(teams), { notes: [], faults: [] }).lines.join('\n');
    const web = team('@web', 'mia', 'max');
    expect(said(web, team('@infra', 'max'))).toContain(
      '1 person is in several teams and counts in each, so the rows add up to more than the total.',
    );
    expect(said(web, team('@infra', 'max', 'mia'))).toContain('2 people are in several teams and count in each');
    expect(said(web, team('@infra', 'nora'))).not.toContain('several teams');
  });

  test('are compared only if every day of both periods is published', () => {
    const report = buildTeamsReport(
      { spend: { days: days('2026-03-03'), people }, teams: [team('@web', 'mia')], credits },
      scope,
    );
    expect(report.teams[0]).not.toHaveProperty('before');
    expect(teamsView(report, { notes: [], faults: [] }).lines.join('\n')).not.toContain('Change');
  });

  test('are suggested if none are chosen', () => {
    expect(teamsView(reportOf([]), { notes: [], faults: [] }).lines).toContain(
      'No teams yet. An admin of Quartermaster can choose them with /usage teams.',
    );
  });
});
