import { sql, type Kysely } from 'kysely';
import { POSTGRES_POOL_SIZE } from './postgres-pool.ts';
import { StoreError } from './store-error.ts';

/** The connections that the user of DATABASE_URL may open, by each of Postgres's limits. */
export interface Allowance {
  /** The limit of the server, without the connections reserved for its administrators. */
  server: number;
  /** The limit of the database, and that of the user; -1: none. */
  database: number;
  user: number;
}

export async function readAllowance<T>(db: Kysely<T>): Promise<Allowance | undefined> {
  const { rows } = await sql<Allowance>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server,
      datconnlimit as database, rolconnlimit as user
    from pg_database, pg_roles where datname = current_database() and rolname = current_user`.execute(db);
  return rows[0];
}

/** @returns one sentence for the operator; undefined if a process may open enough connections */
export function judgeAllowance({ server, database, user }: Allowance): string | undefined {
  const need = `a process of Quartermaster needs ${POSTGRES_POOL_SIZE}`;
  if (isTooFew(user))
    return `The user in DATABASE_URL may open ${user} connections, and ${need}: raise its CONNECTION LIMIT.`;
  if (isTooFew(database))
    return `The database in DATABASE_URL takes ${database} connections, and ${need}: raise its CONNECTION LIMIT.`;
  if (isTooFew(server)) return `Postgres takes ${server} connections, and ${need}: raise max_connections.`;
  return undefined;
}

/** @throws StoreError if there are too few connections: some work would fail now and then, with misleading errors */
export async function requireConnections<T>(db: Kysely<T>): Promise<void> {
  const allowance = await readAllowance(db);
  const fault = allowance && judgeAllowance(allowance);
  if (fault) throw new StoreError(fault);
}

const isTooFew = (limit: number) => limit >= 0 && limit < POSTGRES_POOL_SIZE;
