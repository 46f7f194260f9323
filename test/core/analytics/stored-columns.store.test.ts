import type { KyselyPlugin } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createColumnsCache } from '../../../src/core/analytics/columns/columns-cache.ts';
import {
  type PeopleColumns,
  createCreditsBuilder,
  usersOf,
} from '../../../src/core/analytics/columns/people-columns.ts';
import { createPeopleDictionary } from '../../../src/core/analytics/columns/people-dictionary.ts';
import { createDayReader, createTotalsCache } from '../../../src/core/analytics/reading/day-reader.ts';
import {
  countErasures,
  peopleOf,
  readStoredDays,
  storeDays,
  totalsOf,
  versionOfPeople,
} from '../../../src/core/analytics/reading/day-store.ts';
import { loadPeople } from '../../../src/core/analytics/reading/load-people.ts';
import { peopleRetention } from '../../../src/core/analytics/reading/roll-up.ts';
import { createStoredPeople } from '../../../src/core/analytics/reading/stored-people.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createByteBudget } from '../../../src/core/base/work-queue.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { rowsOfColumns } from '../../support/credits-columns.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const DAYS = ['2026-02-20', '2026-02-21'];
const PERIOD = { first: '2026-02-20', last: '2026-02-21' };
const TODAY = '2026-03-02';
const READ_AT = new Date(`${TODAY}T07:00:00Z`);
const AT = READ_AT.toISOString();

type CreditsOf = readonly [id: string, email: string | null, credits: number | null];

