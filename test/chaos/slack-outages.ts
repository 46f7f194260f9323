import type { Fault } from '../../src/sandbox/slack/people/control-types.ts';
import { setUpDigest } from '../support/digests.ts';
import { openReview, reviewValues, submitRequest } from '../support/limits/limits.ts';
import { typeCommand } from '../support/slack/conversation.ts';
import { readDatabase } from '../support/stores/databases.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { isAtRest, lostAndDoubled, passMinutes, passUntil } from '../support/outages/passing-hours.ts';

const FIRST_DAY = new Date('2026-03-03T00:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const HOURS = [1, 2, 4];
/** Each try while Slack is out takes real seconds, because its client repeats its calls. */
const STEP_MINUTES = 20;

/** The kind and the start of Slack's outage: before the digests are due, or when the first of them is on its way. */
interface SlackOutage {
  fault: Omit<Fault, 'method'>;
  areSocketsCut: boolean;
  begins: 'before' | 'at the first post';
  /** The first posts are carried out, and their answers are lost. */
  losesAnswers: boolean;
}

const FAULTS: Omit<Fault, 'method'>[] = [
  { kind: 'http_500' },
  { kind: 'dropped' },
  { kind: 'error', error: 'service_unavailable' },
  { kind: 'html' },
];

/** Every round differs from the previous one. */
function outageOf(round: number): SlackOutage {
  return {
    fault: FAULTS[round % FAULTS.length] ?? { kind: 'dropped' },
    areSocketsCut: round % 2 === 0,
    begins: round % 3 === 0 ? 'before' : 'at the first post',
    losesAnswers: round % 3 === 2,
  };
}

export interface SlackOutageTally {
  rounds: number;
  digests: number;
  requests: number;
  lost: string[];
  doubled: string[];
  /** Deliveries that were given up. */
  failed: string[];
  unanswered: number;
}

/** Each day Slack is out for hours, just when digests fall due and a limit was requested. */
export async function sufferSlackOutages(rounds: number): Promise<SlackOutageTally> {
  const scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
  const tally = { rounds, digests: 0, requests: 0, unanswered: 0 };
  const expected: string[] = [];
  try {
    const subscriptions = [
      await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' }),
      await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', channel: 'C0GENERAL' }),
      await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', where: 'me', channel: null }),
    ];
    for (let round = 0; round < rounds; round += 1) {
      const dayMs = FIRST_DAY.getTime() + round * DAY_MS;
      const date = new Date(dayMs).toISOString().slice(0, 10);
      scene.clock.moveTo(new Date(dayMs + 8.99 * 60 * 60_000));
      await passUntil(scene, isAtRest);
      const id = await askInto(scene, outageOf(round), 5_000 + round);
      await passMinutes(scene, 60 * (HOURS[round % HOURS.length] ?? 1), STEP_MINUTES);
      scene.slack.faults.clear();
      await scene.slack.control.restoreSockets({});
      const keys = subscriptions.map((one) => `digest:${one.id}:${date}`);
      expected.push(...keys, `limit-card:${id}:channel`);
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      tally.digests += keys.length;
      tally.requests += 1;
      // It works again, and the request can be decided.
      await expectAnswer(scene, tally);
      await openReview(scene, 'ada', id);
      await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
      expected.push(`limit-told:${id}:0:applied:U0MIA`);
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      await scene.slack.control.close({ as: 'ada', all: true });
    }
    return { ...tally, ...lostAndDoubled(scene, expected), failed: await failedIn(scene) };
  } finally {
    await scene.close();
  }
}

/** Submits a request for a limit, and Slack is out before the answer. @returns the id of the request */
async function askInto(scene: TestApp, outage: SlackOutage, amount: number): Promise<string> {
  const { slack, clock } = scene;
  await slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
  // Its card can no longer be posted.
  slack.faults.add({ ...outage.fault, method: 'chat.postMessage' });
  const id = await submitRequest(scene, 'mia', { amount: String(amount) });
  if (outage.begins === 'before') {
    await begin(scene, outage);
    return id;
  }
  slack.faults.clear();
  const kind = outage.losesAnswers ? 'lost_answer' : (outage.fault.kind ?? 'dropped');
  slack.faults.add({ ...outage.fault, kind, method: 'chat.postMessage' });
  const posts = () => slack.traffic.latest(500).filter(({ method }) => method === 'chat.postMessage').length;
  const postsBefore = posts();
  clock.moveTo(new Date(Math.ceil(clock.now().getTime() / 3_600_000) * 3_600_000));
  await passUntil(scene, () => posts() > postsBefore);
  await begin(scene, outage);
  return id;
}

async function begin({ slack }: TestApp, { fault, areSocketsCut }: SlackOutage): Promise<void> {
  slack.faults.clear();
  slack.faults.add({ ...fault, method: '*' });
  if (areSocketsCut) await slack.control.breakSockets({ kind: 'cut', refuseReconnects: true });
}

async function expectAnswer(scene: TestApp, tally: { unanswered: number }): Promise<void> {
  await passUntil(scene, () =>
    typeCommand(scene.slack, 'mia', '/usage', 'help').then(
      () => true,
      () => false,
    ),
  );
  const answered = await typeCommand(scene.slack, 'mia', '/usage', 'help').then(
    () => true,
    () => false,
  );
  if (!answered) tally.unanswered += 1;
}

async function failedIn({ databaseUrl }: TestApp): Promise<string[]> {
  const db = readDatabase(databaseUrl);
  const rows = await db.selectFrom('deliveries').select(['key', 'reason']).where('state', '=', 'failed').execute();
  await db.destroy();
  return rows.map(({ key, reason }) => `${key}: ${reason}`);
}
