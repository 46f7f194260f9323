import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { LEASE_MS } from '../../src/features/limits/apply/leases.ts';
import type { RequestState } from '../../src/features/limits/core/states.ts';
import type { BotProcess } from '../support/processes/bot-processes.ts';
import { setCrashScene, type CrashScene } from '../support/processes/crash-scene.ts';
import { readDatabase } from '../support/stores/databases.ts';
import { ask, ledger, messageKeys, openReview, peopleIn, requestOf, reviewValues } from '../support/limits/limits.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** They are in the sandbox’s Slack already. */
const DEMO_PEOPLE = 5;
/** A lease of a request then ends after nine seconds. */
const TIME_SCALE = 10;
/** The largest delay of the sandbox's clock behind those of the bots. */
const STEP_MS = 20;
/** Limits are approved for as long as processes are stopped. */
const PEOPLE_A_STOP = 0.3;
/** Each of them sends two requests: whichever process sends them, the later approval remains. */
const REQUESTS_EACH = 2;
const LEASE_OF_ROUNDS_MS = LEASE_MS / TIME_SCALE;
const LONGEST_LEASES = 1.5;
/** After the last stop: two leases, the minute until the next check, and waits for Slack. */
const PATIENCE_MS = 120_000;

/** The results of the limits that were approved while their processes were stopped and continued. */
export interface LimitStopTally {
  stops: number;
  limits: number;
  /** Limits that were not set as approved, or whose requester was not notified. */
  lost: string[];
  /** Messages that appear twice, values that were recorded twice, and limits that were announced twice. */
  doubled: string[];
  /** PUTs of a value that was never approved, or of an older value after a newer one. */
  wrongPuts: string[];
  puts: number;
  /** Clicks that a stopped process did not acknowledge in time, so that Slack showed the admin an error. */
  failedAttempts: number;
  unanswered: string[];
}

interface Asked {
  id: string;
  handle: string;
  email: string;
  value: number;
}

/** Stops two replicas at random instants, each for up to one and a half leases, while an admin approves limits. */
export async function stopWhileLimitsAreSet(stops: number): Promise<LimitStopTally> {
  const people = Math.ceil(stops * PEOPLE_A_STOP);
  const settings = { LIMITS_CHANNEL: '#general', TEST_TIME_SCALE: String(TIME_SCALE) };
  const scene = await setCrashScene('postgres', FIRST_MORNING, settings, { people: DEMO_PEOPLE + people });
  const over = new AbortController();
  const inStep = keepInStep(scene, over.signal);
  try {
    const bots = await Promise.all([scene.startBot(), scene.startBot()]);
    const requests = await askForLimits(scene, people);
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'slow', delayMs: 1_000, probability: 0.5 });
    scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'drop_after', probability: 0.1 });
    const stopping = stopAtRandomInstants(bots, stops);
    const failedAttempts = await approveAll(scene, requests);
    await stopping;
    scene.platform.faults.clear();
    const unanswered = await untilToldOf(scene, requests);
    return { stops, limits: requests.length, failedAttempts, unanswered, ...(await count(scene, requests)) };
  } finally {
    over.abort();
    await inStep;
    await scene.close();
  }
}

/** The sandbox has the time of the bots, which runs faster. */
async function keepInStep({ clock }: CrashScene, over: AbortSignal): Promise<void> {
  const startMs = performance.now();
  const shownMs = clock.now().getTime();
  while (!over.aborted) {
    clock.moveTo(new Date(shownMs + (performance.now() - startMs) * TIME_SCALE));
    await delay(STEP_MS);
  }
}

async function askForLimits(scene: CrashScene, people: number): Promise<Asked[]> {
  const emails = scene.platform.organization.people.flatMap(({ email }) => email ?? []).slice(-people);
  const asked: Asked[] = [];
  for (const [index, email] of emails.entries()) {
    const handle = `asker${index}`;
    await scene.slack.control.addPerson({ handle, name: handle, email });
    for (const channel of ['general', 'agent-usage']) await scene.slack.control.join({ as: handle, channel });
    for (let round = 0; round < REQUESTS_EACH; round += 1) {
      const value = 1_000 * (round + 1) + index;
      await scene.slack.control.close({ as: handle, all: true }).catch(() => undefined);
      asked.push({
        id: await ask(scene, handle, { amount: String(value) }),
        handle,
        email: email.toLowerCase(),
        value,
      });
    }
  }
  // First all first requests: so two of one person may overlap, and sometimes do not.
  return asked.toSorted((one, other) => Math.floor(one.value / 1_000) - Math.floor(other.value / 1_000));
}

async function stopAtRandomInstants(bots: readonly BotProcess[], stops: number): Promise<void> {
  let left = stops;
  await Promise.all(
    bots.map(async ({ process: child }) => {
      while (left > 0) {
        left -= 1;
        await delay(Math.random() * LEASE_OF_ROUNDS_MS * 0.4);
        child.kill('SIGSTOP');
        await delay(LEASE_OF_ROUNDS_MS * (0.02 + Math.random() ** 2 * LONGEST_LEASES));
        child.kill('SIGCONT');
      }
    }),
  );
}

