import { plusDays } from '../../src/core/base/time/calendar.ts';
import { delivered, messagesIn, setUpDigest, subscriptions } from '../support/digests.ts';
import { ask, cardOf, openReview, requestOf, reviewValues } from '../support/limits/limits.ts';
import { submitForm } from '../support/slack/modals.ts';
import { readDatabase } from '../support/stores/databases.ts';
import { startReplica, startTestApp, type TestApp } from '../support/test-app.ts';
import { SETTLED } from '../support/outbox/until-settled.ts';
import { isAtRest, lostAndDoubled, passMinutes, passUntil } from '../support/outages/passing-hours.ts';

/** A Tuesday: its digest is about a Monday. */
const FIRST_MORNING = '2026-03-03';
const WORKDAYS = 5;
const at = (date: string, time: string) => new Date(`${date}T${time}Z`);
const start = (settings: Record<string, string> = {}) =>
  startTestApp({ at: at('2026-03-02', '12:00:00'), settings: { ADMINS: 'U0ADA,U0NORA', ...settings } });
const daily = { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] };

export interface DeletionTally {
  rounds: number;
  /** Messages that were posted again after they were deleted, and deliveries that were posted twice. */
  again: string[];
  /** Corrections that did not fail exactly once, each with its notice. */
  wrong: string[];
  fatal: string[];
}

/** A digest is deleted by hand, and then its figures change twice. */
export async function deleteBeforeCorrections(rounds: number): Promise<DeletionTally> {
  const scene = await start();
  const tally: DeletionTally = { rounds, again: [], wrong: [], fatal: [] };
  try {
    const { id } = await setUpDigest(scene, daily);
    // Hours that pass at once end the lease of a message that is just being sent, and it would be sent twice.
    await passUntil(scene, isAtRest);
    for (let round = 0; round < rounds; round += 1) {
      // A weekend has no figures that could change.
      const morning = plusDays(FIRST_MORNING, Math.floor(round / WORKDAYS) * 7 + (round % WORKDAYS));
      const key = `digest:${id}:${morning}`;
      scene.clock.moveTo(at(morning, '09:00:00'));
      await delivered(scene, key);
      await passUntil(scene, isAtRest);
      const posted = (await messagesIn(scene, 'agent-usage')).posts;
      const digest = posted.find(({ metadata }) => metadata?.event_payload['key'] === key);
      await scene.slack.control.deleteMessage({ as: 'ada', channel: 'agent-usage', ts: digest?.ts ?? '' });
      for (const factor of [1.5, 3]) {
        scene.platform.reviseDay(plusDays(morning, -1), factor + round);
        await passMinutes(scene, 11);
        await passUntil(scene, async () => (await correctionsOf(scene, key)).length > 0);
        await passUntil(scene, isAtRest);
      }
      // Another correction may begin between two looks.
      let edits: Awaited<ReturnType<typeof correctionsOf>> = [];
      await passUntil(scene, async () => {
        edits = await correctionsOf(scene, key);
        return edits.every(({ state }) => SETTLED.some((end) => end === state));
      });
      const { posts, replies } = await messagesIn(scene, 'agent-usage');
      const now = [...posts, ...replies].map(({ metadata }) => String(metadata?.event_payload['key']));
      tally.again.push(...now.filter((one) => one === key));
      if (edits.length === 0 || edits.some(({ state }) => state !== 'failed' && state !== 'skipped'))
        tally.wrong.push(...edits.map((one) => `${one.key} ${one.state}`), `${edits.length} corrections of ${key}`);
    }
    tally.again.push(...lostAndDoubled(scene, []).doubled);
    tally.fatal.push(...scene.fatalReasons);
    return tally;
  } finally {
    await scene.close();
  }
}

const correctionsOf = async (scene: TestApp, key: string) =>
  (await deliveriesLike(scene, `${key}:correction:%`)).filter((one) => !one.key.endsWith(':note'));

async function deliveriesLike({ databaseUrl }: TestApp, pattern: string) {
  const db = readDatabase(databaseUrl);
  const rows = db.selectFrom('deliveries').select(['key', 'state']).where('key', 'like', pattern);
  return rows.execute().finally(() => void db.destroy());
}

export interface DepartureTally {
  rounds: number;
  lost: string[];
  doubled: string[];
  /** The people who were not notified exactly once, with the subject and the count. */
  wrong: string[];
}

/** In each round the owner of a digest, the reader of one by direct message, and an admin with an open request leave. */
export async function departAgainAndAgain(rounds: number): Promise<DepartureTally> {
  const tally: DepartureTally = { rounds, lost: [], doubled: [], wrong: [] };
  for (let round = 0; round < rounds; round += 1) {
    const { lost, doubled, wrong } = await departOnce(round);
    tally.lost.push(...lost);
    tally.doubled.push(...doubled);
    tally.wrong.push(...wrong);
  }
  return tally;
}

