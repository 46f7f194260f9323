import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { OUTBOX_TIMES, type OutboxTimes } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { enqueue } from './enqueue.ts';
import { readHistory } from './read-history.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createDatabase } from '../stores/databases.ts';

/** The times of production, scaled down: the same proportions in seconds. */
const scaledTimes = (scale: number): OutboxTimes => ({
  leaseMs: OUTBOX_TIMES.leaseMs / scale,
  historyReadsAfterMs: OUTBOX_TIMES.historyReadsAfterMs.map((readAfterMs) => readAfterMs / scale),
  unreadableMs: OUTBOX_TIMES.unreadableMs / scale,
});
const STOPS_SCALE = 100;
/**
 * Ten seconds lie between the latest appearance of a message and the last search: more than a busy machine delays a
 * request.
 */
const LATE_SCALE = 20;

/** The outcomes of the deliveries of some rounds. */
export interface Tally {
  stops: number;
  planned: number;
  lost: string[];
  doubled: string[];
  /** Deliveries that had not ended within the time limit. */
  unsettled: string[];
  /** Second messages that were found and deleted. */
  deleted: number;
  /** Deliveries that were still open when the last was planned, and the time to finish them. */
  backlog: number;
  drainedMs: number;
  /** The history of each lost, doubled and unsettled one. */
  histories: Record<string, string[]>;
}

const CHANNELS = 12;
/**
 * Both replicas are stopped for most of the time, during which a channel waits for the lease of one of them: fifteen
 * places take less than fifteen messages a second. A replica that woke too late waits for fifteen seconds, which are
 * not scaled.
 */
const PLANNED_EVERY_MS = 200;
/** The bot gives up an answer after ten seconds, and a message that never gets one in time is never sent. */
const SLOWEST_OPENING_MS = 6_000;
/** The last search for a message, some leases, and waits for the rate limit of its channel. */
const patienceMs = ({ leaseMs, historyReadsAfterMs }: OutboxTimes) =>
  180_000 + 3 * leaseMs + (historyReadsAfterMs.at(-1) ?? 0);

