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
  const times = { people: 1, createdAt: at, expiresAt: at };
  const entry = { requestId: `r${value}`, email, value, valueBefore: null, setAt: at };
  const deciders = { askedBy: 'U0MORGAN', approvedBy: 'U0ADA', approvedAt: at };
  try {
    await withLimits(db)
      .insertInto('limitRequests')
      .values({ ...request, ...times })
      .execute();
    await withLimits(db)
      .insertInto('limitLedger')
      .values({ ...entry, ...deciders })
      .execute();
  } finally {
    await db.destroy();
  }
}
