import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dayOf, daysOf, plusDays, type Day } from '../../../src/core/base/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import { digestMessage } from '../../../src/features/digests/core/digest-messages.ts';
import { CADENCES, scheduleOf, type Cadence, type Rhythm } from '../../../src/features/digests/core/settings.ts';
import { createSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { shareOf } from '../../support/property-runs.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';
import { INSTALLATION_MS, installedNode, nodeOfVersion } from './node-versions.ts';

/** Rules of 2026a: British Columbia and Alberta change their clocks in November 2026, and Morocco after Ramadan only. */
const OLDER = '24.15.0';
const NEWER = '24.21.0';
const ZONES = ['America/Vancouver', 'America/Edmonton', 'Africa/Casablanca'];
const TIMES = ['00:15', '00:45', '01:30', '09:00', '15:30', '16:30', '17:30', '18:30', '23:30'];
const RHYTHMS: Readonly<Record<Cadence, Rhythm>> = {
  daily: { cadence: 'daily' },
  weekdays: { cadence: 'weekdays' },
  weekly: { cadence: 'weekly', weekday: 1 },
  monthly: { cadence: 'monthly', monthDay: 5 },
};
const STEP_MS = 30 * MINUTE_MS;

let programs: { older: string; newer: string };
beforeAll(async () => {
  programs = { older: await nodeOfVersion(OLDER), newer: installedNode() ?? (await nodeOfVersion(NEWER)) };
}, 2 * INSTALLATION_MS);

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const answerSchema = z.object({ rules: z.string(), faults: z.array(z.string()) });

interface Replica {
  planAt(instant: Date): Promise<z.infer<typeof answerSchema>>;
}

function startReplica(node: string, url: string): Replica {
  const program = new URL('./planning-program.ts', import.meta.url).pathname;
  const child = spawn(node, [program, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  cleanUps.push(() => {
    child.stdin.end();
    return ended;
  });
  return {
    planAt: async (instant) => {
      child.stdin.write(`${instant.toISOString()}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('The replica ended');
      return answerSchema.parse(JSON.parse(value));
    },
  };
}

/** Each zone, rhythm and time of day has a digest of its own. */
const subscriptions = ZONES.flatMap((zone) =>
  CADENCES.flatMap((cadence) =>
    TIMES.map((at) => ({ id: `${zone}.${cadence}.${at}`, cadence, schedule: scheduleOf(RHYTHMS[cadence], at, zone) })),
  ),
);

async function setScene(from: Date) {
  const [engine = 'sqlite'] = availableEngines();
  const database = await createDatabase(engine);
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  cleanUps.push(() => store.close());
  await store.db.transaction().execute(async (trx) => {
    for (const { id, cadence, schedule } of subscriptions)
      await createSubscription(
        trx,
        { id, kind: 'digest', channel: 'C1', schedule, settings: { cadence }, owner: 'U1' },
        from,
      );
  });
  const older = startReplica(programs.older, database.url);
  const newer = startReplica(programs.newer, database.url);
  return { store, older, newer };
}

/** The days of all digests that were sent, and the local dates, in their order. */
async function sentDigests({ db }: Awaited<ReturnType<typeof setScene>>['store']) {
  const rows = await db.selectFrom('deliveries').selectAll().where('kind', '=', 'digest').orderBy('dueAt').execute();
  const planned = rows.map((row) => ({ row, parsed: digestMessage.parse(row) }));
  return subscriptions.map(({ id, cadence }) => {
    const own = planned.filter(({ parsed }) => parsed.payload.subscriptionId === id);
    return {
      id,
      cadence,
      reasons: own.flatMap(({ row }) => (row.state === 'skipped' ? [`${row.key}: ${row.reason}`] : [])),
      sent: own
        .filter(({ row }) => row.state !== 'skipped')
        .map(({ parsed: { payload, slot } }) => ({ ...payload, slot })),
    };
  });
}

function expectEachDayOnce(digests: Awaited<ReturnType<typeof sentDigests>>, last: Day): void {
  for (const { id, cadence, sent, reasons } of digests) {
    const days = sent.flatMap(({ period }) => daysOf(period));
    const [first = last] = days;
    const expected = daysOf({ first, last: days.at(-1) ?? first });
    expect.soft({ id, days, reasons }).toEqual({ id, days: expected, reasons: expect.anything() });
    expect.soft(new Set(sent.map(({ slot }) => slot)).size, id).toBe(sent.length);
    // Nothing stops before the end.
    const lag = { daily: 3, weekdays: 5, weekly: 9, monthly: 40 }[cadence];
    expect.soft((days.at(-1) ?? '') >= plusDays(last, -lag), `${id} ends on ${days.at(-1)}`).toBe(true);
  }
}

async function play(
  { store, older, newer }: Awaited<ReturnType<typeof setScene>>,
  span: { from: Date; until: Date },
  replicaAt: (instant: Date) => 'older' | 'newer' | 'both',
): Promise<Set<string>> {
  const rules = new Set<string>();
  for (let atMs = span.from.getTime(); atMs <= span.until.getTime(); atMs += STEP_MS) {
    const at = new Date(atMs);
    const which = replicaAt(at);
    const replicas = which === 'both' ? [older, newer] : [which === 'older' ? older : newer];
    const answers = await Promise.all(replicas.map((replica) => replica.planAt(at)));
    for (const answer of answers) {
      rules.add(answer.rules);
      if (answer.faults.length > 0) throw new Error(answer.faults.join('\n'));
    }
  }
  expectEachDayOnce(await sentDigests(store), dayOf(new Date(span.until.getTime() - DAY_MS)));
  return rules;
}

type Replicas = 'older' | 'newer' | 'both';

interface Change {
  how: string;
  from: string;
  until: string;
  /** Which replicas plan, at an instant and a step. */
  replicaAt: (instant: Date, step: number) => Replicas;
}

const from = (upgradedAt: string) => (instant: Date) => (instant < new Date(upgradedAt) ? 'older' : 'newer');

const CHANGES: readonly Change[] = [
  {
    how: 'the upgrade is before the clocks would have changed',
    from: '2026-10-20T00:10:00Z',
    until: '2026-11-16T12:10:00Z',
    replicaAt: from('2026-10-27T03:10:00Z'),
  },
  {
    how: 'the upgrade is after it',
    from: '2026-11-04T00:10:00Z',
    until: '2026-12-01T12:10:00Z',
    replicaAt: from('2026-11-20T20:00:00Z'),
  },
  {
    how: 'the upgrade is in the hour in which digests are due',
    from: '2026-11-18T00:10:00Z',
    until: '2026-12-08T12:10:00Z',
    replicaAt: from('2026-11-26T16:30:00Z'),
  },
  {
    how: 'the upgrade is taken back',
    from: '2026-11-12T00:10:00Z',
    until: '2026-12-06T12:10:00Z',
    replicaAt: (instant) =>
      instant >= new Date('2026-11-16T12:00:00Z') && instant < new Date('2026-11-25T02:00:00Z') ? 'newer' : 'older',
  },
  {
    how: 'two replicas have two rules',
    from: '2026-10-25T00:10:00Z',
    until: '2026-11-20T12:10:00Z',
    replicaAt: (_instant, step) => (step % 3 === 0 ? 'both' : step % 3 === 1 ? 'older' : 'newer'),
  },
];

test.each(shareOf(CHANGES))('digests come each once, with each day once, if $how', async (change) => {
  const span = { from: new Date(change.from), until: new Date(change.until) };
  const scene = await setScene(span.from);
  let step = 0;
  const rules = await play(scene, span, (instant) => change.replicaAt(instant, (step += 1)));
  // Otherwise this compares nothing.
  expect(rules.size).toBe(2);
});