async function startProcess(environment: Record<string, string>): Promise<ChildProcess> {
  const child = fork(new URL('outbox-process.ts', import.meta.url), {
    env: { ...environment, PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** Two outboxes on one Postgres, and channels and people for them. */
async function setOutboxRounds(times: OutboxTimes) {
  const slack = await startSlack({ clock: systemClock });
  await slack.control.configure(readInstalledApp());
  const database = await createDatabase('postgres');
  const store = await openStore(database.url);
  const environment = {
    DATABASE_URL: database.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    TIMES: JSON.stringify(times),
  };
  const outboxes = [await startProcess(environment), await startProcess(environment)];
  const added = Array.from({ length: CHANNELS }, (_, index) =>
    slack.control.addChannel({ name: `stop-${index}`, members: ['ada', 'app'] }),
  );
  const channels = (await Promise.all(added)).map(({ id }) => id);
  // Direct messages have to be opened first.
  const places = [...channels, 'U0ADA', 'U0MIA', 'U0MORGAN'];
  let planned = 0;
  let deleted = 0;
  slack.events.listen(({ kind }) => (deleted += kind === 'message_deleted' ? 1 : 0));
  return {
    slack,
    outboxes,
    plan: async () => {
      const now = new Date();
      const key = `d${planned}`;
      const channel = places[planned % places.length] ?? '';
      planned += 1;
      await store.db
        .transaction()
        .execute((trx) => enqueue(trx, { key, kind: 'test', channel, payload: {}, dueAt: now }, now));
    },
    /** Waits until every delivery has ended, and counts. */
    tally: async (stops: number): Promise<Tally> => {
      const startedMs = performance.now();
      const open = () => store.db.selectFrom('deliveries').select('key').where('state', '!=', 'sent').execute();
      const backlog = (await open()).length;
      let unsettled = await open();
      while (unsettled.length > 0 && performance.now() - startedMs < patienceMs(times)) {
        await delay(100);
        unsettled = await open();
      }
      const drainedMs = Math.round(performance.now() - startedMs);
      const counted = { ...count(slack, planned), unsettled: unsettled.map(({ key }) => key) };
      const histories: Tally['histories'] = {};
      for (const key of [...counted.lost, ...counted.doubled, ...counted.unsettled]) {
        const steps = await readHistory(store.db, key);
        histories[key] = steps.map(({ at, step, detail }) => `${at} ${step} ${detail}`);
      }
      return { stops, planned, ...counted, deleted, backlog, drainedMs, histories };
    },
    close: async () => {
      for (const child of outboxes) {
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await store.close();
      await slack.close();
      await database.drop();
    },
  };
}

function count(slack: SandboxSlack, planned: number): Pick<Tally, 'lost' | 'doubled'> {
  const standing = new Map<string, number>();
  for (const { messages } of slack.workspace.channels.values()) {
    for (const { metadata } of messages) {
      const key = metadata?.event_payload['key'];
      if (typeof key !== 'string') continue;
      standing.set(key, (standing.get(key) ?? 0) + 1);
    }
  }
  const keys = Array.from({ length: planned }, (_, index) => `d${index}`);
  return {
    lost: keys.filter((key) => !standing.has(key)),
    doubled: keys.filter((key) => (standing.get(key) ?? 0) > 1),
  };
}

/**
 * Stops two outboxes at random instants, each for a twentieth of a lease up to three of them, while messages are sent.
 * @param stops of both together; their lengths are spread evenly, so that a few of them are as varied as many
 */
export async function stopAtRandom(
  stops: number,
  {
    times = scaledTimes(STOPS_SCALE),
    plannedEveryMs = PLANNED_EVERY_MS,
  }: { times?: OutboxTimes; plannedEveryMs?: number } = {},
): Promise<Tally> {
  const rounds = await setOutboxRounds(times);
  const isOver = new AbortController();
  const lengths = shuffle(Array.from({ length: stops }, (_, index) => (index + Math.random()) / stops));
  try {
    // Some answers take a seventh of a lease, as a slow Slack does.
    rounds.slack.faults.add({ method: 'chat.postMessage', kind: 'slow', delayMs: times.leaseMs / 7, probability: 0.3 });
    rounds.slack.faults.add({
      method: 'conversations.open',
      kind: 'slow',
      delayMs: Math.min(times.leaseMs / 3, SLOWEST_OPENING_MS),
      probability: 0.5,
    });
    const planning = (async () => {
      while (!isOver.signal.aborted) {
        await rounds.plan();
        await delay(plannedEveryMs);
      }
    })();
    const stopping = rounds.outboxes.map(async (child) => {
      for (let length = lengths.pop(); length !== undefined; length = lengths.pop()) {
        await delay(Math.random() * times.leaseMs * 0.5);
        child.kill('SIGSTOP');
        await delay(times.leaseMs * (0.05 + length ** 2 * 2.95));
        child.kill('SIGCONT');
      }
    });
    await Promise.all(stopping);
    isOver.abort();
    await planning;
    return await rounds.tally(stops);
  } finally {
    isOver.abort();
    await rounds.close();
  }
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Loses answers, and makes Slack show its posts between one second and eighty late: scaled like the rest. */
export async function showLate(messages: number): Promise<Tally> {
  const rounds = await setOutboxRounds(scaledTimes(LATE_SCALE));
  try {
    for (let lateMs = 1_000; lateMs <= 80_000; lateMs += 7_900) {
      const delayMs = lateMs / LATE_SCALE;
      rounds.slack.faults.add({ method: 'chat.postMessage', kind: 'shown_late', delayMs, probability: 0.06 });
    }
    for (let index = 0; index < messages; index += 1) {
      await rounds.plan();
      await delay(70);
    }
    return await rounds.tally(0);
  } finally {
    await rounds.close();
  }
}
