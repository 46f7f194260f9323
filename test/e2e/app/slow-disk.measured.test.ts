import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { setCrashScene } from '../../support/processes/crash-scene.ts';
import { makeSlowDisk } from './slow-disk.ts';
import { readReadiness } from '../../support/slack/refreshes.ts';
import { readDatabase } from '../../support/stores/databases.ts';

const MORNING = new Date('2026-03-02T09:00:05Z');
const COMMANDS = 20;
const CLICKS = 5;
const MAX_ACK_MS = 1_500;
/** For a click that is stored first, besides the disk’s own time; a slower one is refused. */
const CLICK_SLACK_MS = 500;
const REFUSED_AFTER_MS = 2_000;
const CHECKPOINT_SLOW_MS = 8_000;
/**
 * A wait for the disk cannot be interrupted, and the thread of a checkpoint may begin one more before it ends. A stop
 * that waits for the whole checkpoint takes three.
 */
const MAX_STOP_MS = 2 * CHECKPOINT_SLOW_MS + 3_000;
const NOT_KEPT = 'This couldn’t be saved right now, so nothing was done. Try again in a minute.';

async function timed<Result>(run: () => Promise<Result>): Promise<{ tookMs: number; result: Result }> {
  const startMs = performance.now();
  const result = await run();
  return { tookMs: performance.now() - startMs, result };
}

test.each([1_000, 4_000])(
  'a disk with writes of %i ms delays no acknowledgement; a click is stored, or refused and not carried out',
  async (slowMs) => {
    const disk = makeSlowDisk();
    const scene = await setCrashScene('sqlite', MORNING, disk.environment);
    const db = readDatabase(scene.databaseUrl);
    const { slack } = scene;
    try {
      const bot = await scene.startBot();
      const list = await typeCommand(slack, 'morgan', '/digest', 'list', 'general');
      disk.delayBy(slowMs);
      const since = slack.mark();
      const acknowledged = await Promise.all(
        Array.from({ length: COMMANDS }, async (_, count) => {
          await delay(count * 200);
          return timed(() => slack.control.command({ as: 'mia', channel: 'general', command: '/usage', text: 'help' }));
        }),
      );
      const opened = await timed(async () => {
        await slack.control.command({ as: 'morgan', channel: 'general', command: '/digest', text: 'new' });
        return slack.next('view_opened', () => true, { since });
      });
      const clicked = await Promise.all(
        Array.from({ length: CLICKS }, async (_, count) => {
          await delay(count * 700);
          return timed(() => clickButton(slack, 'morgan', list, 'Send now'));
        }),
      );
      const ready = await timed(() => readReadiness(bot.port));
      const isKept = slowMs + CLICK_SLACK_MS < REFUSED_AFTER_MS;
      process.stdout.write(
        `fsync of ${slowMs} ms: commands ${worst(acknowledged)} ms, a form ${worst([opened])} ms, clicks ${worst(clicked)} ms, /readyz ${worst([ready])} ms\n`,
      );
      expect(acknowledged.every(({ result }) => result.inTime)).toBe(true);
      expect(worst(acknowledged)).toBeLessThan(MAX_ACK_MS);
      expect(worst([opened])).toBeLessThan(MAX_ACK_MS);
      expect(worst(clicked)).toBeLessThan(isKept ? slowMs + CLICK_SLACK_MS : REFUSED_AFTER_MS + CLICK_SLACK_MS);
      expect(ready.result['slack']).toBe('in order');
      const answers = () =>
        slack.events
          .since(since)
          .flatMap((event) => ('message' in event && event.message.isEphemeral ? [everythingIn(event.message)] : []));
      const refusals = () => answers().filter((text) => text.includes(NOT_KEPT)).length;
      await expect.poll(refusals, { timeout: 20_000 }).toBe(isKept ? 0 : CLICKS);
      disk.delayBy(0);
      await expect
        .poll(() => db.selectFrom('pendingInteractions').select('key').execute(), { timeout: 30_000 })
        .toEqual([]);
      const asked = await db
        .selectFrom('deliveries')
        .select('key')
        .where('key', 'like', 'digest:settings:now:%')
        .execute();
      expect(asked.length > 0).toBe(isKept);
      await expect
        .poll(() => answers().filter((text) => text.includes('/usage')).length, { timeout: 20_000 })
        .toBe(COMMANDS);
      await bot.stop();
    } finally {
      await db.destroy();
      await scene.close();
      disk.remove();
    }
  },
  180_000,
);

