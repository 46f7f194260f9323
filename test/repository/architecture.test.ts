import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TABLES_BY_OWNER } from '../../src/app/stored-tables.ts';
import { COLUMN_NAMES } from '../../src/store/tables.ts';
import { importCircles } from './parsing/circles.ts';
import {
  FEATURES,
  floorOf,
  forbiddenImports,
  isInUsage,
  partOf,
  upwardImportsInUsage,
  USAGE_ORDER,
} from './parsing/floors.ts';
import { localImports, typeScriptFiles, type SourceFile } from './parsing/sources.ts';

const MAX_FOLDER_FILES = 15;
const MAX_SHARED_NAMES = 3;
const MAX_FILE_LINES = 300;

const files = typeScriptFiles('src');

describe('the import rule', () => {
  test('holds: every file imports its own floor and those below, and no feature imports another', () => {
    expect(forbiddenImports(files)).toEqual([]);
  });

  test('would detect a violation', () => {
    const broken = [
      { path: 'src/usage/a.ts', text: `import { b } from '../digests/b.ts';` },
      { path: 'src/slack/a.ts', text: `import type { B } from '../usage/b.ts';` },
      { path: 'src/store/a.ts', text: `import type { B } from '../outbox/b.ts';` },
      { path: 'src/base/time/clock.ts', text: `import { b } from '../../store/b.ts';` },
      { path: 'src/store/a.ts', text: `import {\n  b,\n} from '../sandbox/b.ts';` },
      { path: 'src/limits/a.ts', text: `export { startApp } from '../app.ts';` },
      { path: 'src/doctor/a.ts', text: `const b = await import('../usage/b.ts');` },
    ];
    expect(forbiddenImports(broken)).toHaveLength(broken.length);
    expect(forbiddenImports([{ path: 'src/usage/a.ts', text: `import { b } from '../slack/b.ts';` }])).toEqual([]);
  });

  test('sees the existing imports', () => {
    const app = files.find(({ path }) => path === 'src/app/features.ts');
    expect(app && localImports(app)).toContain('src/usage/index.ts');
  });

  test('knows every folder of src', () => {
    expect([...new Set(files.map(({ path }) => partOf(path)))].filter((part) => floorOf(part) < 0)).toEqual([]);
  });

  test('holds inside usage: each folder and file imports only those before it in one order', () => {
    expect(upwardImportsInUsage(files)).toEqual([]);
    const parts = files.filter(({ path }) => isInUsage(path)).map(({ path }) => partOf(path, 2));
    expect(parts.filter((part) => !USAGE_ORDER.includes(part))).toEqual([]);
    const broken = { path: 'src/usage/reports/a.ts', text: `import { b } from '../answer.ts';` };
    expect(upwardImportsInUsage([broken])).toHaveLength(1);
  });

  test('has no circles, types included', () => {
    expect(importCircles(files)).toEqual([]);
  });
});

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
  return (
    part === owner || table === 'erasures' || (part !== 'erasure' && floorOf(owner) < Math.min(floorOf(part), FEATURES))
  );
}

function foreignTables(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ path }) => !path.includes('/migrations/') && partOf(path) !== 'sandbox')
    .flatMap(({ path, text }) =>
      [...text.matchAll(TABLE_NAME)]
        .map(([, table = '']) => table)
        .filter((table) => !mayName(partOf(path), table))
        .map((table) => `${path} names ${table}`),
    );
}

describe('the tables', () => {
  test('of a feature are named in its folder alone', () => {
    expect(foreignTables(files)).toEqual([]);
  });

  test.each([
    ['src/digests/a.ts', "db.selectFrom('limitRequests')"],
    ['src/erasure/a.ts', 'sql`select 1 from revisions`'],
    ['src/erasure/a.ts', "db.deleteFrom('deliveries')"],
    ['src/app/a.ts', "tables.innerJoin('budgets as one', 'one.id', 'id')"],
    ['src/outbox/a.ts', "{ table: 'figureLooks' }"],
  ])('in %s by %s would be detected', (path, text) => {
    expect(foreignTables([{ path, text }])).toHaveLength(1);
  });
});

test('date-fns is loaded in one place, because as an ES module it takes seconds and 300 MB', () => {
  const importers = files.filter(({ text }) => /from 'date-fns\b|require\S*\('date-fns'\)/.test(text));
  expect(importers.map(({ path }) => path)).toEqual(['src/base/time/date-fns.ts']);
});

describe('files', () => {
  test(`are at most ${MAX_FILE_LINES} lines long`, () => {
    const tooLong = files.filter(({ text }) => text.split('\n').length - 1 > MAX_FILE_LINES);
    expect(tooLong.map(({ path }) => path)).toEqual([]);
  });

  test(`are at most ${MAX_FOLDER_FILES} in a folder, migrations aside`, () => {
    const folders = Map.groupBy(files, ({ path }) => dirname(path));
    const full = [...folders].filter(
      ([name, { length }]) => length > MAX_FOLDER_FILES && !name.endsWith('/migrations'),
    );
    expect(full.map(([name]) => name)).toEqual([]);
  });

  test(`share a name with at most ${MAX_SHARED_NAMES - 1} others, entry points aside`, () => {
    const bot = files.filter(({ path }) => !path.startsWith('src/sandbox/'));
    const names = Map.groupBy(bot, ({ path }) => basename(path));
    const shared = [...names].filter(([, { length }]) => length > MAX_SHARED_NAMES);
    expect(shared.map(([name]) => name).toSorted()).toEqual(['index.ts', 'main.ts']);
  });

  test('are named after their content, in kebab-case', () => {
    const all = [...files, ...typeScriptFiles('test')].map(({ path }) => path);
    const misnamed = all.filter((path) => {
      const name = basename(path).replace(
        /(?:(?:\.(?:long|slow|measured|page|property|store)){0,2}\.test|\.config|\.d)?\.ts$/,
        '',
      );
      return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || /^(utils?|helpers?|misc|common)$/.test(name);
    });
    expect(misnamed).toEqual([]);
  });
});
