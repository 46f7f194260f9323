import { Client } from 'pg';
import { toLibpqAddress } from '../../core/store/engines/libpq-address.ts';
import { POSTGRES_POOL_SIZE } from '../../core/store/engines/postgres-pool.ts';
import { warning, type Finding } from './finding.ts';

/** A pooler lets a query wait while all of its connections are in use. */
const PATIENCE_MS = 3_000;

/** Returns how many connections can be used at the same time, out of those that one process opens. */
export async function countUsableConnections(databaseUrl: string): Promise<number> {
  const connectionString = toLibpqAddress(databaseUrl);
  const clients = Array.from(
    { length: POSTGRES_POOL_SIZE },
    () => new Client({ connectionString, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS }),
  );
  // Outside of transactions: only a pooler that pools by session keeps a connection to Postgres for each of them.
  const uses = clients.map(async (client) => {
    client.on('error', () => {});
    await client.connect();
    await client.query('select 1');
  });
  const outcomes = await Promise.allSettled(uses);
  await Promise.allSettled(clients.map((client) => client.end()));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

/** Processes that are running use connections too, so fewer may be free now than a start would find. Pure. */
export const judgePooler = (usable: number | undefined): Finding[] =>
  usable === undefined || usable >= POSTGRES_POOL_SIZE
    ? []
    : [
        warning(
          'DATABASE_URL',
          `Only ${usable} of the ${POSTGRES_POOL_SIZE} connections that a process of Quartermaster keeps could be used at the same time. Raise the pool size of the pooler (default_pool_size of pgbouncer), or let it pool by transaction; if the processes are running now, they may use the others.`,
        ),
      ];
