import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../src/core/store/tables.ts';
import { readDatabase } from '../stores/databases.ts';
import type { TestApp } from '../test-app.ts';

const MINUTE_MS = 60_000;
/** The real time in which a bot does the work of one minute of an outage. */
const PAUSE_MS = 12;
const NUDGE_MS = 100;
const PATIENCE_MS = 60_000;
/** Longer than every pause between two attempts, which is at most ten minutes. */
const STEP_MS = 20_000;

/**
 * Advances the scene’s clock by hours, in steps of some minutes. Running work finishes first: it takes real time, and
 * has a lease.
 */
export async function passMinutes(
  { clock, databaseUrl }: Pick<TestApp, 'clock' | 'databaseUrl'>,
  minutes: number,
  stepMinutes = 1,
): Promise<void> {
  const db = readDatabase(databaseUrl);
  try {
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      clock.moveTo(new Date(clock.now().getTime() + stepMinutes * MINUTE_MS));
      await delay(PAUSE_MS);
      const deadlineMs = performance.now() + PATIENCE_MS;
      while ((await isUnderWay(db)) && performance.now() < deadlineMs) {
        // Pauses between requests to the platform end sooner, and no lease does.
        clock.moveTo(new Date(clock.now().getTime() + NUDGE_MS));
        await delay(PAUSE_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

async function isUnderWay(db: Database): Promise<boolean> {
  const row = db.selectFrom('deliveries').select('key').where('state', 'in', ['claimed', 'posting']);
  return (await row.executeTakeFirst()) !== undefined;
}

/**
 * Advances the time until a condition holds. It also returns after a time limit, so that a count shows the missing
 * part.
 */
export async function passUntil(
  { clock, databaseUrl }: Pick<TestApp, 'clock' | 'databaseUrl'>,
  isSo: (db: Database, now: Date) => boolean | Promise<boolean>,
): Promise<void> {
  const db = readDatabase(databaseUrl);
  const deadlineMs = performance.now() + PATIENCE_MS;
  try {
    while (!(await isSo(db, clock.now())) && performance.now() < deadlineMs) {
      // On a slow machine an attempt would lose its lease within a few longer steps, again and again.
      const stepMs = (await isUnderWay(db)) ? NUDGE_MS : STEP_MS;
      clock.moveTo(new Date(clock.now().getTime() + stepMs));
      await delay(PAUSE_MS);
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Whether no delivery is on its way, and none is about to be: on a busy machine, hours can pass before the bot has planned
 * a morning.
 */
export async function isAtRest(db: Database, now: Date): Promise<boolean> {
  const due = db
    .selectFrom('subscriptions')
    .select('id')
    .where('state', '=', 'active')
    .where('nextDueAt', '<=', now.toISOString());
  if ((await due.executeTakeFirst()) !== undefined) return false;
  const open = db
    .selectFrom('deliveries')
    .select('key')
    .where('state', 'in', ['waiting', 'claimed', 'posting', 'unknown']);
  return (await open.executeTakeFirst()) === undefined;
}

/** How often each delivery key appears in Slack, in every channel, thread and direct message. */
function keysInSlack({ slack }: Pick<TestApp, 'slack'>): Map<string, number> {
  const keys = [...slack.workspace.channels.values()]
    .flatMap(({ messages }) => messages)
    .flatMap(({ metadata }) => {
      const key = metadata?.event_payload['key'];
      return typeof key === 'string' ? [key] : [];
    });
  return new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}

/** Which of these keys are missing in Slack, and which keys appear twice. */
export function lostAndDoubled(scene: Pick<TestApp, 'slack'>, expected: readonly string[]) {
  const counts = keysInSlack(scene);
  return {
    lost: expected.filter((key) => !counts.has(key)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([key]) => key),
  };
}
