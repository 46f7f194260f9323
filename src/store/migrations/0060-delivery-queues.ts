import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owner: outbox. A queue for each channel: its head is found by an index, and the database lets one delivery of it be under way. */
export const deliveryQueuesMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['last_posting_at', 'channel_rests_until', 'unreadable_since'])
      await db.schema.alterTable('deliveries').addColumn(column, 'text').execute();
    await sql`update deliveries set last_posting_at = first_posting_at`.execute(db);
    // The version before let two deliveries of one channel be under way, where a lease had ended: they are taken up anew.
    await sql`update deliveries set state = 'unknown', leased_by = null, leased_until = null where state = 'posting'`.execute(
      db,
    );
    await sql`update deliveries set state = 'waiting', leased_by = null, leased_until = null where state = 'claimed'`.execute(
      db,
    );
    await sql`create index deliveries_queue on deliveries (channel, next_attempt_at, created_at, key)
      where state in ('waiting', 'unknown')`.execute(db);
    await sql`create unique index deliveries_under_way on deliveries (channel)
      where state in ('claimed', 'posting')`.execute(db);
    await sql`create index deliveries_rest on deliveries (channel, channel_rests_until)
      where channel_rests_until is not null`.execute(db);
    await sql`create index deliveries_open on deliveries (channel, kind, created_at, key)
      where state in ('waiting', 'claimed', 'posting', 'unknown')`.execute(db);
    await sql`drop index deliveries_channel`.execute(db);
  },
};
