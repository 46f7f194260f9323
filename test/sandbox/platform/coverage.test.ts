import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COVERAGE } from '../../../src/sandbox/platform/coverage.ts';
import { ROUTES } from '../../../src/sandbox/platform/routes/router.ts';

const here = new URL('.', import.meta.url);
const tests = readdirSync(here)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, here), 'utf8'))
  .join('\n');

describe('the coverage table', () => {
  test('names every route, and no other', () => {
    const operations = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);
    expect(operations.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test('names each operation and parameter once, and parameters of known operations only', () => {
    const names = COVERAGE.map(({ operation, parameter = '' }) => `${operation} ${parameter}`);
    expect(new Set(names).size).toBe(names.length);
    const operations = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    expect(COVERAGE.filter(({ operation }) => !operations.has(operation))).toEqual([]);
  });

  test('names every value of a path', () => {
    for (const { method, path } of ROUTES) {
      const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const operation = `${method} ${path}`;
      const rows = COVERAGE.filter((row) => row.operation === operation && values.includes(row.parameter));
      expect(rows).toHaveLength(values.length);
    }
  });

  test('names tests that exist', () => {
    const missing = COVERAGE.filter(({ test }) => !tests.includes(`('${test}'`));
    expect(missing).toEqual([]);
  });

  test('names the edition of each operation as the routes do', () => {
    const editions = ROUTES.map(({ method, path, edition }) => [`${method} ${path}`, edition] as const);
    const named = COVERAGE.filter(({ parameter }) => parameter === undefined).map(
      ({ operation, edition }) => [operation, edition] as const,
    );
    expect(new Map(named)).toEqual(new Map(editions));
  });

  test('explains every partial support', () => {
    expect(COVERAGE.filter(({ support, note }) => support === 'partial' && !note)).toEqual([]);
  });
});
