import { sql, type CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import { earlierStatement } from '../../../src/features/controls/notices/order.ts';
import { claimNext, claimStatement, nextStatement } from '../../../src/core/outbox/attempts/claim.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const AT = '2026-03-02T08:00:00.000Z';
const MANY = 10_000;

async function fill({ db }: Store, count: number, channelOf: (index: number) => string = () => 'C1'): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
      key: `k${String(first + index).padStart(6, '0')}`,
      kind: 'test',
      channel: channelOf(first + index),
      payload: '{}',
      state: 'waiting' as const,
      dueAt: AT,
      nextAttemptAt: AT,
      attempts: 0,
      createdAt: AT,
    }));
    await db.insertInto('deliveries').values(rows).execute();
  }
}

async function withBacklog<Result>(
  engine: 'sqlite' | 'postgres',
  count: number,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  try {
    await fill(store, count);
    await sql`analyze`.execute(store.db);
    return await use(store);
  } finally {
    await store.close();
    await database.drop();
  }
}

/** A statement with its values inlined, which `explain` accepts. */
function inlined({ sql: text, parameters }: CompiledQuery): string {
  let next = 0;
  return text.replaceAll(/\?|\$\d+/g, () => {
    const value = parameters[next];
    next += 1;
    return typeof value === 'number' ? String(value) : `'${String(value)}'`;
  });
}

/** The engine's plan for a statement. */
async function planOf({ db, engine }: Store, statement: ReturnType<typeof sql>): Promise<string> {
  const explain = engine === 'sqlite' ? sql`explain query plan` : sql`explain`;
  const { rows } = await sql<Record<string, unknown>>`${explain} ${statement}`.execute(db);
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
}

describe.each(availableEngines())('with a backlog in one channel, on %s,', (engine) => {
  test('the hot queries of the outbox read indexes alone', async () => {
    await withBacklog(engine, MANY, async (store) => {
      const me = { channel: 'C1', kind: 'test', key: 'k009999', createdAt: AT };
      const earlier = earlierStatement(store.db, me, undefined).compile();
      const statements = [claimStatement(store.db, engine, 'me', 1_000), nextStatement(store.db)];
      for (const statement of [...statements, sql.raw(inlined(earlier))]) {
        const plan = await planOf(store, statement);
        expect(plan).not.toMatch(/Seq Scan on deliveries|SCAN (deliveries|first|next|other|rest|delivery)$/m);
        expect(plan).toMatch(/deliveries_(queue|due|under_way|open)/);
      }
    });
  });

  test(`taking one delivery costs about the same among 10 and among ${MANY}`, async () => {
    const fastestMs = (count: number) =>
      withBacklog(engine, count, async ({ db }) => {
        const taken: number[] = [];
        for (let round = 0; round < 30; round += 1) {
          const startMs = performance.now();
          const claimed = await claimNext(db, engine, 'me', 1_000);
          taken.push(performance.now() - startMs);
          expect(claimed?.key).toBe(`k${String(0).padStart(6, '0')}`);
          await db
            .updateTable('deliveries')
            .set({ state: 'waiting', leasedBy: null, leasedUntil: null })
            .where('state', '=', 'claimed')
            .execute();
        }
        return Math.min(...taken);
      });
    const [few, many] = [await fastestMs(10), await fastestMs(MANY)];
    expect(many).toBeLessThan(few * 4 + 2);
  });
});

const FEW_CHANNELS = 200;
const MANY_CHANNELS = 2_000;

test.each(availableEngines())(
  `a claim among ${MANY_CHANNELS} channels costs about as much per channel as among ${FEW_CHANNELS}, before the engine knows its tables (%s)`,
  async (engine) => {
    const fastestMs = async (channels: number) => {
      const database = await createDatabase(engine);
      const store = await openStore(database.url);
      try {
        await fill(store, channels, (index) => `C${index}`);
        const taken: number[] = [];
        for (let round = 0; round < 15; round += 1) {
          const startMs = performance.now();
          expect(await claimNext(store.db, engine, 'me', 60_000)).toBeDefined();
          taken.push(performance.now() - startMs);
        }
        return Math.min(...taken);
      } finally {
        await store.close();
        await database.drop();
      }
    };
    const [few, many] = [await fastestMs(FEW_CHANNELS), await fastestMs(MANY_CHANNELS)];
    // Ten times the channels, where the faults that this excludes take a hundred times as long. The fastest round is
    // compared, because other work on the machine lengthens the rest.
    expect(many).toBeLessThan(few * 8 + 10);
  },
);
