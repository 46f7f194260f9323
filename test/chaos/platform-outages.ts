import { formatDay, plusDays } from '../../src/core/base/time/calendar.ts';
import type { Fault } from '../../src/sandbox/platform/server/faults.ts';
import { delivered, messagesIn, setUpDigest } from '../support/digests.ts';
import { whileTimePasses } from '../support/scene-clock.ts';
import { openReview, requestOf, reviewValues, submitRequest } from '../support/limits/limits.ts';
import { typeCommand } from '../support/slack/conversation.ts';
import { startReplica, startTestApp, type TestApp } from '../support/test-app.ts';
import { isAtRest, lostAndDoubled, passMinutes, passUntil } from '../support/outages/passing-hours.ts';

const FIRST_MORNING = '2026-03-03';
const HOUR_MS = 60 * 60_000;
const at = (date: string, hours: number) => new Date(new Date(`${date}T00:00:00Z`).getTime() + hours * HOUR_MS);
/** A digest waits for its day for six hours at most. */
const LONGEST_WAIT_HOURS = 6;

export interface PlatformOutageTally {
  rounds: number;
  digests: number;
  lost: string[];
  doubled: string[];
  /** Digests that waited longer than six hours, or lack a mark about missing figures. */
  wrong: string[];
  commands: number;
  unanswered: number;
}

/** For a day and a morning, the digest’s text and the notes about corrections in its thread. */
async function digestOf(scene: TestApp, key: string) {
  const { posts, replies } = await messagesIn(scene, 'agent-usage');
  const keyOf = ({ metadata }: (typeof posts)[number]) => String(metadata?.event_payload['key']);
  const post = posts.find((one) => keyOf(one) === key);
  const notes = replies.filter((one) => keyOf(one).startsWith(`${key}:correction:`));
  return { post, notes };
}

const sentAfterHours = (ts: string | undefined, date: string) =>
  (Number(ts ?? Infinity) * 1000 - at(date, 9).getTime()) / HOUR_MS;

async function setScene(settings: Record<string, string> = {}) {
  const scene = await startTestApp({ at: at('2026-03-02', 12), settings });
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
  // A move of the clock by hours would end the lease of a running post.
  await delivered(scene, 'digest-introduction');
  return { scene, keyOn: (date: string) => `digest:${id}:${date}` };
}

const OUTAGES: readonly Fault[] = [
  { kind: 'status', status: 503 },
  { kind: 'drop_before' },
  { kind: 'html' },
  { kind: 'status', status: 500 },
];

/**
 * The platform is out from one morning to the next, again and again, with a day between; users type commands during the
 * outages.
 */
export async function sufferPlatformOutages(rounds: number): Promise<PlatformOutageTally> {
  const { scene, keyOn } = await setScene();
  const tally = { rounds, digests: 0, wrong: [] as string[], commands: 0, unanswered: 0 };
  const expected: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const [first, second] = [plusDays(FIRST_MORNING, round * 3), plusDays(FIRST_MORNING, round * 3 + 1)];
      scene.clock.moveTo(at(first, 8.9));
      await passUntil(scene, isAtRest);
      scene.platform.faults.add(OUTAGES[round % OUTAGES.length] ?? { kind: 'drop_before' });
      for (let hour = 0; hour < 24; hour += 1) {
        await passMinutes(scene, 60);
        if (hour % 6 === 0) await askSomething(scene, plusDays(first, -2 - hour), tally);
      }
      await passMinutes(scene, 20);
      scene.platform.faults.clear();
      expected.push(keyOn(first), keyOn(second));
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      tally.digests += 2;
      const { post } = await digestOf(scene, keyOn(first));
      const hours = sentAfterHours(post?.ts, first);
      if (hours > LONGEST_WAIT_HOURS + 0.5) tally.wrong.push(`${keyOn(first)} came after ${hours} hours`);
      // The next day is normal, and digests with a mark are complete by then.
      scene.clock.moveTo(at(plusDays(second, 1), 8.8));
      await passMinutes(scene, 30);
      expected.push(keyOn(plusDays(second, 1)));
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      tally.digests += 1;
      const after = await digestOf(scene, keyOn(first));
      if (!after.post?.text.includes('Completed') || after.notes.length !== 1)
        tally.wrong.push(`${keyOn(first)} has ${after.notes.length} notes: ${after.post?.text}`);
    }
    return { ...tally, ...lostAndDoubled(scene, expected) };
  } finally {
    await scene.close();
  }
}

async function askSomething(scene: TestApp, day: string, tally: { commands: number; unanswered: number }) {
  tally.commands += 1;
  if (!(await isAnswered(scene, day))) tally.unanswered += 1;
}

