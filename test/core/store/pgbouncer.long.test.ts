import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { judgePooler } from '../../../src/programs/doctor/pooler.ts';
import { readStore } from '../../../src/programs/doctor/examine-store.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { storeNow } from '../../../src/core/store/lease.ts';
import { createEmptyDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';
import { hasPgbouncer, startPgbouncer } from './pgbouncer.ts';

const BOUNDS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

test.runIf(hasPgbouncer && whereThereIsPostgres().length > 0).each(['session', 'transaction'] as const)(
  'a store behind pgbouncer with its defaults, pooling by %s, is opened, checked, and bounds its transactions',
  async (poolMode) => {
    const database = await createEmptyDatabase('postgres');
    onTestFinished(() => database.drop());
    const pooler = await startPgbouncer(database.url, poolMode);
    onTestFinished(() => pooler.stop());
    expect(await readStore(pooler.url, new Date())).toMatchObject({ kind: 'open', usableConnections: 8 });
    const store = await openStore(pooler.url);
    onTestFinished(() => store.close());
    const { db } = store;
    // More than the pool has connections, so that they are reused.
    const bounds = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        db.transaction().execute(async (trx) => {
          const row = { about: 'test', position: index, at: '', actor: 'U1', action: 'wrote', detail: null };
          await trx.insertInto('audit').values(row).execute();
          const { rows } = await sql<Record<string, string>>`select
            ${sql.join(BOUNDS.map((name) => sql`current_setting(${name}) as ${sql.ref(name)}`))}`.execute(
            trx.withoutPlugins(),
          );
          return rows[0];
        }),
      ),
    );
    expect(new Set(bounds.map((values) => JSON.stringify(values)))).toEqual(
      new Set([
        JSON.stringify({ statement_timeout: '8s', lock_timeout: '5s', idle_in_transaction_session_timeout: '10s' }),
      ]),
    );
    const { rows } = await sql<{ now: string }>`select ${storeNow(db)} as now`.execute(db);
    expect(rows).toHaveLength(1);
    const { count } = await db
      .selectFrom('audit')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(40);
  },
);

test.runIf(hasPgbouncer && whereThereIsPostgres().length > 0).each([
  { poolMode: 'session', size: 5, usable: 5, warnings: 1 },
  { poolMode: 'session', size: 8, usable: 8, warnings: 0 },
  { poolMode: 'transaction', size: 2, usable: 8, warnings: 0 },
] as const)(
  'the doctor finds $usable usable connections behind a pooler with $size that pools by $poolMode',
  async ({ poolMode, size, usable, warnings }) => {
    const database = await createEmptyDatabase('postgres');
    onTestFinished(() => database.drop());
    const pooler = await startPgbouncer(database.url, poolMode, [`default_pool_size = ${size}`]);
    onTestFinished(() => pooler.stop());
    const reading = await readStore(pooler.url, new Date());
    expect(reading).toMatchObject({ kind: 'open', usableConnections: usable });
    const findings = judgePooler(reading.kind === 'open' ? reading.usableConnections : undefined);
    const words = findings.map(({ level, sentence }) => `${level}: ${sentence}`.slice(0, 37));
    expect(words).toEqual(Array(warnings).fill(`warning: Only ${usable} of the 8 connections `));
  },
);
