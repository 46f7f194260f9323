import { describe, expect, onTestFinished, test } from 'vitest';
import { audit } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { prepareQuery } from '../../../src/core/store/prepared-query.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-02T07:00:00Z');

describe.each(availableEngines())('a prepared query on %s', (engine) => {
  async function openWithEntries() {
    const database = await createDatabase(engine);
    onTestFinished(() => database.drop());
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.db.transaction().execute(async (trx) => {
      for (const [about, actor] of [
        ['a', 'U0ADA'],
        ['b', 'U0MIA'],
        ['c', 'U0ADA'],
      ] as const)
        await audit(trx, { about, actor, action: 'asked' }, NOW);
    });
    let builds = 0;
    const entries = prepareQuery(['actor', 'from'], (db, parameter) => {
      builds += 1;
      return db
        .selectFrom('audit')
        .select(['about', 'actor'])
        .where('action', '=', 'asked')
        .where('about', '>=', parameter<string>('from'))
        .where('actor', '=', parameter<string>('actor'))
        .orderBy('about');
    });
    return { db: store.db, entries, countBuilds: () => builds };
  }

  test('finds what its parameters say, and is built once', async () => {
    const { db, entries, countBuilds } = await openWithEntries();
    const aboutOf = async (actor: string, from: string) =>
      (await entries(db, { actor, from })).map(({ about }) => about);
    expect(await aboutOf('U0ADA', 'a')).toEqual(['a', 'c']);
    expect(await aboutOf('U0MIA', 'a')).toEqual(['b']);
    expect(await aboutOf('U0ADA', 'b')).toEqual(['c']);
    expect(await aboutOf(':from', ':actor')).toEqual([]);
    expect(countBuilds()).toBe(1);
  });

  test('sees what its transaction has written', async () => {
    const { db, entries } = await openWithEntries();
    await db.transaction().execute(async (trx) => {
      await audit(trx, { about: 'd', actor: 'U0MIA', action: 'asked' }, NOW);
      expect(await entries(trx, { actor: 'U0MIA', from: 'c' })).toEqual([{ about: 'd', actor: 'U0MIA' }]);
    });
  });
});
