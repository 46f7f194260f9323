import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TABLES_BY_OWNER } from '../../src/features/stored-tables.ts';
import { COLUMN_NAMES } from '../../src/core/store/tables.ts';
import { botFiles, ROOT, type SourceFile } from './parsing/sources.ts';

/** Names in SQL and in calls of Kysely. */
const TABLE_NAME = /(?:\b(?:from|into|update|join|table:) '?|(?:From|Into|Table|[jJ]oin)\(\s*')(\w+)/g;
const OWNERS = new Map(
  Object.entries(TABLES_BY_OWNER).flatMap(([owner, tables]) =>
    Object.keys(tables).flatMap((table) => [
      [table, owner],
      [COLUMN_NAMES.toStored(table), owner],
    ]),
  ),
);
const CORE = new Set(readdirSync(join(ROOT, 'src/core')));

/** `src/features/usage/index.ts` belongs to `usage`, `src/app/app.ts` to `app`. */
function ownerOf(path: string): string {
  const [, room = '', folder = ''] = path.split('/');
  return room === 'core' || room === 'features' ? folder : room;
}

/**
 * Policies decide about requests, in the transactions of these. Tables of core are for all, except for the erasure, which uses of
 * them only the one from which all learn whom it erased.
 */
function mayName(part: string, table: string): boolean {
  const owner = OWNERS.get(table) ?? part;
  return (
    part === owner ||
    table === 'erasures' ||
    (part === 'limit-policies' && owner === 'limits') ||
    (part !== 'erasure' && CORE.has(owner))
  );
}

const foreignTables = (files: readonly SourceFile[]) =>
  files
    .filter(({ path }) => !path.includes('/migrations/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(TABLE_NAME)]
        .filter(([, table = '']) => !mayName(ownerOf(path), table))
        .map(([, table]) => `${path} names ${table}`),
    );

test('the tables of a feature are named in its folder alone', () => {
  expect(foreignTables(botFiles())).toEqual([]);
});

test.each([
  ['src/features/digests/a.ts', "db.selectFrom('limitRequests')"],
  ['src/features/erasure/a.ts', 'sql`select 1 from revisions`'],
  ['src/features/erasure/a.ts', "db.deleteFrom('deliveries')"],
  ['src/app/a.ts', "tables.innerJoin('budgets as one', 'one.id', 'id')"],
  ['src/core/outbox/a.ts', "{ table: 'limitRequests' }"],
])('a table that is named in %s by %s would be found', (path, text) => {
  expect(foreignTables([{ path, text }])).toHaveLength(1);
});
