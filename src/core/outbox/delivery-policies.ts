import { sql } from 'kysely';
import type { Identifiers } from '../base/privacy/pseudonyms.ts';
import { bySlackId, isAmong, writeTexts, type Changes, type PoliciesOf, type Row } from '../store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../store/tables.ts';

/** @param quotesSettings whether the messages of a kind quote settings */
export function deliveryPolicies(
  quotesSettings: (kind: string) => boolean,
): PoliciesOf<Pick<Tables, 'deliveries' | 'deliveryHistory' | 'forgottenDeliveries'>> {
  return {
    deliveryHistory: {
      what: 'delivery records',
      references: ['deliveries'],
      deleted: ({ slackId }) =>
        sql<boolean>`delivery_key in (select key from deliveries where ${isAmong('channel', slackId)})`,
      reasonToKeep: 'each message can be explained',
      // Changes with the delivery.
      columns: { deliveryKey: 'fixed' },
    },
    deliveries: {
      what: 'messages',
      deleted: bySlackId('channel'),
      reasonToKeep: 'nothing is posted twice',
      content: ({ kind }) => (quotesSettings(String(kind)) ? 'settings text' : 'text'),
      beforeErasure: skipOpenDeliveries,
      pseudonymize: pseudonymizeDelivery,
    },
    forgottenDeliveries: { what: 'keys of messages of long ago', reasonToKeep: 'nothing is posted twice' },
  };
}

/** A replica that is about to post one of them finds that it is final. */
async function skipOpenDeliveries(db: Database, { slackId }: Identifiers, now: Date): Promise<void> {
  if (slackId.length === 0) return;
  await db
    .updateTable('deliveries')
    .set({
      state: 'skipped',
      reason: 'The person’s data was erased.',
      leasedBy: null,
      leasedUntil: now.toISOString(),
    })
    .where('channel', 'in', slackId)
    .where('state', 'not in', ['sent', 'skipped', 'failed'])
    .execute();
}

async function pseudonymizeDelivery(
  trx: DatabaseTransaction,
  before: Row,
  { key, ...changes }: Changes,
): Promise<boolean> {
  // A post under way is settled by its key. The second check finds this row.
  const isRenamed = key !== undefined && before['state'] !== 'posting';
  if (!isRenamed && Object.keys(changes).length === 0) return false;
  if (isRenamed) await renameDelivery(trx, before, { ...before, ...changes, key });
  else await writeTexts(trx, 'deliveries', changes, sql<boolean>`key = ${before['key']}`);
  return true;
}

/** The history references a delivery by its key, so for a moment there are two deliveries. */
async function renameDelivery(trx: DatabaseTransaction, before: Row, after: Row): Promise<void> {
  const columns = sql.join(Object.keys(after).map((column) => sql.ref(column)));
  await sql`insert into deliveries (${columns}) values (${sql.join(Object.values(after))})
    on conflict (key) do nothing`.execute(trx);
  await sql`update delivery_history set delivery_key = ${after['key']} where delivery_key = ${before['key']}`.execute(
    trx,
  );
  await sql`delete from deliveries where key = ${before['key']}`.execute(trx);
}
