import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import daily from '../vitest.config.ts';
import long from '../long/vitest.config.ts';
import { APP_SUITES, CRASH_SUITES, LONG_APP_SUITES, LONG_SUITES } from '../suites.ts';
import { ROOT } from './parsing/sources.ts';

const filesOf = (patterns: string | readonly string[] = []) =>
  new Set(typeof patterns === 'string' ? globSync(patterns, { cwd: ROOT }) : globSync([...patterns], { cwd: ROOT }));

/** The test files of each project of a configuration. */
function projectsOf({ test: options }: typeof daily): Map<string, Set<string>> {
  const projects = (options?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
  );
  return new Map(
    projects.map(({ name, include, exclude }) => [
      typeof name === 'string' ? name : '',
      filesOf(include).difference(filesOf(exclude)),
    ]),
  );
}

const all = filesOf('test/**/*.test.ts').difference(filesOf('test/chaos/**'));

test('every test file is run by `npm test` once, or else by `npm run test:long`', () => {
  const runs = [...projectsOf(daily).values()].flatMap((files) => [...files]);
  expect(runs).toHaveLength(new Set(runs).size);
  expect(all.difference(new Set(runs))).toEqual(filesOf([...LONG_SUITES, ...LONG_APP_SUITES]));
});

test('what `npm test` leaves out, or makes easier, is run by `npm run test:long`', () => {
  const runs = projectsOf(long);
  const measured = runs.get('measured') ?? new Set();
  expect(runs.get('long')?.union(measured)).toEqual(filesOf([...LONG_SUITES, ...CRASH_SUITES]));
  const app = filesOf(APP_SUITES).difference(filesOf(LONG_SUITES));
  expect(runs.get('app on Postgres')).toEqual(app.difference(filesOf(CRASH_SUITES)));
  expect(runs.get('app on SQLite')).toEqual(filesOf(LONG_APP_SUITES));
  const shortened = [...all].filter((file) =>
    /(?:numRuns: |= )propertyRuns\(|\(shareOf\(| of shareOf\(/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  // The app is run in full on Postgres.
  expect(runs.get('properties')).toEqual(new Set(shortened).difference(app));
});
