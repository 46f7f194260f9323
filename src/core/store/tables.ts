import { CamelCasePlugin, type Kysely, type Transaction } from 'kysely';

/**
 * Each part adds its own tables beside their description, so that the store does not know the parts above it. A feature
 * keeps its tables private with `db.withTables<ItsTables>()`.
 *
 * @example declare module './tables.ts' { interface Tables { deliveries: DeliveryTable } }
 */
export interface Tables {
  storeIdentity: { place: 'here'; id: string; teamId: string | null };
  /** One row per process that uses the store now, or did until recently. */
  storeHeartbeats: {
    process: string;
    beatAt: string;
    padding: string;
    /** The number of erasures that the process knows; null if its version does not record it. */
    erasuresRead: number | null;
    stoppedAt: string | null;
    /** The version of its rules of time zones; null if its version does not record it. */
    zoneRules: string | null;
  };
  /** At most one row: the last time span whose writes may be missing from the store. */
  storeSilences: { place: 'here'; reason: 'was_away' | 'went_back'; since: string; until: string };
}

class ColumnNames extends CamelCasePlugin {
  toStored(name: string): string {
    return this.snakeCase(name);
  }

  toProgram(name: string): string {
    return this.camelCase(name);
  }
}

/** Tables and columns are camelCase here and snake_case in the database. */
export const COLUMN_NAMES = new ColumnNames({ maintainNestedObjectKeys: true });

export type Database = Kysely<Tables>;
/** The only database handle to use inside a transaction. On SQLite, the outer `Database` would wait forever there. */
export type DatabaseTransaction = Transaction<Tables>;
