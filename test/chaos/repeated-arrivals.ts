import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Arrival, Delivery, SlackEvent } from '../../src/sandbox/slack/people/control-types.ts';
import { EVERY_DAY } from '../../src/core/schedule/occurrences.ts';
import { putSubscription } from '../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../src/core/store/database.ts';
import type { Database } from '../../src/core/store/tables.ts';
import { setCrashScene, type CrashScene } from '../support/processes/crash-scene.ts';
import { openByCommand, textOfView } from '../support/slack/modals.ts';
import { readDatabase } from '../support/stores/databases.ts';
import { eventually } from '../support/waiting.ts';

const MORNING = new Date('2026-03-02T09:30:00Z');
/** They act at the same moment. */
const PEOPLE = 8;
const AFTER_MS = [0, 3, 30, 300] as const;
const MAX_CUT_MS = 3;
/** The request is sent over a new connection first. */
const MAX_CUT_OF_HTTP_MS = 12;
/** A connection that ends sooner is replaced after a pause that grows. */
const CONNECTION_LIFE_MS = 600;
/** The longest wait for an answer, on a busy machine. */
const ANSWERED_WITHIN_MS = 10_000;

/** A sentence that the person reads if it was not carried out. */
const REFUSED = /couldn’t be saved right now|did not finish|stopped before it finished|is busy/;

export type Act = 'click' | 'form' | 'command' | 'opening';

export interface RepeatedArrivals {
  rounds: number;
  /** The person read that it was not saved. */
  refused: number;
  /** Acknowledged, and neither carried out and answered nor refused. */
  lost: string[];
  doubled: string[];
  /** Slack showed an error although a replica was there, or it was refused and carried out. */
  wrong: string[];
}

interface Round {
  as: string;
  id: string;
  number: number;
  arrivals: Partial<Arrival>[];
  since: number;
  effectsBefore: number;
  isRefused: boolean;
}

interface Doing {
  prepare?: (scene: CrashScene, round: Pick<Round, 'as'>) => Promise<void>;
  act: (scene: CrashScene, round: Round) => Promise<Delivery>;
  /** The texts that answer it, each once. */
  answers: (scene: CrashScene, round: Round) => string[];
  /** How often it was carried out, as the store or Slack shows. */
  effects: (scene: CrashScene, db: Database, round: Round) => Promise<number>;
}

/** Each of these acts of a person reaches two replicas, and the connection to one of them may be cut. */
export async function repeatArrivals(
  doing: Act,
  transport: 'socket' | 'http',
  rounds: number,
  random: () => number,
): Promise<RepeatedArrivals> {
  const scene = await setCrashScene('postgres', MORNING, {}, { transport });
  const tally: RepeatedArrivals = { rounds: 0, refused: 0, lost: [], doubled: [], wrong: [] };
  const db = readDatabase(scene.databaseUrl);
  const kind = DOING[doing];
  try {
    await Promise.all([scene.startBot(), scene.startBot()]);
    const people = await addPeople(scene);
    const all: Round[] = [];
    while (tally.rounds < rounds) {
      await untilBothAreConnected(scene, transport);
      const wave = people.map(({ as, id }, index): Round => {
        // One cut of a connection of Socket Mode hits all who act; the other replica stays reachable.
        const mayBeCut = transport === 'http' || index === 0;
        const arrivals = arrivalsOf(random, transport, mayBeCut);
        return { as, id, number: tally.rounds + index, arrivals, since: 0, effectsBefore: 0, isRefused: false };
      });
      for (const round of wave) await kind.prepare?.(scene, round);
      const deliveries = await Promise.all(
        wave.map(async (round) => {
          round.since = scene.slack.mark();
          round.effectsBefore = await kind.effects(scene, db, round);
          await scene.slack.control.repeatNext({ as: round.as, arrivals: round.arrivals });
          return kind.act(scene, round);
        }),
      );
      for (const [index, round] of wave.entries()) await judge({ scene, db, kind, tally }, round, deliveries[index]);
      for (const { as } of wave) await scene.slack.control.close({ as, all: true }).catch(() => undefined);
      all.push(...wave);
      tally.rounds += wave.length;
    }
    // rows that are left behind would be resumed.
    const left = () => db.selectFrom('pendingInteractions').select(['key', 'attempts']).execute();
    await expect.poll(left, { timeout: ANSWERED_WITHIN_MS }).toEqual([]);
    judgeLateAnswers(scene, kind, all, tally);
    return tally;
  } finally {
    await db.destroy();
    await scene.close();
  }
}