async function departOnce(round: number) {
  const scene = await start({ MANAGERS: 'U0MORGAN,U0MAX' });
  const wrong: string[] = [];
  try {
    const ofOwner = await setUpDigest(scene, daily, 'morgan');
    const ofReader = await setUpDigest(scene, { ...daily, where: 'me', channel: null }, 'max');
    const id = await ask(scene, 'mia', { amount: String(5_000 + round) });
    const told = async (words: string) =>
      (await messagesIn(scene, 'dm', 'ada')).posts.filter(({ text }) => text.includes(words)).length;
    await passUntil(scene, isAtRest);
    // Before the morning, at its very minute, or just after.
    scene.clock.moveTo(at(FIRST_MORNING, ['08:30:00', '08:59:59', '09:00:00'][round % 3] ?? '08:30:00'));
    for (const person of ['morgan', 'max', 'nora'])
      await scene.slack.control.updatePerson({ person, isDeactivated: true });
    for (const day of [0, 1, 2]) {
      scene.clock.moveTo(at(plusDays(FIRST_MORNING, day), '09:00:00'));
      await passMinutes(scene, 10);
      await passUntil(scene, isAtRest);
    }
    const expected = [0, 1, 2].map((day) => `digest:${ofOwner.id}:${plusDays(FIRST_MORNING, day)}`);
    const counts = {
      'the owner who left': await told('who set it up, has left'),
      'the reader who left': await told('Stopped for <@U0MAX>'),
    };
    for (const [what, times] of Object.entries(counts))
      if (times !== 1) wrong.push(`round ${round}: ${what} ${times} times`);
    const left = (await subscriptions(scene)).find((one) => one.id === ofReader.id);
    if (left && left.state === 'active')
      wrong.push(`round ${round}: the digest of the reader who left is ${left.state}`);
    // The remaining admin decides.
    const card = await cardOf(scene, id, 'dm', 'ada');
    if (!card.text.includes(id)) wrong.push(`round ${round}: the card is gone`);
    await openReview(scene, 'ada', id, 'dm');
    await submitForm(scene.slack, 'ada', reviewValues());
    await passUntil(scene, isAtRest);
    const { state } = await requestOf(scene, id);
    if (state !== 'applied') wrong.push(`round ${round}: the request is ${state}`);
    return { ...lostAndDoubled(scene, [...expected, `limit-told:${id}:0:applied:U0MIA`]), wrong };
  } finally {
    await scene.close();
  }
}

/** In each round the only admin who may decide a request leaves, and later the operator names another one. */
export async function loseDeciders(rounds: number): Promise<DepartureTally> {
  const tally: DepartureTally = { rounds, lost: [], doubled: [], wrong: [] };
  for (let round = 0; round < rounds; round += 1) {
    const { lost, doubled, wrong } = await loseDecider(round);
    tally.lost.push(...lost);
    tally.doubled.push(...doubled);
    tally.wrong.push(...wrong);
  }
  return tally;
}

async function loseDecider(round: number) {
  const scene = await start();
  let { app } = scene;
  const wrong: string[] = [];
  try {
    // Who asks does not decide, so that the card goes to the other admin alone.
    const id = await ask(scene, 'ada', { people: ['U0MIA'], amount: String(5_000 + round) });
    await passUntil(scene, isAtRest);
    await cardOf(scene, id, 'dm', 'nora');
    await scene.slack.control.updatePerson({ person: 'nora', isDeactivated: true });
    // Until the directory is read again, and the pauses between new cards have passed.
    await passMinutes(scene, 20 + 10 * (round % 3));
    await passUntil(scene, isAtRest);
    const { posts } = await messagesIn(scene, 'dm', 'ada');
    const notices = posts.filter(({ text }) => text.includes('admins can’t decide their own requests')).length;
    if (notices !== 1) wrong.push(`round ${round}: ada got ${notices} notices`);
    await app.stop();
    scene.environment['ADMINS'] = 'U0ADA,U0MAX';
    app = await startReplica(scene);
    await passMinutes(scene, 40);
    await passUntil(scene, isAtRest);
    await openReview(scene, 'max', id, 'dm');
    await submitForm(scene.slack, 'max', reviewValues());
    await passUntil(scene, isAtRest);
    const { state } = await requestOf(scene, id);
    if (state !== 'applied') wrong.push(`round ${round}: the request is ${state}`);
    return { ...lostAndDoubled(scene, [`limit-told:${id}:0:applied:U0ADA`]), wrong };
  } finally {
    await app.stop();
    await scene.close();
  }
}
