import perfHooks from 'node:perf_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../../src/app/observed-platform.ts';
import { openStore } from '../../src/core/store/database.ts';
import { createDatabase } from '../support/stores/databases.ts';

/** An empty store, until the test ends. */
async function openEmptyStore() {
  const database = await createDatabase('sqlite');
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

test('bots that start after each other in a process share the observers of that process, which have no end', async () => {
  const { db } = await openEmptyStore();
  createMetrics(db);
  const timers = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  onTestFinished(() => timers.mockRestore());
  const text = await createMetrics(db).render();
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(timers).not.toHaveBeenCalled();
});

test('one scrape reads the policies once for all of their gauges', async () => {
  const store = await openEmptyStore();
  const read: string[] = [];
  const db = store.db.withPlugin({
    transformQuery: ({ node }) => {
      read.push(JSON.stringify(node));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const metrics = createMetrics(db);
  const about = (table: string) => read.filter((query) => query.includes(`"${table}"`)).length;
  for (const scrapes of [1, 2]) {
    const text = await metrics.render();
    expect(text).toMatch(/^quartermaster_limit_policy_grants 0$/m);
    expect(text).toMatch(/^quartermaster_limit_lead_grants 0$/m);
    expect(text).toMatch(/^quartermaster_limit_policies\{state="active"\} 0$/m);
    for (const table of ['limit_policy_decisions', 'limit_team_charges', 'limit_policies'])
      expect([table, about(table)]).toEqual([table, scrapes]);
  }
});
