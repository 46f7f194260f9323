import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Until 0.2.0, keys held the subject of a message. These patterns extract it, once; no other code parses keys. */
const RELEASED_KEYS: Readonly<Record<string, RegExp>> = {
  digest: /^digest:(?<about>[^:]+):(?:(?<slot>\d{4}-\d{2}-\d{2})$|)/,
  'readiness-notice': /^readiness:[^:]+:(?<about>.+)$/,
  'limit-card': /^limit-card:(?<about>[^:]+):/,
  'limit-card-copies': /^limit-card-copies:(?<about>[^:]+)/,
  'limit-question': /^limit-question:(?<about>.+)$/,
  'computer-card': /^computer:(?<about>.+):card(?:-direct)?$/,
  'controls-growth': /^(?<about>.+):growth:/,
  'controls-thread': /^(?<about>.+):thread:/,
  'controls-acknowledgement': /^(?<about>.+):acknowledged:/,
};
const COPY_FOR_ADMIN = /:(?<slot>admins):[UW]\w+$/;

const ROWS_A_TURN = 500;

/** Returns the subject of a message of an earlier version, and which of the messages about this subject it is. Pure. */
export function readReleasedKey(kind: string, key: string): { about: string; slot: string | null } {
  const groups = (RELEASED_KEYS[kind] ?? (kind.endsWith('-notice') ? COPY_FOR_ADMIN : undefined))?.exec(key)?.groups;
  return { about: groups?.['about'] ?? '', slot: groups?.['slot'] ?? null };
}

/**
 * Fills in the subject of messages written before version 0.3.0: those in a store that is upgraded, and those of an old
 * process that still runs beside a new one.
 *
 * @returns the number of messages; at most 500
 */
export async function fillAbout<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ key: string; kind: string }>`
    select key, kind from deliveries where about is null limit ${sql.lit(ROWS_A_TURN)}`.execute(db);
  for (const { key, kind } of rows) {
    const { about, slot } = readReleasedKey(kind, key);
    await sql`update deliveries set about = ${about}, slot = ${slot} where key = ${key} and about is null`.execute(db);
  }
  return rows.length;
}

/** The subject of each message, which links it to other messages about the same subject. */
export const deliveryAboutMigration: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('deliveries').addColumn('about', 'text').execute();
    await db.schema.alterTable('deliveries').addColumn('slot', 'text').execute();
    await db.schema.createIndex('deliveries_about').on('deliveries').columns(['kind', 'about', 'created_at']).execute();
    await sql`create index deliveries_without_about on deliveries (key) where about is null`.execute(db);
    while ((await fillAbout(db)) > 0);
  },
};
