import { expect, test } from 'vitest';
import { COVERAGE } from '../../src/sandbox/platform/coverage.ts';
import { readText } from './parsing/sources.ts';

test('docs/platform.md has a row for each operation of the platform, and for no other', () => {
  const rows = [...readText('docs/platform.md').matchAll(/^\| `([A-Z]+) \{(?:base|app)\}(\S+)` \|/gm)];
  const described = rows.map(([, method = '', path = '']) => `${method} ${path}`);
  // Another test shows that the bot uses exactly these.
  const operations = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);
  expect(described.toSorted()).toEqual(operations.toSorted());
});
