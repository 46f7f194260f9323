import { withLimits } from '../../../src/limits/core/limit-tables.ts';
import { readDatabase } from '../stores/databases.ts';
import type { TestApp } from '../test-app.ts';

/** Inserts a limit into the ledger, as if it had been requested, approved and set. */
export async function setLimit(
  { databaseUrl }: Pick<TestApp, 'databaseUrl'>,
  { email, value, at }: { email: string; value: number; at: string },
): Promise<void> {
  const db = readDatabase(databaseUrl);
  const request = {
    id: `r${value}`,
    kind: 'ask',
    state: 'applied',
    requester: 'U0MORGAN',
    reason: 'A migration',
  } as const;
  const times = { people: 1, created_at: at, expires_at: at };
  const entry = { request_id: `r${value}`, email, value, value_before: null, set_at: at };
  const deciders = { asked_by: 'U0MORGAN', approved_by: 'U0ADA', approved_at: at };
  try {
    await withLimits(db)
      .insertInto('limit_requests')
      .values({ ...request, ...times })
      .execute();
    await withLimits(db)
      .insertInto('limit_ledger')
      .values({ ...entry, ...deciders })
      .execute();
  } finally {
    await db.destroy();
  }
}
