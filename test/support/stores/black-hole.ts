import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { typeCommand } from '../slack/conversation.ts';
import { createDatabase, readDatabase } from './databases.ts';
import { messagesIn } from '../digests.ts';
import { moveClock } from '../scene-clock.ts';
import { startFreezingProxy } from './freezing-proxy.ts';
import { readReadiness } from '../slack/refreshes.ts';
import { startTestApp } from '../test-app.ts';

/** Before the first digest of the day, and a moment after it was due. */
const BEFORE = new Date('2026-03-02T08:59:50Z');
const DUE = new Date('2026-03-02T09:00:01Z');
/** The promise: a minute after the network is back, everything works as before. */
const ITSELF_AGAIN_MS = 60_000;

/**
 * A bot whose network to Postgres falls silent just when a digest is due and while commands are typed.
 * @param which connections that are open at that time, or all; after `silentMs` the network works again
 * @returns the time from then until everything worked again
 */
export async function surviveBlackHole(which: 'existing' | 'all', silentMs: number): Promise<{ recoveredMs: number }> {
  const database = await createDatabase('postgres');
  const proxy = await startFreezingProxy(database.url);
  const settings = { DATABASE_URL: proxy.url, DIGEST_CHANNEL: '#agent-usage' };
  const scene = await startTestApp({ engine: 'postgres', at: BEFORE, settings });
  try {
    // Its detail follows in its thread.
    const digests = async () => (await messagesIn(scene, 'agent-usage')).posts.length;
    await expect.poll(() => plannedDigests(database.url), { timeout: 10_000 }).toBe(1);
    proxy.freeze(which);
    await moveClock(scene, DUE);
    const deliveries = await Promise.all(
      Array.from({ length: 8 }, () =>
        scene.slack.control.command({ as: 'mia', channel: 'general', command: '/usage', text: 'help' }),
      ),
    );
    expect(deliveries.every(({ inTime }) => inTime)).toBe(true);
    await delay(silentMs);
    proxy.thaw();
    const backAtMs = performance.now();
    const patience = { timeout: ITSELF_AGAIN_MS, interval: 250 };
    await expect.poll(() => digests(), patience).toBe(1);
    await expect.poll(() => readReadiness(scene.app.port), patience).toMatchObject({ store: 'in order' });
    expect((await typeCommand(scene.slack, 'mia', '/usage', 'help')).text).toContain('/usage');
    const recoveredMs = performance.now() - backAtMs;
    expect(recoveredMs).toBeLessThan(ITSELF_AGAIN_MS);
    expect(await digests()).toBe(1);
    expect(scene.fatalReasons).toEqual([]);
    return { recoveredMs };
  } finally {
    await scene.close();
    await proxy.close();
    await database.drop();
  }
}

/** The digest of the settings is set up by the first tick. */
async function plannedDigests(url: string): Promise<number> {
  const db = readDatabase(url);
  try {
    return (await db.selectFrom('subscriptions').select('id').execute()).length;
  } finally {
    await db.destroy();
  }
}
