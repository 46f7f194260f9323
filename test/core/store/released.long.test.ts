import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../../src/core/store/database.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { describeSchema } from '../../support/generic-rows.ts';
import { availableEngines, createEmptyDatabase, readDatabase } from '../../support/stores/databases.ts';
import { makeReleasedStore, releasedVersions } from '../../support/stores/released-stores.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-released-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function rowCounts(db: Database): Promise<Record<string, number>> {
  const tables = await db.introspection.getTables();
  const counts = tables.map(async ({ name }): Promise<[string, number]> => {
    const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    return [name, Number(rows[0]?.count)];
  });
  return Object.fromEntries(await Promise.all(counts));
}

const engines = availableEngines();
const cases = releasedVersions().flatMap((version) => engines.map((engine) => ({ version, engine })));

describe.each(cases)('a store that version $version left on $engine', ({ version, engine }) => {
  test('opens in this version with the schema of a new one, and every row', async () => {
    const [fresh, released] = [await createEmptyDatabase(engine), await createEmptyDatabase(engine)];
    const newest = await openStore(fresh.url);
    await makeReleasedStore(version, released.url, join(folder, 'released.db'));
    const before = readDatabase(released.url);
    const rows = await rowCounts(before);
    await before.destroy();
    const store = await openStore(released.url);
    expect(await describeSchema(store.db)).toEqual(await describeSchema(newest.db));
    const after = await rowCounts(store.db);
    expect(Object.fromEntries(Object.keys(rows).map((name) => [name, after[name]]))).toEqual({
      ...rows,
      // It was away until now, which is recorded.
      store_silences: 1,
    });
    expect(rows).toMatchObject({ deliveries: expect.toSatisfy((count: number) => count > 5), limit_requests: 2 });
    for (const one of [store, newest]) await one.close();
    for (const one of [fresh, released]) await one.drop();
  });
});

test('a store is kept of every version that the changelog lists as released', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version = '']) => version);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
  expect(released).toContain(version);
  expect(releasedVersions()).toEqual(released.toSorted());
});
