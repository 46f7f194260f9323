import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Fault } from '../../src/sandbox/platform/server/faults.ts';
import { openReview, requestOf, reviewValues, submitRequest } from '../support/limits/limits.ts';
import { submitForm } from '../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { isAtRest, lostAndDoubled, passMinutes, passUntil } from '../support/outages/passing-hours.ts';

const HOUR_MS = 60 * 60_000;
/** Real time for what is on its way within this process. */
const ARRIVAL_MS = 100;
const SLACK_OUTAGE_MINUTES = 60;
/** Shorter than the half hour in which a limit is sent six times; after that, an admin presses *Retry*. */
const PLATFORM_OUTAGE_MINUTES = 25;

export interface SubmissionTally {
  rounds: number;
  lost: string[];
  doubled: string[];
  /** Approvals that were carried out although the person saw an error, and those that ended otherwise than expected. */
  wrong: string[];
}

interface Approval {
  id: string;
  amount: number;
}

/** In each round Slack or the platform goes out before the approval of a request is acknowledged, and comes back later. */
export async function interruptSubmissions(rounds: number): Promise<SubmissionTally> {
  const scene = await startTestApp({ engine: 'sqlite', settings: { LIMITS_CHANNEL: '#agent-usage' } });
  const wrong: string[] = [];
  const expected: string[] = [];
  const kinds = [cutConnection, loseWebApi, losePlatform];
  const isThere = () => lostAndDoubled(scene, expected).lost.length === 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const amount = 5_000 + round;
      const id = await submitRequest(scene, 'mia', { amount: String(amount) });
      expected.push(`limit-card:${id}:channel`);
      await passUntil(scene, async (db, now) => (await isAtRest(db, now)) && isThere());
      await openReview(scene, 'ada', id);
      const faults = await kinds[round % kinds.length]?.(scene, { id, amount }, round);
      expected.push(`limit-told:${id}:0:applied:U0MIA`);
      await passUntil(scene, async (db, now) => (await isAtRest(db, now)) && isThere());
      const limit = scene.platform.limits.get('mia.member@acme.example');
      if (limit !== amount) wrong.push(`round ${round}: the limit is ${limit}`);
      wrong.push(...(faults ?? []).map((fault) => `round ${round}: ${fault}`));
      for (const as of ['ada', 'mia']) await scene.slack.control.close({ as, all: true });
      scene.clock.moveTo(new Date(scene.clock.now().getTime() + HOUR_MS));
    }
    return { rounds, ...lostAndDoubled(scene, expected), wrong };
  } finally {
    await scene.close();
  }
}

/** The connection breaks while the approval is being stored: Slack shows an error, so nothing may be done until it is sent again. */
async function cutConnection(scene: TestApp, { id }: Approval): Promise<string[]> {
  const { slack, databaseUrl } = scene;
  const holder = new DatabaseSync(databaseUrl.slice('file:'.length), { timeout: 5_000 });
  holder.exec('begin immediate');
  const submitting = slack.control.submit({ as: 'ada', values: reviewValues() });
  await delay(ARRIVAL_MS);
  const since = slack.mark();
  await slack.control.breakSockets({ kind: 'cut' });
  await slack.next('connection', ({ what }) => what === 'closed', { since });
  await delay(ARRIVAL_MS);
  holder.exec('commit');
  holder.close();
  const { delivery } = await submitting;
  await passMinutes(scene, 5);
  const { state } = await requestOf(scene, id);
  await submitForm(slack, 'ada', reviewValues());
  return delivery.error !== null && state === 'pending' ? [] : [`Slack showed ${delivery.error}, and it is ${state}`];
}

/** Only the acknowledgement arrives: the action is done, and its result follows. */
async function loseWebApi(scene: TestApp, _approval: Approval, round: number): Promise<string[]> {
  const { slack } = scene;
  slack.faults.add({ kind: round % 2 === 0 ? 'http_500' : 'dropped', method: '*' });
  const { delivery } = await slack.control.submit({ as: 'ada', values: reviewValues() });
  await passMinutes(scene, SLACK_OUTAGE_MINUTES, 20);
  slack.faults.clear();
  return delivery.error === null ? [] : [`Slack showed ${delivery.error}`];
}

const PLATFORM_FAULTS: readonly Fault[] = [
  { kind: 'status', status: 503 },
  { kind: 'drop_before' },
  { kind: 'drop_after' },
];

/** The approval is acknowledged, and the limit is set when the platform is back. */
async function losePlatform(scene: TestApp, _approval: Approval, round: number): Promise<string[]> {
  const { slack, platform } = scene;
  platform.faults.add(PLATFORM_FAULTS[Math.floor(round / 3) % PLATFORM_FAULTS.length] ?? { kind: 'drop_before' });
  const { delivery } = await slack.control.submit({ as: 'ada', values: reviewValues() });
  await passMinutes(scene, PLATFORM_OUTAGE_MINUTES, 5);
  platform.faults.clear();
  return delivery.error === null ? [] : [`Slack showed ${delivery.error}`];
}
