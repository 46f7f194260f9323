import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type PeopleColumns, createCreditsBuilder } from '../../src/core/analytics/columns/people-columns.ts';
import { createPeopleDictionary } from '../../src/core/analytics/columns/people-dictionary.ts';
import { type NewDay, readStoredDays, storeDays } from '../../src/core/analytics/reading/day-store.ts';
import { loadPeople } from '../../src/core/analytics/reading/load-people.ts';
import { createStoredPeople } from '../../src/core/analytics/reading/stored-people.ts';
import { createLogger } from '../../src/core/base/log.ts';
import { daysOf } from '../../src/core/base/time/calendar.ts';
import { createPeopleSpendFold } from '../../src/core/figures/measures/people-spend.ts';
import { openStore } from '../../src/core/store/database.ts';
import type { Result } from './reports.ts';
import { median } from './statistics.ts';
import { runLimited } from '../support/processes/limited.ts';

/** The days of `28d` and of the 28 days before. */
const PERIOD = { first: '2026-03-16', last: '2026-04-12' };
const BEFORE = { first: '2026-02-16', last: '2026-03-15' };
const READ_AT = new Date('2026-04-20T07:00:00Z');
const ROUNDS = 9;
const ACTIVE_SHARE = 0.7;
const DUCKDB = '@duckdb/node-api@1.5.6-r.1';
const MAX_RATIO_OF_STORE = 0.55;
const MAX_RATIO_OF_MEMORY = 0.25;
const MAX_BYTES_A_PERSON = 2.048;
const SEED = 7;
const MODULUS = 2_147_483_647;

interface Row {
  day: string;
  userId: string;
  email: string;
  credits: number;
}

/** Compares the fold of two months of people with the same sums of DuckDB, in processor time, in turns. */
export async function reportFold(people: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-fold-'));
  const store = await openStore(`file:${join(folder, 'bench.db')}`);
  const { db } = store;
  const log = createLogger('silent', []);
  const deps = { db, log, storedPeople: createStoredPeople(db) };
  const dictionary = createPeopleDictionary();
  const rows = [...rowsOf(people)];
  await storeDays(
    deps,
    'tokens',
    [...Map.groupBy(rows, ({ day }) => day)].map(([day, some]): NewDay => {
      const builder = createCreditsBuilder(dictionary);
      for (const { userId, email, credits } of some) builder.add([userId, email, credits]);
      const facts = { totals: '{}', people: builder.finish(day), fingerprint: day };
      return { day, state: 'settled', readAt: READ_AT, facts };
    }),
  );
  const stored = await db.selectFrom('analyticsColumns').select('bytes').execute();
  const bytesADay = median(stored.map(({ bytes }) => bytes.length));
  const found = [...(await readStoredDays(db, 'tokens', { first: BEFORE.first, last: PERIOD.last })).values()];
  const sumOf = (days: Iterable<PeopleColumns>) => {
    const fold = createPeopleSpendFold(PERIOD, BEFORE);
    for (const day of days) fold.add(day);
    return fold.spenders().toArray();
  };
  const inMemory = [...(await loadPeople(deps, 'tokens', found, dictionary)).values()];
  const duckdb = await openDuckDb(folder, rows);
  const contestants = {
    memory: () => Promise.resolve(sumOf(inMemory).length),
    store: async () => sumOf((await loadPeople(deps, 'tokens', found, dictionary)).values()).length,
    duckdb: duckdb.sum,
  };
  const spentMs: Record<keyof typeof contestants, number[]> = { memory: [], store: [], duckdb: [] };
  const counts = new Set<number>();
  for (let round = -1; round < ROUNDS; round += 1)
    for (const name of ['memory', 'store', 'duckdb'] as const) {
      const before = process.cpuUsage();
      counts.add(await contestants[name]());
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round >= 0) spentMs[name].push((user + system) / 1_000);
    }
  duckdb.close();
  await store.close();
  rmSync(folder, { recursive: true });
  if (counts.size !== 1) throw new Error(`The contestants found different people: ${[...counts].join(', ')}`);
  const [memoryMs, storeMs, duckDbMs] = [median(spentMs.memory), median(spentMs.store), median(spentMs.duckdb)];
  const ratios = { memory: memoryMs / duckDbMs, store: storeMs / duckDbMs };
  const faults = [
    ...(ratios.store > MAX_RATIO_OF_STORE ? [`the fold from the store is ${ratios.store.toFixed(2)} of DuckDB's`] : []),
    ...(ratios.memory > MAX_RATIO_OF_MEMORY ? [`the fold from memory is ${ratios.memory.toFixed(2)} of DuckDB's`] : []),
    ...(bytesADay > MAX_BYTES_A_PERSON * people ? [`a stored day takes ${bytesADay} bytes`] : []),
  ];
  return {
    figures: { fold: { people, memoryMs, storeMs, duckDbMs, bytesADay } },
    lines: [
      `The fold of 56 days of ${people} people, median processor time of ${ROUNDS} rounds in turns:`,
      `  from memory ${memoryMs.toFixed(1)} ms (${ratios.memory.toFixed(2)}), from the store ${storeMs.toFixed(1)} ms (${ratios.store.toFixed(2)}), ${DUCKDB} with one thread ${duckDbMs.toFixed(1)} ms`,
      `  a stored day of ${Math.round(ACTIVE_SHARE * people)} active people takes ${(bytesADay / 1024).toFixed(1)} KB`,
    ],
    faults,
  };
}

