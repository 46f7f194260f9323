import type { Kysely } from 'kysely';
import { audit } from '../../store/audit.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Services } from '../../services.ts';
import type { Option } from '../../slack/blocks/inputs.ts';
import type { Team } from '../../slack/people/directory.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';

type ChosenTeamTables = {
  /** The user groups that `/usage teams` shows. */
  usageTeams: { groupId: string; chosenBy: string; chosenAt: string };
};

export const chosenTeamPolicies: PoliciesOf<ChosenTeamTables> = {
  usageTeams: { what: 'who chose the teams', reasonToKeep: 'the teams are shown' },
};

const withTeams = (db: Kysely<Tables>) => db.withTables<ChosenTeamTables>();

export async function chosenGroups(db: Database): Promise<string[]> {
  const rows = await withTeams(db).selectFrom('usageTeams').select('groupId').orderBy('groupId').execute();
  return rows.map((row) => row.groupId);
}

/** Replaces the user groups that `/usage teams` shows. */
export async function chooseGroups(db: Database, groupIds: readonly string[], by: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx: DatabaseTransaction) => {
    const teams = withTeams(trx);
    await teams.deleteFrom('usageTeams').execute();
    const rows = [...new Set(groupIds)].map((id) => ({ groupId: id, chosenBy: by, chosenAt: now.toISOString() }));
    if (rows.length > 0) await teams.insertInto('usageTeams').values(rows).execute();
    const detail = rows.length === 0 ? null : rows.map((row) => row.groupId).join(', ');
    await audit(trx, { about: 'usage:teams', actor: by, action: 'chose teams', detail }, now);
  });
}

/** A user group of Slack, in a form or command that takes one. */
export interface OfferedTeam extends Team {
  /** Whether an admin chose it as a team. */
  isChosen: boolean;
}

/** Returns all user groups, the chosen teams first: every form and command that offers groups does so in this order. */
export async function readOfferedTeams({ db, people }: Pick<Services, 'db' | 'people'>): Promise<OfferedTeam[]> {
  const [groups, chosen] = await Promise.all([people.teams(), chosenGroups(db)]);
  const offered = groups.map((group) => ({ ...group, isChosen: chosen.includes(group.id) }));
  return offered.toSorted(
    (a, b) => Number(b.isChosen) - Number(a.isChosen) || (a.handle < b.handle ? -1 : a.handle > b.handle ? 1 : 0),
  );
}

/** Returns the options of a field that takes a group. The chosen teams are marked if there are other groups too. */
export function teamOptions(teams: readonly OfferedTeam[], most: number): Option[] {
  const visible = teams.slice(0, most);
  const isMixed = visible.some(({ isChosen }) => isChosen) && visible.some(({ isChosen }) => !isChosen);
  return visible.map(({ id, handle, isChosen }) => ({
    value: id,
    text: `@${handle}`,
    ...(isMixed ? { description: isChosen ? 'Team' : 'Other group' } : {}),
  }));
}
