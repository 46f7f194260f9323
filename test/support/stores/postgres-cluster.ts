import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { Engine } from '../../../src/store/store.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { readDatabase } from './databases.ts';
import { findPostgres, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a server that tests may create databases on; missing where there is none. */
    postgresUrl: string | undefined;
    /** Ends a `create database` so that it has all tables from the beginning. */
    postgresCopying: string | undefined;
    /** On which engines this part of the suite runs. */
    engines: readonly Engine[];
  }
}

/**
 * Gives the suite a Postgres: the one of `TEST_POSTGRES_URL`, or a throw-away cluster if the server's programs are on this
 * machine. Otherwise the Postgres half is skipped, and says so.
 */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_POSTGRES_URL'];
  const programs = given ? undefined : findPostgres();
  if (given || !programs) {
    if (!given) process.stderr.write('SKIPPED: no Postgres here; set TEST_POSTGRES_URL or install postgresql.\n');
    project.provide('postgresUrl', given);
    return undefined;
  }
  const server = await startPostgresServer(programs);
  project.provide('postgresUrl', server.url);
  project.provide('postgresCopying', await makeTemplate(server.url));
  return () => server.stop();
}

const TEMPLATE = 'quartermaster';

/** @returns what makes `create database` copy it */
async function makeTemplate(serverUrl: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${TEMPLATE}`;
  const db = readDatabase(url.href);
  await migrate(db);
  await db.destroy();
  // Without a disk to wait for, copying files takes less than writing each page into the log; older ones know nothing else.
  return `template ${TEMPLATE}${(rows[0]?.version ?? 0) >= 150_000 ? ' strategy file_copy' : ''}`;
}
