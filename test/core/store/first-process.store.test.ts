import { expect, onTestFinished, test } from 'vitest';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createTurns, isFirstProcess } from '../../../src/core/store/health/first-process.ts';
import { beat, recordStop } from '../../../src/core/store/health/heartbeat.ts';
import { nameProcess } from '../../../src/core/store/lease.ts';
import { availableEngines, createDatabase, whereThereIsPostgres } from '../../support/stores/databases.ts';

const SEVEN = new Date('2026-03-02T07:00:00Z');
const MINUTE_MS = 60_000;

async function startProcesses(names: readonly string[]) {
  const database = await createDatabase('postgres');
  const clock = createMovableClock(SEVEN, { frozen: true });
  const processes = await Promise.all(
    names.map(async (name) => {
      const store = await openStore(database.url, undefined, () => clock.now());
      nameProcess(store.db, name);
      const state = { process: name };
      const live = () => beat(store, state);
      await live();
      return { store, live, name, isTurn: createTurns({ db: store.db, clock }) };
    }),
  );
  onTestFinished(async () => {
    for (const { store } of processes) await store.close();
    await database.drop();
    clock.dispose();
  });
  const [one, other] = processes;
  if (!one || !other) throw new Error('Two processes are needed');
  const advance = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));
  return { one, other, advance };
}

test.for(whereThereIsPostgres())('of the processes on %s one is the first', async () => {
  const { one, other } = await startProcesses(['a', 'b']);
  expect(await isFirstProcess(one.store.db)).toBe(true);
  expect(await isFirstProcess(other.store.db)).toBe(false);
});

test.for(whereThereIsPostgres())(
  'the next process on %s is the first as soon as that one has stopped, or has not beaten for a while',
  async () => {
    const stopped = await startProcesses(['a', 'b']);
    await recordStop(stopped.one.store.db, 'a');
    expect(await isFirstProcess(stopped.other.store.db)).toBe(true);
    const killed = await startProcesses(['a', 'b']);
    killed.advance(MINUTE_MS);
    await killed.other.live();
    expect(await isFirstProcess(killed.other.store.db)).toBe(true);
  },
);

test.for(whereThereIsPostgres())(
  'work that costs the same in each process on %s is done by all at their start, then by the first, and by the others every six hours',
  async () => {
    const { one, other, advance } = await startProcesses(['a', 'b']);
    const turns = async () => [await one.isTurn(), await other.isTurn()];
    expect(await turns()).toEqual([true, true]);
    expect(await turns()).toEqual([true, false]);
    advance(6 * 60 * MINUTE_MS);
    await Promise.all([one.live(), other.live()]);
    expect(await turns()).toEqual([true, true]);
    expect(await turns()).toEqual([true, false]);
  },
);

test.each(availableEngines())(
  'a process without a name is the first, for example a tool of the operator (%s)',
  async (engine) => {
    const database = await createDatabase(engine);
    const store = await openStore(database.url);
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    await beat(store, { process: 'a' });
    expect(await isFirstProcess(store.db)).toBe(true);
  },
);
