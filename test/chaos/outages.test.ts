import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { Client } from 'pg';
import { surviveBlackHole } from '../support/stores/black-hole.ts';
import { typeCommand } from '../support/slack/conversation.ts';
import { availableEngines } from '../support/stores/databases.ts';
import { readReadiness, REFRESHES, refreshUnderLoad } from '../support/slack/refreshes.ts';
import { startTestApp } from '../support/test-app.ts';

const REFRESH_ROUNDS = Number(process.env['REFRESHES'] ?? 100);
/** The least number of answers to the twenty typed commands; the timers of a busy machine lose the others. */
const LEAST_COMMANDS_PER_SECOND = 19;
const SLACK_OUTAGE_MS = Number(process.env['SLACK_OUTAGE_MS'] ?? 4 * 60_000);
const BLACK_HOLE_MS = Number(process.env['BLACK_HOLE_MS'] ?? 40_000);
const RESTARTS = 30;

// They mostly wait, so they run side by side.
describe.concurrent('with Slack', () => {
  test.each(REFRESHES)(
    `${REFRESH_ROUNDS} refreshes leave no command unanswered: %o`,
    async (fault) => {
      const scene = await startTestApp();
      try {
        const report = await refreshUnderLoad(scene, fault, REFRESH_ROUNDS);
        process.stdout.write(`${JSON.stringify({ fault, ...report })}\n`);
        expect(report).toMatchObject({ unanswered: 0, unready: 0, mostConnections: 2 });
        expect(report.commandsPerSecond).toBeGreaterThanOrEqual(LEAST_COMMANDS_PER_SECOND);
      } finally {
        await scene.close();
      }
    },
    600_000,
  );

  test(
    'an outage of four minutes ends no connection for good, and is over within a minute of its end',
    async () => {
      const scene = await startTestApp();
      try {
        await scene.slack.control.breakSockets({ kind: 'cut', refuseReconnects: true });
        await delay(SLACK_OUTAGE_MS);
        expect(await readReadiness(scene.app.port)).toMatchObject({ slack: 'not in order' });
        const since = scene.slack.mark();
        const backAtMs = performance.now();
        await scene.slack.control.restoreSockets({});
        await scene.slack.next('connection', ({ what }) => what === 'opened', { since, timeoutMs: 61_000 });
        process.stdout.write(`Slack is back after ${Math.round(performance.now() - backAtMs)} ms\n`);
        expect((await typeCommand(scene.slack, 'mia', '/usage', 'help')).text).toContain('/usage');
        expect(scene.fatalReasons).toEqual([]);
      } finally {
        await scene.close();
      }
    },
    SLACK_OUTAGE_MS + 120_000,
  );
});

describe.runIf(availableEngines().includes('postgres'))('with Postgres', () => {
  test.each(['existing', 'all'] as const)(
    'a network that swallows %s connections loses no due work',
    async (which) => {
      const report = await surviveBlackHole(which, BLACK_HOLE_MS);
      process.stdout.write(`${JSON.stringify({ which, ...report })}\n`);
      expect(report.recoveredMs).toBeLessThan(60_000);
    },
    BLACK_HOLE_MS + 120_000,
  );

  test(`the next command is answered after every connection is cut at once, as by a restart, ${RESTARTS} times`, async () => {
    const scene = await startTestApp({ engine: 'postgres' });
    const client = new Client({ connectionString: inject('postgresUrl') });
    await client.connect();
    for (let round = 0; round < RESTARTS; round += 1) {
      const name = new URL(scene.databaseUrl).pathname.slice(1);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await expect.poll(() => readReadiness(scene.app.port), { timeout: 10_000 }).toMatchObject({ store: 'in order' });
      expect((await typeCommand(scene.slack, 'mia', '/usage', 'help')).text).toContain('/usage');
    }
    expect(scene.fatalReasons).toEqual([]);
    await client.end();
    await scene.close();
  });
});
