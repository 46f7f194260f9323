import { afterEach, describe, expect, test } from 'vitest';
import { audit, listAuditEntries } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const stores: Store[] = [];
const databases: TestDatabase[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

describe.each(availableEngines())('the audit on %s', (engine) => {
  test('continues after its oldest entries were deleted', async () => {
    const database = await createDatabase(engine);
    databases.push(database);
    const store = await openStore(database.url);
    stores.push(store);
    const note = (action: string, at: string) =>
      store.db
        .transaction()
        .execute((trx) => audit(trx, { about: 'limits:k7m2x', actor: 'U0MORGAN', action, detail: null }, new Date(at)));
    await note('asked', '2026-03-02T08:00:00Z');
    await note('approved', '2026-03-02T09:00:00Z');
    await note('going back', '2026-06-02T09:00:00Z');
    await store.db.deleteFrom('audit').where('at', '<', '2026-05-01T00:00:00.000Z').execute();
    await note('went back', '2026-06-02T09:01:00Z');
    const entries = await listAuditEntries(store.db, 'limits:k7m2x');
    expect(entries.map(({ action }) => action)).toEqual(['going back', 'went back']);
  });
});
