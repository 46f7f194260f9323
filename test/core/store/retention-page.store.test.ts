import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RETENTION_KINDS } from '../../../src/core/base/settings/retention-settings.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createDatabase } from '../../support/stores/databases.ts';

const page = readFileSync(new URL('../../../docs/retention.md', import.meta.url), 'utf8');
const rows = page
  .slice(page.indexOf('## Every table'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('docs/retention.md describes for every table what is stored, why and for how long, and no other tables', async () => {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  const tables = await store.db.introspection.getTables({ withInternalKyselyTables: true });
  await store.close();
  await database.drop();
  const named = new Set(rows.flatMap(([, first = '']) => [...first.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)));
  expect([...named].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  expect(rows.filter((cells) => cells.length !== 6 || cells.slice(1, 5).some((cell) => cell === ''))).toEqual([]);
});

test('docs/retention.md names each kind of RETENTION_DAYS in its tables', () => {
  for (const kind of RETENTION_KINDS) {
    expect(page).toMatch(new RegExp(`^\\| \`${kind}\` \\| \\d+ days \\| \\d+ \\|`, 'm'));
    expect(rows.some(([, , , , howLong = '']) => howLong.includes(`\`${kind}\``))).toBe(true);
  }
});
