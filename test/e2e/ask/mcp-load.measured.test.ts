import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pLimit from 'p-limit';
import { afterEach, expect, test } from 'vitest';
import { createSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { identityOf, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { setUpDigest } from '../../support/digests.ts';
import { letTimePass, moveClock } from '../../support/scene-clock.ts';
import { readDatabase } from '../../support/stores/databases.ts';

let scene: ToolsScene;
afterEach(() => scene.close());

const DIGESTS = 200;
const CALLS = 1_000;
const COMMANDS = 40;
/** Slack’s own limit is 3,000. */
const MAX_ACKNOWLEDGEMENT_MS = 1_000;
/** Of the median, beside the median before; the simulated Slack answers the calls in the same thread. */
const MAX_RATIO = 5;
const MIN_BOUND_MS = 50;
/** The simulated Slack keeps the 200 messages too. */
const MAX_MEMORY_MB = 60;
const PEOPLE = ['U0MORGAN', 'U0MIA', 'U0ADA', 'U0MAX', 'U0NORA'];

/** After a collection of garbage. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return Math.round(process.memoryUsage().heapUsed / 1024 ** 2);
}

async function addDigests(): Promise<void> {
  const { schedule, settings, owner } = await setUpDigest(scene, { channel: '#agent-usage' });
  const db = readDatabase(scene.databaseUrl);
  try {
    const base = { kind: 'digest', channel: 'C0USAGE', schedule: JSON.parse(schedule), settings: JSON.parse(settings) };
    await db.transaction().execute(async (trx) => {
      for (let index = 1; index < DIGESTS; index += 1) {
        const id = `d${index.toString().padStart(3, '0')}`;
        await createSubscription(trx, { ...base, id, owner: owner ?? 'U0MORGAN' }, scene.clock.now());
      }
    });
  } finally {
    await db.destroy();
  }
}

async function sentDigests(): Promise<number> {
  const db = readDatabase(scene.databaseUrl);
  try {
    const rows = await db
      .selectFrom('deliveries')
      .select('key')
      .where('kind', '=', 'digest')
      .where('state', '=', 'sent')
      .execute();
    return rows.length;
  } finally {
    await db.destroy();
  }
}

/** How long the acknowledgements of commands took, slowest first. */
async function acknowledgements(): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < COMMANDS; index += 1) {
    const as = ['morgan', 'mia', 'ada', 'max', 'nora'][index % 5] ?? '';
    const { ackMs, inTime } = await scene.slack.control.command({
      as,
      channel: 'general',
      command: '/limits',
      text: 'me',
    });
    expect(inTime).toBe(true);
    times.push(ackMs ?? Number.POSITIVE_INFINITY);
  }
  return times.toSorted((a, b) => b - a);
}

/** @param times slowest first */
const medianOf = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? 0;
const describeTimes = (times: readonly number[]) =>
  `${Math.round(medianOf(times))} and ${Math.round(times[0] ?? 0)} ms`;

test('1,000 calls within a minute beside a morning of 200 digests leave acknowledgements and memory in bounds', async () => {
  scene = await startToolsApp({ settings: { TIMEZONE: 'UTC' } });
  await addDigests();
  const quiet = await acknowledgements();
  const beforeMb = heapMb();
  // The morning of the next day: all digests are due at once.
  await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
  // The server holds 256 connections.
  const atOnce = pLimit(100);
  const answers = Array.from({ length: CALLS }, (_, index) =>
    atOnce(() =>
      scene.slackbot.call('usage', { period: 'last week' }, identityOf(PEOPLE[index % PEOPLE.length] ?? '')),
    ),
  );
  const busy = await acknowledgements();
  const outcomes = await Promise.all(answers);
  const refused = outcomes.filter(({ isError }) => isError);
  expect(outcomes).toHaveLength(CALLS);
  expect(outcomes.length - refused.length).toBeLessThanOrEqual(300);
  expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(100);
  expect(new Set(refused.map(({ content }) => content[0]?.text.replace(/\d+/, 'n')))).toEqual(
    new Set(['These are too many questions in one minute. Ask again in n seconds.']),
  );
  // A channel takes one message a second, so the clock advances while they are sent.
  while ((await sentDigests()) < DIGESTS) await letTimePass(scene);
  const memoryMb = heapMb() - beforeMb;
  process.stdout.write(
    `acknowledgements, median and worst: quiet ${describeTimes(quiet)}, beside the calls ${describeTimes(busy)}; memory +${memoryMb} MB\n`,
  );
  expect(busy[0]).toBeLessThan(MAX_ACKNOWLEDGEMENT_MS);
  expect(medianOf(busy)).toBeLessThan(Math.max(MAX_RATIO * medianOf(quiet), MIN_BOUND_MS));
  expect(memoryMb).toBeLessThan(MAX_MEMORY_MB);
}, 120_000);
