import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TABLES_BY_OWNER } from '../../src/app/stored-tables.ts';
import { COLUMN_NAMES } from '../../src/core/store/tables.ts';
import { botFiles, localImports, typeScriptFiles, type SourceFile } from './parsing/sources.ts';

const SOURCES = typeScriptFiles('src');

/** From the ground up. A file imports its own floor and those below; features do not import each other. */
const FLOORS = [
  'base http',
  'store',
  'platform',
  'outbox schedule',
  'analytics',
  'slack',
  'disclosure figures services teams watches',
  'feature',
  'own',
  'alerts ask backup computers controls digests doctor erasure exports limits manifest readiness retention sessions status usage',
  'app',
  'main bundle release sandbox',
  'start',
].map((parts) => parts.split(' '));
const floorOf = (part: string) => FLOORS.findIndex((parts) => parts.includes(part));
const FEATURES = floorOf('usage');
const PROGRAMS = floorOf('main');

/** The folders and files of `src/features/usage/`, from the ground up: each imports those before it. */
const USAGE_ORDER =
  'usage-command subject usage-deps reports views usage-facts digest explain export usage-view catalogue usage-digest-sections answer-actions answer compare explain-answer send-csv share index'.split(
    ' ',
  );

/** `src/features/usage/index.ts` belongs to `usage`, `src/app/app.ts` to `app`, `src/core/base/time/clock.ts` to `base`. */
const partOf = (path: string, depth = 1) => (path.split('/')[depth] ?? '').replace(/\.ts$/, '');
const isInUsage = (path: string) => path.startsWith('src/features/usage/');

function mayImport(from: string, to: string): boolean {
  const [part, target] = [partOf(from), partOf(to)];
  if (part === target) {
    return !isInUsage(from) || USAGE_ORDER.indexOf(partOf(to, 2)) <= USAGE_ORDER.indexOf(partOf(from, 2));
  }
  if (target === 'sandbox') return false;
  const isAlone = [FEATURES, PROGRAMS].includes(floorOf(part));
  return isAlone ? floorOf(target) < floorOf(part) : floorOf(target) <= floorOf(part);
}

const forbiddenImports = (files: readonly SourceFile[]) =>
  files.flatMap((file) =>
    localImports(file)
      .filter((target) => !mayImport(file.path, target))
      .map((target) => `${file.path} imports ${target}`),
  );

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

/** The erasure uses no table of a lower floor either, except the one from which all floors learn of erased people. */
function mayName(part: string, table: string): boolean {
  const owner = OWNERS.get(table) ?? part;
  if (part === owner || table === 'erasures') return true;
  return part !== 'erasure' && floorOf(owner) < Math.min(floorOf(part), FEATURES);
}

const foreignTables = (files: readonly SourceFile[]) =>
  files
    .filter(({ path }) => !path.includes('/migrations/') && partOf(path) !== 'sandbox')
    .flatMap(({ path, text }) =>
      [...text.matchAll(TABLE_NAME)]
        .filter(([, table = '']) => !mayName(partOf(path), table))
        .map(([, table]) => `${path} names ${table}`),
    );

describe('the import rule', () => {
  test('holds for every file, between the floors and in the order inside usage', () => {
    expect(forbiddenImports(SOURCES)).toEqual([]);
  });

  test.each([
    ['src/features/usage/a.ts', `import { b } from '../digests/b.ts';`],
    ['src/core/slack/a.ts', `import type { B } from '../usage/b.ts';`],
    ['src/core/store/a.ts', `import {\n  b,\n} from '../sandbox/b.ts';`],
    ['src/features/limits/a.ts', `export { startApp } from '../app.ts';`],
    ['src/programs/doctor/a.ts', `const b = await import('../usage/b.ts');`],
    ['src/features/usage/reports/a.ts', `import { b } from '../answer.ts';`],
  ])('would detect in %s: %s', (path, text) => {
    expect(forbiddenImports([{ path, text }])).toHaveLength(1);
  });

  test('knows every folder of src and of src/features/usage', () => {
    const paths = SOURCES.map(({ path }) => path);
    expect(paths.filter((path) => floorOf(partOf(path)) < 0)).toEqual([]);
    expect(paths.filter((path) => isInUsage(path) && !USAGE_ORDER.includes(partOf(path, 2)))).toEqual([]);
  });
});

describe('the tables', () => {
  test('of a feature are named in its folder alone', () => {
    expect(foreignTables(SOURCES)).toEqual([]);
  });

  test.each([
    ['src/features/digests/a.ts', "db.selectFrom('limitRequests')"],
    ['src/features/erasure/a.ts', 'sql`select 1 from revisions`'],
    ['src/features/erasure/a.ts', "db.deleteFrom('deliveries')"],
    ['src/app/a.ts', "tables.innerJoin('budgets as one', 'one.id', 'id')"],
    ['src/core/outbox/a.ts', "{ table: 'figureLooks' }"],
  ])('in %s by %s would be detected', (path, text) => {
    expect(foreignTables([{ path, text }])).toHaveLength(1);
  });
});

/** The names that more files share than may. */
const crowded = (files: readonly SourceFile[], nameOf: (path: string) => string, max: number) =>
  [...Map.groupBy(files, ({ path }) => nameOf(path))].filter(([, { length }]) => length > max).map(([name]) => name);

describe('files', () => {
  test('are at most 15 in a folder, migrations aside', () => {
    expect(crowded(SOURCES, dirname, 15)).toEqual(['src/core/store/migrations']);
  });

  test('share a name with at most two others, entry points aside', () => {
    expect(crowded(botFiles(), basename, 3).toSorted()).toEqual(['index.ts', 'main.ts']);
  });

  test('are named after their content, with no suffix except those that say how a test runs', () => {
    const suffix =
      /^(?!(?:utils?|helpers?|misc|common)\.)[^.]+(?:(?:\.(?:long|slow|measured|page|property|store)){0,2}\.test|\.config|\.d)?\.ts$/;
    const paths = [...SOURCES, ...typeScriptFiles('test')].map(({ path }) => path);
    expect(paths.filter((path) => !suffix.test(basename(path)))).toEqual([]);
  });
});
