import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { restoreBackup } from '../../../src/programs/backup/backup.ts';

const FOLDER = new URL('../../core/store/released/', import.meta.url);

/** The versions with a stored store: one for each release. */
export const releasedVersions = () =>
  readdirSync(FOLDER)
    .map((name) => name.replace(/\.sql$/, ''))
    .toSorted();

/** The instant at which those stores were left. */
const LEFT_AT = new Date('2026-03-02T09:05:00Z');

/**
 * Creates the store that a released version left: two requests for limits, a sent digest, a watch of the controls.
 * @param file the file in which it is created first; a Postgres gets it from there
 */
export async function makeReleasedStore(version: string, databaseUrl: string, file: string): Promise<void> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(readFileSync(new URL(`${version}.sql`, FOLDER), 'utf8'));
  database.close();
  await restoreBackup(file, databaseUrl, LEFT_AT);
}
