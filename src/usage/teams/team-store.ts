import type { Kysely } from 'kysely';
import { audit } from '../../store/audit.ts';
import type { PoliciesOf } from '../../store/policies/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';

type UsageTables = {
  /** The user groups that `/usage teams` shows. */
  usageTeams: { groupId: string; chosenBy: string; chosenAt: string };
};

export const usagePolicies: PoliciesOf<UsageTables> = {
  usageTeams: { what: 'who chose the teams', reasonToKeep: 'the teams are shown' },
};

const withTeams = (db: Kysely<Tables>) => db.withTables<UsageTables>();

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