/** Credits from one to a million, whose orders of magnitude are equally frequent. */
function* rowsOf(people: number): Generator<Row> {
  let state = SEED;
  const random = () => (state = (state * 48_271) % MODULUS) / MODULUS;
  for (const day of daysOf({ first: BEFORE.first, last: PERIOD.last }))
    for (let index = 0; index < people; index += 1)
      if (random() < ACTIVE_SHARE)
        yield {
          day,
          userId: `user_${index}`,
          email: `person.${index}@acme.example`,
          credits: Math.floor(10 ** (6 * random())),
        };
}

const duckDbSchema = z.object({ DuckDBInstance: z.custom<DuckDbModule['DuckDBInstance']>() });

interface DuckDbModule {
  DuckDBInstance: {
    create(path: string, options: Record<string, string>): Promise<{ connect(): Promise<Connection> }>;
  };
}
interface Connection {
  run(statement: string): Promise<unknown>;
  runAndReadAll(statement: string): Promise<{ getColumns(): unknown[][] }>;
  createAppender(table: string): Promise<Appender>;
  closeSync(): void;
}
interface Appender {
  appendVarchar(value: string): void;
  appendInteger(value: number): void;
  endRow(): void;
  closeSync(): void;
}

/** No dependency of the project: it is 70 MB, and only this comparison needs it. */
async function openDuckDb(folder: string, rows: readonly Row[]) {
  runLimited('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, DUCKDB], { stdio: 'ignore' });
  const { DuckDBInstance } = duckDbSchema.parse(createRequire(join(folder, 'here.js'))('@duckdb/node-api'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run('create table days (day varchar, user_id varchar, email varchar, credits integer)');
  const appender = await connection.createAppender('days');
  for (const { day, userId, email, credits } of rows) {
    for (const text of [day, userId, email]) appender.appendVarchar(text);
    appender.appendInteger(credits);
    appender.endRow();
  }
  appender.closeSync();
  const statement = `select email, min(user_id), sum(credits) filter (day >= '${PERIOD.first}') as credits,
    sum(credits) filter (day < '${PERIOD.first}') as before from days group by email`;
  return {
    sum: async () => (await connection.runAndReadAll(statement)).getColumns()[0]?.length ?? 0,
    close: () => connection.closeSync(),
  };
}
