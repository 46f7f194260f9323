import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { limitsThatMayBeSetMigration } from '../../../src/core/store/migrations/0032-limits-that-may-be-set.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

test.each(availableEngines())(
  'a store of before the column marks the raises whose text says that they may be set, on %s',
  async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    const db = withLimits(store.db);
    await sql`alter table limit_request_people drop column may_be_set`.execute(db);
    const errors = ['Not sent again: its end date has passed.', 'Not sent: its end date has passed.', null];
    const at = '2026-03-02T09:00:00.000Z';
    const request = { id: 'k7m2x', kind: 'ask' as const, state: 'partly_applied' as const, requester: 'U0MIA' };
    await db
      .insertInto('limitRequests')
      .values({ ...request, requesterEmail: null, reason: 'x', people: 3, createdAt: at, expiresAt: at })
      .execute();
    const person = { requestId: 'k7m2x', position: 0, toValue: 5, state: 'superseded' as const };
    await db
      .insertInto('limitRequestPeople')
      .values(
        errors.map((error, index) => ({
          ...person,
          email: `p${index}@acme.example`,
          slackId: null,
          fromValue: null,
          fromDeclared: null,
          returnValue: null,
          approvedValue: 5,
          setValue: null,
          error,
          batch: null,
        })),
      )
      .execute();
    await limitsThatMayBeSetMigration.up(db);
    const rows = await db.selectFrom('limitRequestPeople').select('mayBeSet').orderBy('email').execute();
    expect(rows.map(({ mayBeSet }) => mayBeSet)).toEqual([1, null, null]);
  },
);
