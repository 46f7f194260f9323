/**
 * Evaluates budgets with the code of one version of the program over a store that an earlier run left, as after a start.
 * The first run reads the days from the platform.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type * as Days from '../../src/core/analytics/days.ts';
import type * as Checkpoint from '../../src/core/base/checkpoint.ts';
import type * as Log from '../../src/core/base/log.ts';
import type * as Client from '../../src/core/platform/client.ts';
import type * as Database from '../../src/core/store/database.ts';
import type * as BudgetStore from '../../src/features/alerts/budgets/core/budget-store.ts';
import type * as Evaluate from '../../src/features/alerts/budgets/evaluate/evaluate.ts';
import type * as Clock from '../../src/sandbox/demo/movable-clock.ts';
import { budgetOf, evaluationDepsOf } from './many-budgets.ts';

const {
  ROOT,
  PEOPLE,
  BUDGETS,
  STORE,
  BASE_URL,
  API_KEY,
  TEST_NOW: NOW,
} = z
  .object({
    ROOT: z.string(),
    PEOPLE: z.coerce.number().int(),
    BUDGETS: z.coerce.number().int(),
    STORE: z.string(),
    BASE_URL: z.string(),
    API_KEY: z.string(),
    TEST_NOW: z.coerce.date(),
  })
  .parse(process.env);
const load = <Module>(path: string): Promise<Module> => import(pathToFileURL(join(ROOT, path)).href);

const { createAnalyticsDays } = await load<typeof Days>('src/core/analytics/days.ts');
const { noCheckpoint } = await load<typeof Checkpoint>('src/core/base/checkpoint.ts');
const { createLogger } = await load<typeof Log>('src/core/base/log.ts');
const { createPlatformClient } = await load<typeof Client>('src/core/platform/client.ts');
const { openStore } = await load<typeof Database>('src/core/store/database.ts');
const { insertBudget, listBudgets } = await load<typeof BudgetStore>(
  'src/features/alerts/budgets/core/budget-store.ts',
);
const { evaluateBudgets } = await load<typeof Evaluate>('src/features/alerts/budgets/evaluate/evaluate.ts');
const { createMovableClock } = await load<typeof Clock>('src/sandbox/demo/movable-clock.ts');

const clock = createMovableClock(NOW, { frozen: true });
const log = createLogger('silent', []);
const platform = createPlatformClient({ baseUrl: BASE_URL, appUrl: BASE_URL, apiKey: API_KEY, clock });
const store = await openStore(`file:${STORE}`);
const days = createAnalyticsDays({ platform, db: store.db, clock, log, peopleDays: 375 });
const emailOf = (person: number) => `person.${person % PEOPLE}@acme.example`;
const deps = evaluationDepsOf({ db: store.db, clock, log, days, checkpoint: noCheckpoint }, emailOf);

if ((await listBudgets(store.db)).length === 0) {
  await store.db.transaction().execute(async (trx) => {
    for (let index = 0; index < BUDGETS; index += 1) await insertBudget(trx, budgetOf(index), clock.now());
  });
}
const today = NOW.toISOString().slice(0, 10);
const startedMs = performance.now();
const before = process.cpuUsage();
await evaluateBudgets(deps, await listBudgets(store.db), { today, published: undefined });
const { user, system } = process.cpuUsage(before);
const result = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1_000 };
await platform.close();
await store.close();
clock.dispose();
process.send?.(result);
process.disconnect();