test.each([
  { slowMs: 4_000, what: 'was refused is not carried out by the next start', isCarriedOut: false },
  { slowMs: 1_000, what: 'was acknowledged is carried out by the next start', isCarriedOut: true },
])(
  'a click that $what, though the bot was killed right after',
  async ({ slowMs, isCarriedOut }) => {
    const disk = makeSlowDisk();
    const scene = await setCrashScene('sqlite', MORNING, disk.environment);
    const db = readDatabase(scene.databaseUrl);
    const { slack } = scene;
    try {
      const bot = await scene.startBot();
      const list = await typeCommand(slack, 'morgan', '/digest', 'list', 'general');
      const since = slack.mark();
      disk.delayBy(slowMs);
      bot.dieAt('outbox:after_claim');
      await clickButton(slack, 'morgan', list, 'Send now');
      if (!isCarriedOut)
        await slack.next('ephemeral', ({ message }) => everythingIn(message).includes(NOT_KEPT), { since });
      bot.process.kill('SIGKILL');
      await bot.ended;
      disk.delayBy(0);
      const next = await scene.startBot();
      const kept = () => db.selectFrom('pendingInteractions').select('key').execute();
      await expect.poll(kept, { timeout: 20_000 }).toEqual([]);
      const asked = db.selectFrom('deliveries').select('key').where('key', 'like', 'digest:settings:now:%');
      expect((await asked.execute()).length > 0).toBe(isCarriedOut);
      await next.stop();
    } finally {
      await db.destroy();
      await scene.close();
      disk.remove();
    }
  },
  120_000,
);

test('a stop in the middle of a checkpoint does not wait until a slow disk has carried the log over', async () => {
  const disk = makeSlowDisk();
  const scene = await setCrashScene('sqlite', MORNING, disk.environment);
  const { slack } = scene;
  try {
    const bot = await scene.startBot();
    const list = await typeCommand(slack, 'morgan', '/digest', 'list', 'general');
    growLog(scene.databaseUrl);
    // Only a checkpoint writes to the database itself: everything else that a stop waits for is quick.
    disk.delayBy(CHECKPOINT_SLOW_MS, '.db');
    await clickButton(slack, 'morgan', list, 'Send now');
    await expect.poll(() => disk.hasDelayed(), { timeout: 20_000 }).toBe(true);
    const stopped = await timed(() => bot.stop());
    process.stdout.write(
      `fsync of ${CHECKPOINT_SLOW_MS} ms for the database: a stop during a checkpoint ${worst([stopped])} ms\n`,
    );
    expect(await bot.ended).toBe('0');
    expect(stopped.tookMs).toBeLessThan(MAX_STOP_MS);
  } finally {
    await scene.close();
    disk.remove();
  }
}, 120_000);

/** Writes so much that the bot begins a checkpoint with its next write. */
function growLog(databaseUrl: string): void {
  const database = new DatabaseSync(databaseUrl.slice('file:'.length), { timeout: 10_000 });
  database.exec('pragma wal_autocheckpoint = 0; create table filler (content blob)');
  database.exec(`insert into filler values (zeroblob(${8 * 1024 * 1024}))`);
  database.close();
}

const worst = (all: readonly { tookMs: number }[]) => Math.round(Math.max(...all.map(({ tookMs }) => tookMs)));
