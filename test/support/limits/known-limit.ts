import type { KnownLimit, SetLimit } from '../../../src/core/figures/known-limit.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
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

export const NO_LIMIT: KnownLimit = { kind: 'none' };

/** A limit that was set here on 3 November 2026, permanent unless `more` says otherwise. */
export const knownLimit = (value: number, more: Partial<SetLimit> = {}): SetLimit => ({
  kind: 'set',
  value,
  permanent: value,
  until: undefined,
  at: new Date('2026-11-03T09:00:00Z'),
  requestId: 'k7m2x',
  ...more,
});

export const declaredLimit = (value: number): KnownLimit & { kind: 'declared' } => ({
  kind: 'declared',
  value,
  by: 'U0ADA',
  at: new Date('2026-11-03T09:00:00Z'),
  isForEverybody: false,
});
