import type { Kysely } from 'kysely';
import { audit } from '../../store/audit.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';

type UsageTables = {
  /** The user groups that `/usage teams` shows. */
  usage_teams: { group_id: string; chosen_by: string; chosen_at: string };
};

export const usagePolicies: PoliciesOf<UsageTables> = {
  usage_teams: { what: 'who chose the teams', reasonToKeep: 'the teams are shown' },
};

const withTeams = (db: Kysely<Tables>) => db.withTables<UsageTables>();

export async function chosenGroups(db: Database): Promise<string[]> {
  const rows = await withTeams(db).selectFrom('usage_teams').select('group_id').orderBy('group_id').execute();
  return rows.map((row) => row.group_id);
}

/** Replaces the user groups that `/usage teams` shows. */
export async function chooseGroups(db: Database, groupIds: readonly string[], by: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx: DatabaseTransaction) => {
    const teams = withTeams(trx);
    await teams.deleteFrom('usage_teams').execute();
    const rows = [...new Set(groupIds)].map((id) => ({ group_id: id, chosen_by: by, chosen_at: now.toISOString() }));
    if (rows.length > 0) await teams.insertInto('usage_teams').values(rows).execute();
    const detail = rows.length === 0 ? null : rows.map((row) => row.group_id).join(', ');
    await audit(trx, { about: 'usage:teams', actor: by, action: 'chose teams', detail }, now);
  });
}