/** A store, and processes that use it, each with its own memory. */
async function startScene(engine: Engine) {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  const clock = createMovableClock(READ_AT, { frozen: true });
  onTestFinished(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });
  const { db } = store;
  const lines: string[] = [];
  const log = createLogger('warn', [], (line) => void lines.push(line));
  const startProcess = () => {
    const loads: string[] = [];
    const noteLoads: KyselyPlugin = {
      transformQuery: ({ node }) => {
        const text = node.kind === 'SelectQueryNode' ? JSON.stringify(node) : '';
        for (const column of ['facts', 'bytes']) if (text.includes(`"${column}"`)) loads.push(column);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const storedPeople = createStoredPeople(db);
    const cache = createColumnsCache(() => {});
    const inUse = async () => cache.use(await countErasures(db), TODAY);
    const reader = createDayReader({
      db: db.withPlugin(noteLoads),
      clock,
      log,
      source: {
        resource: 'tokens',
        mostDaysAtOnce: () => 7,
        fetch: () => Promise.resolve(new Map()),
        zeroDay: (day) => ({ totals: `"${day}"`, fingerprint: '' }),
      },
      peopleSince: () => '2025-01-01',
      oneByOne: (work) => work(),
      budget: createByteBudget(1_000_000),
      cache: createTotalsCache(),
      storedPeople,
      dictionary: async () => (await inUse()).people,
    });
    return {
      put: async (rows: readonly CreditsOf[], { version = 'v1', days = DAYS, readAt = READ_AT } = {}) => {
        const { people } = await inUse();
        const read = days.map((day) => {
          const builder = createCreditsBuilder(people);
          for (const row of rows) builder.add(row);
          const facts = { totals: `"${day} ${version}"`, people: builder.finish(day), fingerprint: version };
          return { day, state: 'settled' as const, readAt, facts };
        });
        return storeDays({ db, log, storedPeople }, 'tokens', read);
      },
      readPeople: async () => {
        const before = loads.length;
        const people = await inUse();
        const days = new Map<string, readonly CreditsOf[]>();
        await reader.read(PERIOD, { maxAgeMs: 0, people }, (day) => {
          const columns = peopleOf(day);
          if (!columns) throw new Error('No people were passed');
          people.keep(versionOfPeople('tokens', day), columns);
          days.set(day.day, rowsIn(columns));
        });
        return { days: Object.fromEntries(days), loads: loads.length - before };
      },
      readTotals: async () => {
        const before = loads.length;
        const totals: string[] = [];
        await reader.read(PERIOD, { maxAgeMs: 0 }, (day) => void totals.push(totalsOf(day)));
        return { totals: totals.toSorted(), loads: loads.length - before };
      },
      deps: { db, log, storedPeople },
    };
  };
  return { db, lines, startProcess };
}

const rowsIn = (columns: PeopleColumns): readonly CreditsOf[] =>
  rowsOfColumns(columns)
    .map(({ user_id: id, user_email: email, billable_tokens: credits }) => [id, email, credits] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

const eachDay = (rows: readonly CreditsOf[]) => Object.fromEntries(DAYS.map((day) => [day, rows]));

const MIA: CreditsOf = ['u-mia', 'mia@acme.example', 12];
const MAX: CreditsOf = ['u-max', null, null];
const ADA: CreditsOf = ['u-ada\u0000\u{d800}', 'ada@acme.example', 0.5];

describe.each(availableEngines())('the people of stored days, on %s', (engine) => {
  const retentionBefore = (day: string) => new Date(`${day}T12:00:00Z`);
  const prune = async (db: Awaited<ReturnType<typeof startScene>>['db'], before: string) => {
    for await (const rows of peopleRetention.prune(db, retentionBefore(before))) void rows;
  };

  test('are those that were read, also for a process that starts later, and are kept in memory', async () => {
    const { startProcess, lines } = await startScene(engine);
    const first = startProcess();
    await first.put([MIA, MAX, ADA]);
    const second = startProcess();
    for (const { readPeople, readTotals } of [first, second]) {
      const { days, loads } = await readPeople();
      expect(days).toEqual(eachDay([ADA, MAX, MIA]));
      expect(loads).toBeGreaterThan(0);
      expect(await readPeople()).toEqual({ days, loads: 0 });
      expect((await readTotals()).totals).toEqual(DAYS.map((day) => `"${day} v1"`));
      expect((await readTotals()).loads).toBe(0);
    }
    expect(lines).toEqual([]);
  });

  test('are those of another reading, which another process stored', async () => {
    const { startProcess } = await startScene(engine);
    const [first, second] = [startProcess(), startProcess()];
    await first.put([MIA]);
    await second.readPeople();
    await first.put([MIA, MAX], { version: 'v2' });
    expect((await second.readPeople()).days).toEqual(eachDay([MAX, MIA]));
    await second.put([ADA], { version: 'v3' });
    expect((await first.readPeople()).days).toEqual(eachDay([ADA]));
  });

  test('are whole if two processes add the same people at once', async () => {
    const { startProcess, lines } = await startScene(engine);
    const processes = [startProcess(), startProcess()] as const;
    const many = Array.from({ length: 1_500 }, (_, index): CreditsOf => [`u${index}`, `u${index}@acme.example`, index]);
    await Promise.all(processes.map(({ put }, at) => put(many.toReversed(), { days: DAYS.slice(at, at + 1) })));
    const expected = many.toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const { readPeople } of [...processes, startProcess()])
      expect((await readPeople()).days).toEqual(eachDay(expected));
    expect(lines).toEqual([]);
  });

  test('have pseudonyms after an erasure, in memory too, and a day that is stored then names nobody', async () => {
    const { db, startProcess } = await startScene(engine);
    const { put, readPeople } = startProcess();
    await put([MIA, MAX]);
    await readPeople();
    const erasure = { id: 'e1', pseudonyms: '{}', identifiers: null, askedBy: 'U0ADA', askedAt: AT, nextAt: AT };
    await db
      .insertInto('erasures')
      .values({ ...erasure, state: 'done', finishedAt: AT })
      .execute();
    const person = JSON.stringify(['erased-e1', 'erased-e1@erased.invalid']);
    await db.updateTable('analyticsPeople').set({ person }).where('person', 'like', '%mia%').execute();
    const renamed: CreditsOf = ['erased-e1', 'erased-e1@erased.invalid', 12];
    expect((await readPeople()).days).toEqual(eachDay([renamed, MAX]));
    await put([renamed, MAX], { version: 'v2' });
    const people = await db.selectFrom('analyticsPeople').select('person').execute();
    expect(JSON.stringify(people)).not.toContain('mia');
    expect((await startProcess().readPeople()).days).toEqual(eachDay([renamed, MAX]));
  });

  test('that a version before 0.4.0 stored are read once, and stored as columns', async () => {
    const { db, startProcess, lines } = await startScene(engine);
    const row = { resource: 'tokens', state: 'settled', readAt: AT, changedAt: AT, fingerprint: 'earlier' } as const;
    for (const day of DAYS)
      for (const [part, facts] of [`"${day}"`, JSON.stringify([MIA]), JSON.stringify([MAX, ADA])].entries())
        await db
          .insertInto('analyticsDays')
          .values({ ...row, day, part, facts })
          .execute();
    const { readPeople, readTotals } = startProcess();
    expect((await readTotals()).totals).toEqual(DAYS.map((day) => `"${day}"`));
    expect((await readPeople()).days).toEqual(eachDay([ADA, MAX, MIA]));
    const kept = await db.selectFrom('analyticsDays').select(['part', 'state', 'changedAt']).execute();
    // For a process of the earlier version, which finds no rows, the people have to be read again.
    expect(kept).toEqual(DAYS.map(() => ({ part: 0, state: 'rolled_up', changedAt: AT })));
    expect([...(await readStoredDays(db, 'tokens', PERIOD)).values()].map(({ state }) => state)).toEqual([
      'settled',
      'settled',
    ]);
    const later = startProcess();
    expect((await later.readPeople()).days).toEqual(eachDay([ADA, MAX, MIA]));
    expect((await later.readTotals()).totals).toEqual(DAYS.map((day) => `"${day}"`));
    expect(lines).toEqual([]);
  });

  test('are those of the rows of an earlier version, if one replaced the day meanwhile', async () => {
    const { db, startProcess } = await startScene(engine);
    await startProcess().put([MIA]);
    for (const day of DAYS) {
      await db
        .updateTable('analyticsDays')
        .set({ state: 'settled', fingerprint: 'theirs' })
        .where('day', '=', day)
        .execute();
      const row = {
        resource: 'tokens',
        day,
        state: 'settled',
        readAt: AT,
        changedAt: AT,
        fingerprint: 'theirs',
      } as const;
      await db
        .insertInto('analyticsDays')
        .values({ ...row, part: 1, facts: JSON.stringify([MAX]) })
        .execute();
    }
    expect((await startProcess().readPeople()).days).toEqual(eachDay([MAX]));
    expect((await startProcess().readPeople()).days).toEqual(eachDay([MAX]));
  });

  test('of /users have all their values, whichever version stored them', async () => {
    const { db, startProcess } = await startScene(engine);
    const values = ['u1', 'Mia@acme.example', DAYS[0], 3, null, 'atlas', null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const row = [...values, 0.25, 'auto-high', ['go', 'c “1”']];
    const other = ['u2', null, DAYS[0], ...Array.from({ length: 17 }, () => null), null, []];
    const stored = { resource: 'users', day: DAYS[0] ?? '', state: 'fresh', readAt: AT, changedAt: AT } as const;
    for (const [part, facts] of ['{}', JSON.stringify([row, other])].entries())
      await db
        .insertInto('analyticsDays')
        .values({ ...stored, fingerprint: 'earlier', part, facts })
        .execute();
    for (const { deps } of [startProcess(), startProcess()]) {
      const found = [...(await readStoredDays(db, 'users', PERIOD)).values()];
      const [day] = (await loadPeople(deps, 'users', found, createPeopleDictionary())).values();
      if (!day) throw new Error('The day was not found');
      const rows = [...usersOf(day)];
      expect(rows.map((each) => JSON.stringify(each)).toSorted()).toEqual(
        [
          {
            user_id: 'u1',
            user_email: 'Mia@acme.example',
            date: DAYS[0],
            tool_calls: 3,
            billable_tokens: null,
            primary_model: 'atlas',
            primary_model_tier: null,
            files_created: 0,
            files_edited: 1,
            git_commits: 2,
            git_prs_created: 3,
            mcp_calls: 4,
            skill_calls: 5,
            slash_commands: 6,
            hooks: 7,
            sessions: 8,
            messages: 9,
            user_messages: 10,
            assistant_messages: 11,
            autonomy_ratio: 0.25,
            delegation_level: 'auto-high',
            languages: ['go', 'c “1”'],
          },
          {
            user_id: 'u2',
            user_email: null,
            date: DAYS[0],
            tool_calls: null,
            billable_tokens: null,
            primary_model: null,
            primary_model_tier: null,
            files_created: null,
            files_edited: null,
            git_commits: null,
            git_prs_created: null,
            mcp_calls: null,
            skill_calls: null,
            slash_commands: null,
            hooks: null,
            sessions: null,
            messages: null,
            user_messages: null,
            assistant_messages: null,
            autonomy_ratio: null,
            delegation_level: null,
            languages: [],
          },
        ].map((each) => JSON.stringify(each)),
      );
    }
    expect(await db.selectFrom('analyticsDays').select('part').execute()).toEqual([{ part: 0 }]);
  });

  test('whom no day names any more are deleted, and come back when they are read again', async () => {
    const { db, startProcess, lines } = await startScene(engine);
    const [first, second] = [startProcess(), startProcess()];
    await first.put([MIA, MAX], { days: DAYS.slice(0, 1) });
    await first.put([MAX], { days: DAYS.slice(1) });
    await second.readPeople();
    await prune(db, '2026-02-22');
    const people = await db.selectFrom('analyticsPeople').select('person').execute();
    expect(people).toEqual([{ person: '["u-max",null]' }]);
    expect([...(await readStoredDays(db, 'tokens', PERIOD)).values()].map(({ state }) => state)).toEqual([
      'rolled_up',
      'settled',
    ]);
    // Both remember ids of people who are gone.
    await second.put([MIA], { version: 'v2' });
    expect((await startProcess().readPeople()).days).toEqual(eachDay([MIA]));
    await first.put([MIA, MAX], { version: 'v3' });
    expect((await startProcess().readPeople()).days).toEqual(eachDay([MAX, MIA]));
    expect(lines).toEqual([]);
  });

  test('stay if a day names them again while others are deleted', async () => {
    const { db, startProcess } = await startScene(engine);
    const process = startProcess();
    await process.put([MIA, MAX], { days: DAYS.slice(0, 1) });
    await process.put([MAX], { days: DAYS.slice(1) });
    const pruning = peopleRetention.prune(db, retentionBefore('2026-02-22'))[Symbol.asyncIterator]();
    // The columns of the first day are deleted, and the people not yet.
    await pruning.next();
    await process.put([MIA], { version: 'v2', days: DAYS.slice(1) });
    while (!(await pruning.next()).done);
    expect((await startProcess().readPeople()).days).toEqual({ '2026-02-21': [MIA] });
  });

  test('that cannot be found are an error, not somebody else', async () => {
    const { db, startProcess } = await startScene(engine);
    await startProcess().put([MIA]);
    await db.deleteFrom('analyticsPeople').execute();
    await expect(startProcess().readPeople()).rejects.toThrow('The store has nobody with the id 1');
  });
});

// While Postgres answers, the loop turns for nothing.
test('thousands of stored people give the event loop a turn for some of them, and not for each', async () => {
  const { startProcess } = await startScene('sqlite');
  const people = 4_000;
  await startProcess().put(Array.from({ length: people }, (_, index) => [`u-${index}`, `${index}@acme.example`, 1]));
  let turns = 0;
  let areCounted = true;
  const count = () => {
    turns += 1;
    if (areCounted) setImmediate(count);
  };
  count();
  const { days } = await startProcess().readPeople();
  areCounted = false;
  expect(days[DAYS[0] ?? '']).toHaveLength(people);
  expect(turns).toBeLessThan(people / 4);
});
