import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anyLimitOf, limitOf, limitsOf } from '../../../src/features/limits/core/ledger.ts';
import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import { storeDeclaration } from '../../../src/features/limits/declare/declared-limits.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { emailOf, giveLimit, giveTemporaryLimit } from '../../support/limits/policy-scene.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const MARCH = new Date('2026-03-01T00:00:00Z');
const APRIL = new Date('2026-04-01T00:00:00Z');
const MIA = emailOf('U1');

describe.each(availableEngines())('what is known of a limit, on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let db: LimitDatabase;
  beforeEach(async () => {
    database = await createDatabase(engine);
    store = await openStore(database.url);
    db = withLimits(store.db);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });
  const declare = (people: { email: string; amount: number }[], forEverybody?: number) =>
    db.transaction().execute((trx) => storeDeclaration(trx, { forEverybody, people, removed: [] }, 'UADA', MARCH));

  test('is nothing, a declared limit or one that was set, and the last counts most', async () => {
    expect(await limitOf(db, MIA)).toEqual({ kind: 'none' });
    await declare([], 5_000);
    const everybody = { kind: 'declared', value: 5_000, by: 'UADA', at: MARCH, isForEverybody: true };
    expect(await limitOf(db, MIA)).toEqual(everybody);
    await declare([{ email: MIA, amount: 7_000 }], 5_000);
    expect(await limitOf(db, MIA)).toMatchObject({ kind: 'declared', value: 7_000, isForEverybody: false });
    await giveLimit(db, 'U1', 1_000, MARCH);
    expect(await limitOf(db, MIA)).toMatchObject({ kind: 'set', value: 1_000, permanent: 1_000, until: undefined });
  });

  test('names the permanent limit beside a temporary one, and when it ends', async () => {
    await giveLimit(db, 'U1', 1_000, MARCH);
    await giveTemporaryLimit(db, 'U1', { value: 10_000, returnTo: 1_000, until: APRIL }, new Date('2026-03-02'));
    expect(await limitOf(db, MIA)).toMatchObject({ kind: 'set', value: 10_000, permanent: 1_000, until: APRIL });
  });

  test('is found by any e-mail of a person, a set limit first', async () => {
    await declare([{ email: emailOf('U2'), amount: 7_000 }]);
    await giveLimit(db, 'U3', 1_000, MARCH);
    const known = await limitsOf(db, ['U1', 'U2', 'U3'].map(emailOf));
    expect(['U1', 'U2', 'U3'].map((id) => known(emailOf(id)).kind)).toEqual(['none', 'declared', 'set']);
    expect(await anyLimitOf(db, [MIA, emailOf('U2')])).toMatchObject({ kind: 'declared' });
    expect(await anyLimitOf(db, ['U1', 'U2', 'U3'].map(emailOf))).toMatchObject({ kind: 'set' });
  });

  test('keeps each declaration with the value before, for the audit', async () => {
    await declare([{ email: MIA, amount: 7_000 }]);
    await db
      .transaction()
      .execute((trx) => storeDeclaration(trx, { forEverybody: 2_000, people: [], removed: [MIA] }, 'UNORA', APRIL));
    const rows = await db.selectFrom('limitDeclarations').selectAll().orderBy('declaredAt').orderBy('email').execute();
    expect(rows.map(({ email, valueBefore, value, declaredBy }) => [email, valueBefore, value, declaredBy])).toEqual([
      [MIA, null, 7_000, 'UADA'],
      ['*', null, 2_000, 'UNORA'],
      [MIA, 7_000, null, 'UNORA'],
    ]);
  });
});
