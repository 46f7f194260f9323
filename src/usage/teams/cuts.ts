import { admitGroup, type GroupCut } from '../../figures/groups/group.ts';
import type { GateDeps } from '../../figures/groups/gate.ts';
import type { ReportScope } from '../../figures/measures/figures.ts';
import { NO_TEAM, type ChosenTeam, type TeamLine, type TeamsReport } from './report.ts';

/** How much of each team may be shown, by the name of its line; a team that is missing may not be shown. */
export type TeamCuts = ReadonlyMap<string, GroupCut>;

/** Runs the small-group check on each team, and on the people in none; undefined if nothing needs hiding. */
export async function admitTeams(
  deps: GateDeps,
  teams: readonly ChosenTeam[],
  scope: ReportScope,
): Promise<TeamCuts | undefined> {
  if (deps.config.minGroup <= 1) return undefined;
  const cuts = new Map<string, GroupCut>();
  // The sum of people in no team reveals the sum of all teams together.
  const all = { label: NO_TEAM, emails: teams.flatMap(({ emails }) => emails) };
  for (const { label, emails } of [...teams, all]) {
    const verdict = await admitGroup(deps, { label, emails }, scope, { hasDays: false });
    if (verdict.kind === 'shown' && verdict.cut) cuts.set(label, verdict.cut);
    if (verdict.kind === 'unreadable') throw verdict.fault;
  }
  return cuts;
}

/** Removes from a report everything that may not be shown. Pure. */
export function cutTeams(report: TeamsReport, cuts: TeamCuts | undefined): TeamsReport {
  if (!cuts) return report;
  const lines = report.teams.flatMap((line) => cutLine(line, cuts.get(line.name)) ?? []);
  const hidden = report.teams.filter(({ name }) => !cuts.has(name)).map(({ name }) => name);
  const rest = report.rest && cutLine(report.rest, cuts.get(NO_TEAM));
  return { ...report, teams: lines, rest, hidden, inSeveral: 0 };
}

function cutLine(line: TeamLine, cut: GroupCut | undefined): TeamLine | undefined {
  if (!cut) return undefined;
  if (cut.isCompared) return { ...line, active: undefined };
  const { before: _before, was: _was, ...shown } = line;
  return { ...shown, active: undefined };
}
