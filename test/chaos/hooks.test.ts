import { describe, expect, test } from 'vitest';
import { setCrashScene } from '../support/processes/crash-scene.ts';
import { ANY_PORT, hooksUrlOf, makeTokens } from '../support/hooks/crash-hooks.ts';
import {
  addClients,
  cardsOf,
  lostEvents,
  percentile,
  sendLoad,
  startBareServer,
  storedSessions,
} from '../support/hooks/hook-load.ts';
import { ends, send } from '../support/hooks/hooks.ts';
import { until } from '../support/digests.ts';
import { availableEngines } from '../support/stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
const EVENTS = 10_000;
const TOKENS = 50;
const SESSIONS_EACH = 4;
const MINUTE_MS = 60_000;
const KILLS = 5;
const MAX_BUSY_MS = 20;

async function setScene(engine: ReturnType<typeof availableEngines>[number]) {
  const scene = await setCrashScene(engine, FIRST_MORNING, { ...ANY_PORT, LOG_LEVEL: 'info' });
  await scene.slack.control.configure({ realisticRateLimits: true });
  const posts = new Map<string, number>();
  scene.slack.events.listen((event) => {
    if (event.kind !== 'traffic' || event.traffic.method !== 'chat.postMessage') return;
    posts.set(event.traffic.status, (posts.get(event.traffic.status) ?? 0) + 1);
  });
  const people = await addClients(scene.slack, TOKENS, SESSIONS_EACH);
  const owners = people.map(({ owner }) => owner);
  const tokens = await makeTokens(scene.databaseUrl, owners, scene.clock.now());
  const clients = people.map((one, index) => ({ ...one, token: tokens[index] ?? '' }));
  return { ...scene, clients, posts };
}

/** Ends every session, and waits until no message is on its way. */
async function endAll(scene: Awaited<ReturnType<typeof setScene>>, hooksUrl: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const { token, sessions } of scene.clients)
    for (const session of sessions) statuses.push(await send({ hooksUrl }, token, ends(session, 'error')));
  await until({ databaseUrl: scene.databaseUrl }, async (db) => {
    const open = db.selectFrom('deliveries').select('key').where('kind', '=', 'hook-card');
    const row = await open.where('state', 'in', ['waiting', 'claimed', 'posting', 'unknown']).executeTakeFirst();
    return row ? undefined : true;
  });
  return statuses;
}

describe.each(availableEngines())('on %s', (engine) => {
  test(`${EVENTS} events of ${TOKENS} tokens in a minute with ${KILLS} kills: every event answered with 204 is stored, and each session has one card`, async () => {
    const scene = await setScene(engine);
    try {
      let bot = await scene.startBot();
      let url: string | undefined = hooksUrlOf(bot);
      const killing = (async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          await new Promise((resolve) => setTimeout(resolve, MINUTE_MS / (KILLS + 1)));
          bot.process.kill('SIGKILL');
          await bot.ended;
          url = undefined;
          bot = await scene.startBot();
          url = hooksUrlOf(bot);
        }
      })();
      const load = { clients: scene.clients, url: () => url, events: EVENTS, durationMs: MINUTE_MS };
      const { statuses, sendings, latenciesMs } = await sendLoad(load);
      await killing;
      expect([...statuses.keys()].filter((status) => ![204, 429, 'none'].includes(status))).toEqual([]);
      expect(lostEvents(sendings, await storedSessions(scene.databaseUrl))).toEqual([]);
      // Some tokens have used up their events of the minute before.
      const later = new Date(scene.clock.now().getTime() + MINUTE_MS);
      scene.moveTo(later, bot);
      expect(new Set(await endAll(scene, hooksUrlOf(bot)))).toEqual(new Set([204]));
      const cards = await cardsOf(scene.slack, scene.clients);
      expect([...cards.values()].filter((found) => found.length !== 1)).toEqual([]);
      expect(cards.size).toBe(TOKENS * SESSIONS_EACH);
      const texts = [...cards.values()].flatMap((found) => found.map(({ text }) => text));
      expect(texts.filter((text) => !text.includes('Ended with an error'))).toEqual([]);
      // Slack never had to limit its rate.
      expect([...scene.posts.keys()]).toEqual(['200']);
      const { peakMemoryMb } = await bot.measure();
      process.stderr.write(
        `hooks on ${engine}: ${JSON.stringify([...statuses])}, p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms, posts by their status ${JSON.stringify([...scene.posts])}, ${Math.round(peakMemoryMb)} MB\n`,
      );
      expect(peakMemoryMb).toBeLessThan(512);
    } finally {
      await scene.close();
    }
  }, 600_000);

  test(`${TOKENS * 50} events in a minute delay no other work: none keeps the bot busy for ${MAX_BUSY_MS} ms`, async () => {
    const scene = await setScene(engine);
    const bare = await startBareServer();
    try {
      const bot = await scene.startBot();
      const url = hooksUrlOf(bot);
      await bot.measure();
      const load = { clients: scene.clients, url: () => url, events: TOKENS * 50, durationMs: MINUTE_MS };
      const { statuses, latenciesMs, calmLatenciesMs } = await sendLoad({ ...load, bareUrl: bare.url });
      const { worstStallMs } = await bot.measure();
      const shown = (sorted: number[]) =>
        [0.5, 0.95, 0.99].map((share) => percentile(sorted, share).toFixed(1)).join(', ');
      process.stderr.write(
        `hooks on ${engine}: ${JSON.stringify([...statuses])}, p50, p95, p99: ${shown(latenciesMs)} ms; of ${calmLatenciesMs.length} while the machine was calm: ${shown(calmLatenciesMs)} ms; busy for ${worstStallMs.toFixed(1)} ms at most\n`,
      );
      expect(statuses).toEqual(new Map([[204, TOKENS * 50]]));
      // Measured in processor time: waiting besides that depends on the other programs of the machine.
      expect(worstStallMs).toBeLessThan(MAX_BUSY_MS);
    } finally {
      bare.close();
      await scene.close();
    }
  }, 600_000);
});