/** A day is published thirty hours after it ended, again and again. */
export async function waitForLateDays(rounds: number): Promise<PlatformOutageTally> {
  const { scene, keyOn } = await setScene();
  const tally = { rounds, digests: 0, wrong: [] as string[], commands: 0, unanswered: 0 };
  const expected: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const morning = plusDays(FIRST_MORNING, round * 3);
      const day = plusDays(morning, -1);
      const key = keyOn(morning);
      scene.platform.holdDay(day);
      scene.clock.moveTo(at(morning, 8.9));
      await passUntil(scene, isAtRest);
      await passMinutes(scene, 60 * 7);
      const { post } = await digestOf(scene, key);
      const hours = sentAfterHours(post?.ts, morning);
      const said = `${formatDay(day)}: ${post?.text}`;
      if (hours < LONGEST_WAIT_HOURS || hours > LONGEST_WAIT_HOURS + 0.5 || !post?.text.includes('aren’t out yet'))
        tally.wrong.push(`${key} came after ${hours} hours. ${said}`);
      await askSomething(scene, day, tally);
      // Thirty hours after its end, which is the next morning at six.
      scene.clock.moveTo(at(plusDays(morning, 1), 6));
      scene.platform.releaseDay(day);
      await passMinutes(scene, 60 * 12);
      expected.push(key, keyOn(plusDays(morning, 1)));
      const after = await digestOf(scene, key);
      const completed = after.post?.text.match(/Completed/g)?.length;
      if (completed !== 1 || after.notes.length !== 1)
        tally.wrong.push(`${key} has ${after.notes.length} notes: ${after.post?.text}`);
      tally.digests += 2;
      scene.clock.moveTo(at(plusDays(morning, 2), 8));
      await passMinutes(scene, 90);
      expected.push(keyOn(plusDays(morning, 2)));
      tally.digests += 1;
    }
    return { ...tally, ...lostAndDoubled(scene, expected) };
  } finally {
    await scene.close();
  }
}

export interface KeyTally {
  rounds: number;
  lost: string[];
  doubled: string[];
  refusedTold: number;
  acceptedTold: number;
}

/** The API key is refused for some hours around the digests, and then works again. */
export async function rotateKeys(rounds: number): Promise<KeyTally> {
  const { scene, keyOn } = await setScene();
  const expected: string[] = [];
  const told = async (words: string) =>
    (await messagesIn(scene, 'dm', 'ada')).posts.filter(({ text }) => text.includes(words)).length;
  const refusedTold = () => told('has refused Quartermaster’s API key');
  const acceptedTold = () => told('accepts Quartermaster’s API key again');
  try {
    for (let round = 0; round < rounds; round += 1) {
      const morning = plusDays(FIRST_MORNING, round);
      scene.clock.moveTo(at(morning, 8.5));
      await passUntil(scene, isAtRest);
      scene.platform.faults.add({ kind: 'status', status: 401 });
      await passMinutes(scene, 60 * (1 + (round % 5)));
      // The bot works in real time, so on a slow machine an hour of this clock may end before it noticed.
      await passUntil(scene, async () => (await refusedTold()) > round);
      scene.platform.faults.clear();
      expected.push(keyOn(morning));
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      await passUntil(scene, async () => (await acceptedTold()) > round);
      await passMinutes(scene, 10);
    }
    return {
      rounds,
      ...lostAndDoubled(scene, expected),
      refusedTold: await refusedTold(),
      acceptedTold: await acceptedTold(),
    };
  } finally {
    await scene.close();
  }
}

export interface NewKeyTally {
  rounds: number;
  lost: string[];
  doubled: string[];
  unanswered: number;
  wrong: string[];
}

/** In each round the platform refuses the old API key while a digest and a limit wait, and the bot is restarted with a new one. */
export async function restartWithNewKeys(rounds: number): Promise<NewKeyTally> {
  const { scene, keyOn } = await setScene({ ADMINS: 'U0ADA', LIMITS_CHANNEL: '#agent-usage' });
  let { app } = scene;
  const tally = { rounds, unanswered: 0, wrong: [] as string[] };
  const expected: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const morning = plusDays(FIRST_MORNING, round);
      const amount = 5_000 + round;
      scene.clock.moveTo(at(morning, 8.5));
      await passUntil(scene, isAtRest);
      const id = await submitRequest(scene, 'mia', { amount: String(amount) });
      expected.push(`limit-card:${id}:channel`);
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      scene.platform.apiKeys.manager = `key-${round}`;
      await openReview(scene, 'ada', id);
      await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
      await passMinutes(scene, 40 + 20 * (round % 3));
      if (!(await isAnswered(scene, plusDays(morning, -3)))) tally.unanswered += 1;
      await app.stop();
      scene.environment['PLATFORM_API_KEY'] = scene.platform.apiKeys.manager;
      app = await startReplica(scene);
      expected.push(keyOn(morning));
      await passMinutes(scene, 20);
      await passUntil(
        scene,
        async (db, now) => (await isAtRest(db, now)) && lostAndDoubled(scene, expected).lost.length === 0,
      );
      if (!(await isAnswered(scene, plusDays(morning, -4)))) tally.unanswered += 1;
      const { state } = await requestOf(scene, id);
      const limit = scene.platform.limits.get('mia.member@acme.example');
      const toldMia = (await messagesIn(scene, 'dm', 'mia')).posts.filter(({ metadata }) =>
        String(metadata?.event_payload['key']).startsWith(`limit-told:${id}:`),
      );
      if ((limit === amount) !== (state === 'applied') || toldMia.length === 0)
        tally.wrong.push(
          `round ${round}: ${id} is ${state}, the limit ${limit}, and mia has ${toldMia.length} messages`,
        );
      await scene.slack.control.close({ as: 'ada', all: true });
      await scene.slack.control.close({ as: 'mia', all: true });
    }
    return { ...tally, ...lostAndDoubled(scene, expected) };
  } finally {
    await app.stop();
    await scene.close();
  }
}

/** By a sentence about the platform, or figures that were read before. */
async function isAnswered(scene: TestApp, day: string): Promise<boolean> {
  const answer = await whileTimePasses(scene, typeCommand(scene.slack, 'morgan', '/usage', day)).catch(() => undefined);
  return answer !== undefined && answer.text.trim() !== '';
}
