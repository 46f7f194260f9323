import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { Engine } from '../../../src/core/store/store.ts';
import { migrate } from '../../../src/core/store/migrate.ts';
import { rememberFirstStart } from './first-start.ts';
import { readDatabase } from './databases.ts';
import { reservePort } from '../processes/free-port.ts';
import { findPostgres, POSTGRES_TEMPLATE, startPostgresServer, urlOfPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a server on which tests may create databases; missing if there is none. */
    postgresUrl: string | undefined;
    /** Whether there will be a template to copy, once it has been started: it has all tables from the beginning. */
    postgresHasTemplate: boolean | undefined;
    /** The engines on which this part of the suite runs. */
    engines: readonly Engine[];
  }
}

/**
 * Gives the suite a Postgres: the one of `TEST_POSTGRES_URL`, or a throw-away cluster if the server's programs are on
 * this machine. Otherwise the Postgres half is skipped, with a message.
 */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_POSTGRES_URL'];
  const programs = given ? undefined : findPostgres();
  if (given || !programs) {
    if (!given) process.stderr.write('SKIPPED: no Postgres here; set TEST_POSTGRES_URL or install postgresql.\n');
    project.provide('postgresUrl', given);
    return undefined;
  }
  const reserved = await reservePort();
  project.provide('postgresUrl', urlOfPostgres(reserved.port));
  project.provide('postgresHasTemplate', true);
  // Only the tests that need it wait for it.
  const starting = startPostgresServer(programs, { reserved }).then(async (server) => {
    await makeTemplate(server.url);
    return server;
  });
  starting.catch((error: unknown) => process.stderr.write(`Postgres could not be started: ${String(error)}\n`));
  return async () => (await starting).stop();
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${POSTGRES_TEMPLATE}`);
  const url = new URL(serverUrl);
  url.pathname = `/${POSTGRES_TEMPLATE}`;
  const db = readDatabase(url.href);
  await migrate(db);
  await rememberFirstStart(db);
  await db.destroy();
  await client.query(`alter database ${POSTGRES_TEMPLATE} is_template true`);
  await client.end();
}
