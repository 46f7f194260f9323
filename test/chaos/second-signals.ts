import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/core/base/time/clock.ts';
import { readInstalledApp } from '../../src/sandbox/demo/installed-app.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack } from '../../src/sandbox/slack/index.ts';
import {
  ledger,
  messageKeys,
  openReview,
  requestOf,
  reviewValues,
  submitRequest,
  type LimitScene,
} from '../support/limits/limits.ts';
import { startProgram, type Program } from '../support/processes/program.ts';
import { createDatabase } from '../support/stores/databases.ts';
import { environmentOf } from '../support/test-app.ts';
import { eventually } from '../support/waiting.ts';

/** The requests to the platform are under way when the signals arrive. */
const PLATFORM_DELAY_MS = 300;
const LONGEST_PAUSE_MS = 300;
/** Three people ask, and one of them approves. */
const ASKING = [
  { as: 'morgan', command: '/usage' },
  { as: 'max', command: '/controls' },
  { as: 'mia', command: '/readiness' },
];

export interface SecondSignalTally {
  rounds: number;
  commands: number;
  /** Commands for which Slack itself showed an error, because nothing acknowledged them. */
  refused: number;
  unanswered: string[];
  lost: string[];
  doubled: string[];
  /** Exit codes other than 0. */
  endings: (number | null)[];
}

/** In each round the program receives SIGTERM twice at random instants, during three commands and an approval. */
export async function sendSecondSignals(rounds: number): Promise<SecondSignalTally> {
  const clock = createMovableClock(systemClock.now());
  const ticking = setInterval(() => clock.moveTo(systemClock.now()), 20);
  const slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  const platform = await startPlatform({ clock, people: 5 });
  const database = await createDatabase('sqlite');
  const scene = { clock, slack, platform, databaseUrl: database.url };
  const settings = {
    ...environmentOf(slack, platform, 'socket'),
    DATABASE_URL: database.url,
    LIMITS_CHANNEL: '#general',
  };
  const tally: SecondSignalTally = {
    rounds,
    commands: 0,
    refused: 0,
    unanswered: [],
    lost: [],
    doubled: [],
    endings: [],
  };
  const requests: string[] = [];
  platform.faults.add({ kind: 'slow', delayMs: PLATFORM_DELAY_MS });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const program = startProgram(settings);
      await program.untilRunning();
      await untilAnnounced(scene, requests);
      const id = await submitRequest(scene, 'mia', { amount: String(5_000 + round) });
      requests.push(id);
      await eventually(
        () => (messageKeys(scene).some((key) => key.startsWith(`limit-card:${id}:`)) ? true : undefined),
        `the card of ${id}`,
      );
      await openReview(scene, 'ada', id, 'general');
      await stopTwiceWhileAsked(scene, program, tally);
      for (const as of ['ada', 'mia']) await slack.control.close({ as, all: true });
    }
    const last = startProgram(settings);
    await last.untilRunning();
    await untilAnnounced(scene, requests);
    last.stop();
    tally.endings.push(...[await last.ended].filter((code) => code !== 0));
    const recorded = (await ledger(scene)).map(({ requestId }) => requestId);
    tally.lost.push(...requests.filter((id) => !recorded.includes(id)));
    tally.doubled.push(...twice(recorded.map(String)), ...twice(messageKeys(scene)));
    return tally;
  } finally {
    clearInterval(ticking);
    await slack.close();
    await platform.close();
    clock.dispose();
    await database.drop();
  }
}

async function stopTwiceWhileAsked(scene: LimitScene, program: Program, tally: SecondSignalTally): Promise<void> {
  const { slack } = scene;
  const since = slack.mark();
  const typing = ASKING.map(({ as, command }) => slack.control.command({ as, channel: 'general', command, text: '' }));
  const approving = slack.control.submit({ as: 'ada', values: reviewValues() });
  for (let signal = 0; signal < 2; signal += 1) {
    await delay(Math.random() * LONGEST_PAUSE_MS);
    program.stop();
  }
  const deliveries = await Promise.all(typing);
  await approving;
  tally.endings.push(...[await program.ended].filter((code) => code !== 0));
  tally.commands += deliveries.length;
  tally.refused += deliveries.filter(({ inTime }) => !inTime).length;
  for (const [index, { as, command }] of ASKING.entries()) {
    if (deliveries[index]?.inTime && !isAnswered(scene, since, as))
      tally.unanswered.push(`round ${tally.commands / ASKING.length}: ${command} of ${as}`);
  }
}

/** Whether a user saw more than a line of progress. */
function isAnswered({ slack }: LimitScene, since: number, as: string): boolean {
  const person = slack.workspace.findPerson(as)?.id;
  const events = slack.events.since(since);
  const answers = new Map<string, string>();
  for (const event of events) {
    const isTheirs =
      event.kind === 'ephemeral'
        ? event.to === person
        : event.kind === 'message_updated' && answers.has(event.message.ts);
    if (isTheirs && 'message' in event) answers.set(event.message.ts, event.message.text);
  }
  return [...answers.values()].some((text) => !text.endsWith('…'));
}

/** Approvals that Slack showed as failed are repeated. Waits until each request is announced to its requester. */
async function untilAnnounced(scene: LimitScene, requests: readonly string[]): Promise<void> {
  for (const id of requests) {
    if ((await requestOf(scene, id)).state === 'pending') {
      await openReview(scene, 'ada', id, 'general');
      await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
      await scene.slack.control.close({ as: 'ada', all: true });
    }
    await eventually(
      () => (messageKeys(scene).some((key) => key.startsWith(`limit-told:${id}:`)) ? true : undefined),
      `the notice of ${id}`,
    );
  }
}

const twice = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);
