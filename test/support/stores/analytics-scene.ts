import { onTestFinished } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { createDatabase } from './databases.ts';

/** A simulated platform with its client and an empty store, until the test is over. */
export async function setAnalyticsScene({ now, people, engine }: { now: Date; people: number; engine: Engine }) {
  const clock = createMovableClock(now, { frozen: true });
  const platform = await startPlatform({ clock, people });
  const client = createPlatformClient({ ...platform, apiKey: platform.apiKeys.manager, clock });
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await client.close();
    await platform.close();
    await store.close();
    await database.drop();
    clock.dispose();
  });
  return { clock, platform, client, db: store.db, log: createLogger('silent', []) };
}
