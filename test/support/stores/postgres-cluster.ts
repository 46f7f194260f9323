import type { TestProject } from 'vitest/node';
import type { Engine } from '../../../src/store/store.ts';
import { findPostgres, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a server that tests may create databases on; missing where there is none. */
    postgresUrl: string | undefined;
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
  return () => server.stop();
}
