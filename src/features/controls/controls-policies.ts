import { sql } from 'kysely';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { digestOfJson } from '../../core/platform/redaction/json.ts';
import { ROWS_A_TRANSACTION, rowRetention, untilNothingIsLeft } from '../../core/store/row-retention.ts';
import { writeTexts, type Changes, type PoliciesOf, type Row } from '../../core/store/table-policy.ts';
import type { Database, DatabaseTransaction } from '../../core/store/tables.ts';
import { type ControlsTables, tablesIn, tablesInTransaction } from './core/revisions.ts';

const ACKNOWLEDGED = { table: 'controlsAcknowledged', key: ['noticeKey', 'through'], column: 'at' };

export const controlsPolicies: PoliciesOf<ControlsTables> = {
  revisions: {
    what: 'changes to the enterprise controls',
    reasonToKeep: 'the history stays whole',
    content: 'platform',
    columns: {
      settings: 'settings',
      members: 'paths',
      userName: (row, identifiers) => (isAuthor(row, identifiers) ? 'name' : 'platform'),
    },
    // A change of the platform's settings is no data about its author.
    ofOthers: ['settings'],
    people: {
      where: (email) => sql<boolean>`lower(user_email) = ${email}`,
      read: ({ userEmail: email, userId, userName: name }) => [{ email, userId, name }],
    },
    pseudonymize: pseudonymizeRevision,
    // The changes themselves stay.
    retention: [{ kind: 'audit', prune: (db, before) => untilNothingIsLeft(() => forgetAuthors(db, before)) }],
  },
  controlsAcknowledged: {
    what: 'who acknowledged a change',
    reasonToKeep: 'that it was seen can be proved',
    retention: [rowRetention('audit', ACKNOWLEDGED)],
  },
  controlsAnnounced: { what: 'changes that were announced' },
  controlsCursor: { what: 'reading position of the controls' },
};

/** Whether messages of a kind quote the settings. Messages of earlier versions are known by the beginning alone. */
export const quotesSettings = (kind: string): boolean => kind.startsWith('controls-');

/** Whether the person made a revision. It may already have their pseudonym. */
function isAuthor({ userEmail: email, userId }: Row, identifiers: Identifiers): boolean {
  return (
    (typeof email === 'string' && identifiers.email.includes(email.toLowerCase())) ||
    (typeof userId === 'string' && identifiers.userId.includes(userId))
  );
}

/** Updates the digest of a revision: the platform's copy already has the pseudonyms, and digests are compared. */
async function pseudonymizeRevision(trx: DatabaseTransaction, before: Row, changes: Changes): Promise<boolean> {
  const { settings } = changes;
  const digest = settings === undefined ? undefined : digestOfJson(JSON.parse(settings));
  const isRow = sql<boolean>`revision = ${before['revision']}`;
  if (digest !== undefined)
    await tablesInTransaction(trx)
      .updateTable('controlsAnnounced')
      .set({ digest })
      .where('revision', '=', Number(before['revision']))
      .where('digest', '=', String(before['digest']))
      .execute();
  await writeTexts(trx, 'revisions', { ...changes, ...(digest !== undefined && { digest }) }, isRow);
  return true;
}

async function forgetAuthors(db: Database, before: Date): Promise<number> {
  const tables = tablesIn(db);
  const named = tables
    .selectFrom('revisions')
    .select('revision')
    .where('changedAt', '<', before.toISOString())
    .where((where) =>
      where.or([
        where('userId', 'is not', null),
        where('userName', 'is not', null),
        where('userEmail', 'is not', null),
      ]),
    )
    .limit(ROWS_A_TRANSACTION);
  const emptied = await tables
    .updateTable('revisions')
    .set({ userId: null, userName: null, userEmail: null })
    .where('revision', 'in', named)
    .executeTakeFirst();
  return Number(emptied.numUpdatedRows);
}