/** @returns how often Slack showed the admin an error for a missing acknowledgement */
async function approveAll(scene: CrashScene, requests: readonly Asked[]): Promise<number> {
  let told = 0;
  for (const { id } of requests) {
    await delay(Math.random() * LEASE_OF_ROUNDS_MS * 0.3);
    while ((await requestOf(scene, id)).state === 'pending') {
      try {
        await scene.slack.control.close({ as: 'ada', all: true }).catch(() => undefined);
        await openReview(scene, 'ada', id, 'general');
        const { delivery } = await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
        if (!delivery.inTime) throw new Error('The submission was not acknowledged in time');
        // An acknowledged decision is carried out.
        await untilDecided(scene, id);
      } catch {
        told += 1;
      }
    }
  }
  return told;
}

async function untilDecided(scene: CrashScene, id: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while ((await requestOf(scene, id)).state === 'pending') {
    if (performance.now() > deadlineMs) throw new Error(`The approval of ${id} was acknowledged and is lost`);
    await delay(20);
  }
}

const noticesOf = (keys: readonly string[], { id }: Asked, state: RequestState) =>
  keys.filter((key) => key.startsWith(`limit-told:${id}:`) && key.split(':')[3] === state);

const isTold = (keys: readonly string[], request: Asked) =>
  (['applied', 'partly_applied'] as const).some((state) => noticesOf(keys, request, state).length > 0);

/**
 * Waits until all requesters are notified that their limits are set, or that a later decision was set first.
 * @returns the requesters without a notice in the end
 */
async function untilToldOf(scene: CrashScene, requests: readonly Asked[]): Promise<string[]> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const keys = messageKeys(scene);
    const untold = requests.filter((request) => !isTold(keys, request));
    const isQuiet = untold.length === 0 && !(await isUnderWay(scene));
    if (isQuiet || performance.now() > deadlineMs) return untold.map(({ id }) => id);
    await delay(100);
  }
}

async function isUnderWay(scene: CrashScene): Promise<boolean> {
  const db = readDatabase(scene.databaseUrl);
  try {
    const open = db
      .selectFrom('deliveries')
      .select('key')
      .where('state', 'in', ['waiting', 'claimed', 'posting', 'unknown']);
    return (await open.executeTakeFirst()) !== undefined;
  } finally {
    await db.destroy();
  }
}

const bodySchema = z.object({ users: z.array(z.object({ email: z.string(), limit: z.number() })) });

async function count(scene: CrashScene, requests: readonly Asked[]) {
  const keys = messageKeys(scene);
  const puts = scene.platform.requests
    .filter(({ method }) => method === 'PUT')
    .flatMap(({ body }) => bodySchema.parse(body).users);
  const entries = await ledger(scene);
  const lost: string[] = [];
  const doubled = keys.filter((key, index) => keys.indexOf(key) !== index);
  for (const request of requests) {
    const { id, email, value } = request;
    const { state } = await requestOf(scene, id);
    const [person] = await peopleIn(scene, id);
    // The process that sends the first request may be stopped until another one has set the second.
    const isLast = requests.findLast((one) => one.email === email) === request;
    const expected = !isLast && person?.state === 'superseded' ? 'partly_applied' : 'applied';
    if (state !== expected || noticesOf(keys, request, expected).length === 0)
      lost.push(`${id} is ${state} (${person?.state})`);
    if (expected !== 'applied' && noticesOf(keys, request, 'applied').length > 0)
      lost.push(`${id} is announced as set although it was not sent`);
    const recorded = entries.filter((entry) => entry.requestId === id);
    if (recorded.length > 1) doubled.push(`${id} is in the ledger ${recorded.length} times`);
    if (recorded.some((entry) => entry.value !== value)) lost.push(`${id} is in the ledger with another value`);
    const announced = noticesOf(keys, request, expected).length;
    if (announced > 1) doubled.push(`${id} is announced as ${expected} ${announced} times`);
    const last = requests.findLast((one) => one.email === email);
    if (scene.platform.limits.get(email) !== last?.value) lost.push(`${email} has ${scene.platform.limits.get(email)}`);
  }
  const wrongPuts = [...new Set(requests.map(({ email }) => email))].flatMap((email) => {
    const sent = puts.filter((put) => put.email.toLowerCase() === email).map(({ limit }) => limit);
    const approved = new Set(requests.filter((one) => one.email === email).map(({ value }) => value));
    const isRight =
      sent.every((limit) => approved.has(limit)) && sent.every((limit, at) => limit >= (sent[at - 1] ?? 0));
    return isRight ? [] : [`${email}: ${sent.join(', ')}`];
  });
  return { lost, doubled, wrongPuts, puts: puts.length };
}
