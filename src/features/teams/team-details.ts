import { allowGroupDetail, type GroupDetail } from '../../core/figures/groups/group.ts';
import type { GateDeps, ShownTo } from '../../core/figures/groups/gate.ts';
import type { ReportScope } from '../../core/figures/measures/figures.ts';
import { NO_TEAM, type ChosenTeam, type TeamLine, type TeamsReport } from './teams-report.ts';

/** How much of each team may be shown, by the name of its line; a team that is missing may not be shown. */
export type TeamDetails = ReadonlyMap<string, GroupDetail>;

/** Runs the small-group check on each team, and on the people in none; undefined if nothing needs hiding. */
export async function allowTeamDetails(
  deps: GateDeps,
  teams: readonly ChosenTeam[],
  scope: ReportScope,
  shownTo: ShownTo,
): Promise<TeamDetails | undefined> {
  if (deps.config.minGroup <= 1) return undefined;
  const details = new Map<string, GroupDetail>();
  // The sum of people in no team reveals the sum of all teams together.
  const all = { label: NO_TEAM, emails: teams.flatMap(({ emails }) => emails) };
  for (const { label, emails } of [...teams, all]) {
    const verdict = await allowGroupDetail(deps, { label, emails }, scope, { hasDays: false, shownTo });
    if (verdict.kind === 'shown' && verdict.detail) details.set(label, verdict.detail);
    if (verdict.kind === 'unreadable') throw verdict.fault;
  }
  return details;
}

export function redactTeams(report: TeamsReport, details: TeamDetails | undefined): TeamsReport {
  if (!details) return report;
  const lines = report.teams.flatMap((line) => redactLine(line, details.get(line.name)) ?? []);
  const hidden = report.teams.filter(({ name }) => !details.has(name)).map(({ name }) => name);
  const rest = report.rest && redactLine(report.rest, details.get(NO_TEAM));
  const redacted = { ...report, teams: lines, rest, hidden, inSeveral: 0 };
  return report.isAtOnePrice ? redacted : withoutMoney(redacted);
}

const lineWithoutMoney = (line: TeamLine): TeamLine => ({ ...line, cost: undefined });

function withoutMoney(report: TeamsReport): TeamsReport {
  const { teams, rest } = report;
  return {
    ...report,
    cost: undefined,
    teams: teams.map((line) => lineWithoutMoney(line)),
    rest: rest && lineWithoutMoney(rest),
  };
}

function redactLine(line: TeamLine, detail: GroupDetail | undefined): TeamLine | undefined {
  if (!detail) return undefined;
  if (detail.isCompared) return { ...line, active: undefined };
  const { before: _before, was: _was, ...uncompared } = line;
  return { ...uncompared, active: undefined };
}