function arrivalsOf(random: () => number, transport: 'socket' | 'http', mayBeCut: boolean): Partial<Arrival>[] {
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const arrivals: Partial<Arrival>[] = [{ afterMs: 0 }, { afterMs: one(AFTER_MS) ?? 0 }];
  const cut = one(['before', 'before', 'after', 'lost', undefined] as const);
  const cutAfterMs = random() * (transport === 'http' ? MAX_CUT_OF_HTTP_MS : MAX_CUT_MS);
  const which = random() < 0.5 ? 0 : 1;
  return arrivals.map((arrival, index) =>
    mayBeCut && cut !== undefined && index === which ? { ...arrival, cut, cutAfterMs } : arrival,
  );
}

const describe = ({ number, as, arrivals }: Round) => `round ${number} of ${as}: ${JSON.stringify(arrivals)}`;

interface Judging {
  scene: CrashScene;
  db: Database;
  kind: Doing;
  tally: RepeatedArrivals;
}

async function judge({ scene, db, kind, tally }: Judging, round: Round, delivery?: Delivery): Promise<void> {
  if (!delivery || delivery.error !== null) {
    tally.wrong.push(`${describe(round)}: Slack showed ${delivery?.error}`);
    return;
  }
  const isOver = () => kind.answers(scene, round).length > 0 || isRefused(scene, round);
  const isAnswered = await expect
    .poll(isOver, { timeout: ANSWERED_WITHIN_MS, interval: 5 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    );
  const effects = (await kind.effects(scene, db, round)) - round.effectsBefore;
  const refused = isRefused(scene, round);
  round.isRefused = refused;
  if (refused) tally.refused += 1;
  if (refused && effects > 0)
    tally.wrong.push(`${describe(round)}: it was carried out, and the person read that it was not`);
  if (!refused && !(isAnswered && effects > 0))
    tally.lost.push(
      `${describe(round)}: done ${effects} times, ${isAnswered ? 'answered' : 'not answered'}; Slack saw ${JSON.stringify(eventsOf(scene, round)).slice(0, 4_000)}`,
    );
  if (effects > 1) tally.doubled.push(`${describe(round)}: done ${effects} times`);
}

/** Compares all answers with the rounds, since a second one may come when the next round has begun. */
function judgeLateAnswers(scene: CrashScene, kind: Doing, all: readonly Round[], tally: RepeatedArrivals): void {
  for (const [as, rounds] of Map.groupBy(all, (round) => round.as)) {
    const answers = rounds[0] ? kind.answers(scene, rounds[0]).length : 0;
    const expected = rounds.filter((round) => !round.isRefused).length;
    if (answers > expected) tally.doubled.push(`${as} got ${answers} answers to ${expected} acts`);
  }
}

async function addPeople({ slack, databaseUrl, clock }: CrashScene): Promise<{ as: string; id: string }[]> {
  const store = await openStore(databaseUrl);
  const people: { as: string; id: string }[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const as = `person${index}`;
    const { id } = await slack.control.addPerson({ handle: as, name: as, email: `${as}@acme.example`, isAdmin: true });
    await slack.control.join({ as, channel: 'general' });
    const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
    const channel = slack.workspace.findChannel('general')?.id ?? '';
    await putSubscription(store.db, { id: as, kind: 'digest', channel, schedule, settings: {} }, clock.now());
    people.push({ as, id });
  }
  await store.close();
  await slack.control.invite({ as: 'morgan', channel: 'general', who: 'app' });
  await slack.control.post({ as: 'morgan', channel: 'general', text: 'Buttons are below' });
  return people;
}

async function untilBothAreConnected({ slack }: CrashScene, transport: 'socket' | 'http'): Promise<void> {
  if (transport === 'http') return;
  await eventually(
    async () => ((await slack.control.state({ as: 'ada' })).app.connections === 2 ? true : undefined),
    'two connections',
  );
  await delay(CONNECTION_LIFE_MS);
}

const eventsOf = ({ slack }: CrashScene, { id, since }: Round): SlackEvent[] =>
  slack.events
    .since(since)
    .filter((event) => ('to' in event && event.to === id) || ('person' in event && event.person === id));

const ephemeralTexts = (scene: CrashScene, round: Round) =>
  eventsOf(scene, round).flatMap((event) => (event.kind === 'ephemeral' ? [event.message.text] : []));

function isRefused(scene: CrashScene, round: Round): boolean {
  const next = eventsOf(scene, round).flatMap((event) => {
    if (event.kind === 'ephemeral') return [event.message.text];
    return 'view' in event ? [textOfView(event.view)] : [];
  });
  return next.some((text) => REFUSED.test(text));
}

const changes = (scene: CrashScene, round: Round) => ephemeralTexts(scene, round).filter((text) => !text.endsWith('…'));

const changeOf = ({ number }: Round) => (Math.floor(number / PEOPLE) % 2 === 0 ? 'pause' : 'resume');

const stateAsWanted = async (_scene: CrashScene, db: Database, round: Round) => {
  const row = await db.selectFrom('subscriptions').select('state').where('id', '=', round.as).executeTakeFirstOrThrow();
  return Number(row.state === (changeOf(round) === 'pause' ? 'paused' : 'active'));
};

const topView = ({ slack }: CrashScene, { id }: Round) => slack.workspace.modalsOf(id).at(-1);

const DOING: Readonly<Record<Act, Doing>> = {
  click: {
    act: ({ slack }, round) => {
      const { as } = round;
      const ts = slack.workspace.findChannel('general')?.messages.find(({ text }) => text.startsWith('Buttons'))?.ts;
      const source = { in: 'message' as const, channel: 'general', ts: ts ?? '' };
      const actionId = `digest_${changeOf(round)}`;
      return slack.control.click({ as, source, actionId, forged: { value: as } });
    },
    answers: changes,
    effects: stateAsWanted,
  },
  command: {
    act: ({ slack }, round) => {
      const text = `${changeOf(round)} ${round.as}`;
      return slack.control.command({ as: round.as, channel: 'general', command: '/digest', text });
    },
    answers: changes,
    effects: stateAsWanted,
  },
  opening: {
    act: ({ slack }, { as }) => slack.control.command({ as, channel: 'general', command: '/digest', text: 'new' }),
    answers: (scene, round) =>
      eventsOf(scene, round).flatMap((event) =>
        event.kind === 'view_updated' && event.view.view['submit'] !== undefined ? [textOfView(event.view)] : [],
      ),
    effects: (scene, _db, round) =>
      Promise.resolve(eventsOf(scene, round).filter(({ kind }) => kind === 'view_opened').length),
  },
  form: {
    prepare: async ({ slack }, { as }) => {
      await openByCommand(slack, as, '/digest', 'new', 'general');
    },
    act: async ({ slack }, { as }) => (await slack.control.submit({ as })).delivery,
    answers: (scene, round) => {
      const view = topView(scene, round);
      return view && JSON.stringify(view.view).includes('Its id is') ? ['Its id is'] : [];
    },
    effects: async (_scene, db, round) =>
      (await db.selectFrom('subscriptions').select('id').where('owner', '=', round.id).execute()).length,
  },
};
