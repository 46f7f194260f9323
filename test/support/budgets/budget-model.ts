import fc from 'fast-check';
import { z } from 'zod';
import type { Checkpoint, CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import type { DailyCreditsRow } from '../../../src/core/analytics/day-facts.ts';
import type { Day, Period } from '../../../src/core/base/time/calendar.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine, Store } from '../../../src/core/store/store.ts';
import type { EvaluationDeps } from '../../../src/features/alerts/budgets/core/evaluation-deps.ts';
import { messageSchema } from '../../../src/features/alerts/budgets/core/budget-payload.ts';
import {
  changeTerms,
  findBudget,
  insertBudget,
  removeBudget,
  type MarkRow,
} from '../../../src/features/alerts/budgets/core/budget-store.ts';
import { evaluateBudgets } from '../../../src/features/alerts/budgets/evaluate/evaluate.ts';
import { createDatabase } from '../stores/databases.ts';

/** The events between two evaluations of a budget. */
type Step =
  /** Some days pass; the days that are published late. */
  | { kind: 'days'; count: number; late: number; credits: readonly number[] }
  | { kind: 'publish' }
  | { kind: 'restate'; back: number; credits: number }
  | { kind: 'edit'; credits: number }
  | { kind: 'look'; replicas: 1 | 2; crashAt: Extract<CheckpointName, `budgets:${string}`> | undefined }
  | { kind: 'remove' };

const DAY_MS = 24 * 60 * 60_000;
const SET_UP = Date.parse('2026-03-05T12:00:00Z');
const THRESHOLDS = [30, 50, 80, 100, 120];
const AMOUNTS = [1_000, 1_500, 2_000];

const looks = fc.record({
  kind: fc.constant('look' as const),
  replicas: fc.constantFrom(1 as const, 2 as const),
  crashAt: fc.constantFrom(
    undefined,
    undefined,
    'budgets:before_commit' as const,
    'budgets:in_commit' as const,
    'budgets:after_commit' as const,
  ),
});

export const stepsOf: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 50,
      arbitrary: fc.record({
        kind: fc.constant('days' as const),
        count: fc.integer({ min: 1, max: 4 }),
        late: fc.integer({ min: 0, max: 2 }),
        credits: fc.array(fc.integer({ min: 0, max: 250 }), { minLength: 4, maxLength: 4 }),
      }),
    },
    { weight: 20, arbitrary: fc.constant({ kind: 'publish' as const }) },
    {
      weight: 30,
      arbitrary: fc.record({
        kind: fc.constant('restate' as const),
        back: fc.integer({ min: 1, max: 6 }),
        credits: fc.integer({ min: 0, max: 400 }),
      }),
    },
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('edit' as const), credits: fc.constantFrom(...AMOUNTS) }) },
    { weight: 80, arbitrary: looks },
    { weight: 2, arbitrary: fc.constant({ kind: 'remove' as const }) },
  ),
  { minLength: 4, maxLength: 40 },
);

class Crash extends Error {}

export interface BudgetBench {
  /** Plays some steps and compares the warnings with the truth; each fault is a sentence. */
  play(steps: readonly Step[]): Promise<string[]>;
  close(): Promise<void>;
}

/** One store for many plays, each with a budget of its own. */
export async function createBudgetBench(engine: Engine): Promise<BudgetBench> {
  const database = await createDatabase(engine);
  const store = await openStore(database.url, () => {});
  let plays = 0;
  return {
    play: (steps) => play(store, `b${(plays += 1)}`, steps),
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

async function play(store: Store, id: string, steps: readonly Step[]): Promise<string[]> {
  const days = new Map<Day, { credits: number; isPublished: boolean }>();
  let nowMs = SET_UP;
  for (let ms = SET_UP - 30 * DAY_MS; ms < SET_UP - DAY_MS; ms += DAY_MS) {
    days.set(dayAt(ms), { credits: ms < Date.parse('2026-03-01') ? 40 : 60, isPublished: true });
  }
  let crashAt: CheckpointName | undefined;
  const deps = depsOf(store, {
    now: () => new Date(nowMs),
    rows: ({ first, last }) =>
      [...days]
        .filter(([day, { isPublished }]) => isPublished && day >= first && day <= last)
        .map(([date, { credits }]) => ({ date, billable_tokens: credits }))
        .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    checkpoint: (name) => {
      if (name === crashAt) throw new Crash(name);
    },
  });
  const truth = createTruth(days);
  await store.db.transaction().execute((trx) => insertBudget(trx, budgetOf(id), new Date(nowMs)));
  let credits = AMOUNTS[0] ?? 0;
  let isRemoved = false;
  const look = async (replicas: number) => {
    const budget = await findBudget(store.db, id);
    if (budget?.state !== 'active') return;
    const today = dayAt(nowMs);
    await Promise.all(
      Array.from({ length: replicas }, () => evaluateBudgets(deps, [budget], { today, published: undefined })),
    );
    const after = await findBudget(store.db, id);
    if (!budget.isBaselineTaken && after?.isBaselineTaken) truth.arm(credits, today);
  };
  for (const step of [...steps, { kind: 'look' as const, replicas: 2 as const, crashAt: undefined }]) {
    switch (step.kind) {
      case 'days':
        for (let index = 0; index < step.count; index += 1) {
          days.set(dayAt(nowMs), { credits: step.credits[index] ?? 0, isPublished: index < step.count - step.late });
          nowMs += DAY_MS;
        }
        break;
      case 'publish':
        for (const day of days.values()) day.isPublished = true;
        break;
      case 'restate': {
        const day = days.get(dayAt(nowMs - step.back * DAY_MS));
        if (day?.isPublished) day.credits = step.credits;
        break;
      }
      case 'edit': {
        const budget = await findBudget(store.db, id);
        if (!budget || budget.state !== 'active' || step.credits === budget.credits) break;
        nowMs += 1_000;
        await store.db
          .transaction()
          .execute((trx) => changeTerms(trx, budget, { ...budget, credits: step.credits }, 'U1', new Date(nowMs)));
        ({ credits } = step);
        break;
      }
      case 'look':
        nowMs += 60_000;
        crashAt = step.crashAt;
        await look(step.replicas);
        crashAt = undefined;
        break;
      case 'remove':
        isRemoved = true;
        await store.db.transaction().execute((trx) => removeBudget(trx, id, 'U1', new Date(nowMs)));
        break;
      default:
        step satisfies never;
    }
  }
  // The loser of a race evaluates again.
  nowMs += 60_000;
  await look(1);
  return [
    ...(await wrongDeliveries(store, id)),
    ...(isRemoved ? [] : await wrongMarks(store, id, truth, credits, nowMs)),
  ];
}

const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

const budgetOf = (id: string) => ({
  id,
  kind: 'budget' as const,
  name: undefined,
  credits: AMOUNTS[0] ?? 0,
  period: { unit: 'month' as const },
  subject: { kind: 'organization' as const },
  thresholds: { actual: THRESHOLDS, forecast: [100] },
  price: undefined,
  namesPeople: false,
  channel: 'C1',
  owner: 'U1',
});

interface World {
  now: () => Date;
  rows: (period: Period) => DailyCreditsRow[];
  checkpoint: Checkpoint;
}

const unused = () => Promise.reject(new Error('Nothing else is read'));

function depsOf({ db }: Store, { now, rows, checkpoint }: World): EvaluationDeps {
  const read = <Row>(all: Row[]) => Promise.resolve({ kind: 'read' as const, rows: all, readAt: now(), cachedDays: 0 });
  return {
    db,
    clock: { ...systemClock, now },
    log: createLogger('fatal', [], () => {}),
    checkpoint,
    plannedSums: () => Promise.resolve([]),
    days: {
      dailyCredits: (period) => read(rows(period)),
      credits: () => read([]),
      peopleCredits: unused,
      changedAfter: () => Promise.resolve(true),
    },
    people: { teams: unused, describe: unused, names: unused, identify: unused },
    config: {
      peopleRole: 'manager',
      minGroup: 5,
      retentionDays: { people: 375, looks: 30, sessions: 30, deliveries: 90, audit: 730 },
    },
  };
}

/** The usage, by independent arithmetic. */
function createTruth(days: ReadonlyMap<Day, { credits: number; isPublished: boolean }>) {
  const sumOf = (month: string) =>
    [...days].reduce(
      (sum, [day, { credits, isPublished }]) => sum + (isPublished && day.startsWith(month) ? credits : 0),
      0,
    );
  /** By month and amount, the percentages that were already passed when the budget got this amount. */
  const silent = new Map<string, Set<number>>();
  return {
    sumOf,
    arm: (credits: number, today: Day) => {
      for (const month of monthsUntil(today)) {
        const key = `${month} ${credits}`;
        const passed = THRESHOLDS.filter((percent) => sumOf(month) * 100 >= credits * percent);
        silent.set(key, new Set([...(silent.get(key) ?? []), ...passed]));
      }
    },
    wasSilent: (month: string, credits: number, percent: number) =>
      silent.get(`${month} ${credits}`)?.has(percent) ?? false,
  };
}

/** The months that are still evaluated. */
function monthsUntil(today: Day): string[] {
  const yesterday = Date.parse(today) - DAY_MS;
  const watched = Math.max(Date.parse('2026-03-05'), Date.parse(today) - 9 * DAY_MS);
  const months = new Set<string>();
  for (let ms = Math.min(watched, yesterday); ms <= yesterday; ms += DAY_MS) months.add(dayAt(ms).slice(0, 7));
  return [...months];
}

const keyOf = (row: Pick<MarkRow, 'basis' | 'percent' | 'credits' | 'periodFirst'>) =>
  `${row.periodFirst} ${row.basis} ${row.percent}% of ${row.credits}`;

const payloadSchema = z.string().transform((text) => messageSchema.parse(JSON.parse(text)));

/** Each threshold of a period and an amount is announced once; again only after a correction. */
async function wrongDeliveries({ db }: Store, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['key', 'kind', 'payload'])
    .where('key', 'like', `budget:${id}:%`)
    .execute();
  const notices = rows.filter(({ kind }) => kind === 'budget');
  const told = notices.flatMap(({ key, payload }) => {
    const message = payloadSchema.parse(payload);
    if (message.kind === 'summary') return [];
    const { first } = message.said.period;
    return message.thresholds.map(({ basis, percent }) => ({
      key,
      what: keyOf({ periodFirst: first, basis, percent, credits: message.said.credits }),
    }));
  });
  const corrected = new Set(
    rows.filter(({ kind }) => kind === 'budget-correction').map(({ key }) => key.slice(0, key.indexOf(':correction:'))),
  );
  const notes = rows.filter(({ kind }) => kind === 'budget-correction-note').length;
  const corrections = rows.filter(({ kind }) => kind === 'budget-correction').length;
  return [
    ...[...Map.groupBy(told, ({ what }) => what)].flatMap(([what, all]) => {
      const open = all.filter(({ key }) => !corrected.has(key));
      return open.length > 1 ? [`${what} was announced ${open.length} times`] : [];
    }),
    ...(notes === corrections ? [] : [`${corrections} corrections and ${notes} notes`]),
  ];
}

/**
 * Each threshold crossed by the current days was announced, or was passed silently at the start; the others were
 * withdrawn.
 */
async function wrongMarks(
  { db }: Store,
  id: string,
  truth: ReturnType<typeof createTruth>,
  credits: number,
  nowMs: number,
): Promise<string[]> {
  const marks = await db
    .withTables<{ budgetMarks: MarkRow }>()
    .selectFrom('budgetMarks')
    .selectAll()
    .where('budgetId', '=', id)
    .execute();
  return monthsUntil(dayAt(nowMs)).flatMap((month) =>
    THRESHOLDS.flatMap((percent) => {
      const theirs = marks.filter(
        (mark) =>
          mark.basis === 'actual' &&
          mark.percent === percent &&
          mark.credits === credits &&
          mark.periodFirst === `${month}-01` &&
          mark.state !== 'withdrawn',
      );
      const isCrossed = truth.sumOf(month) * 100 >= credits * percent;
      const wasSilent = truth.wasSilent(month, credits, percent);
      const what = `${month}: ${percent}% of ${credits}, ${truth.sumOf(month)} used`;
      if (isCrossed && theirs.length !== 1) return [`${what}: ${theirs.length} marks exist`];
      if (isCrossed && !wasSilent && theirs[0]?.state !== 'told') return [`${what}: crossed, and not announced`];
      if (!isCrossed && theirs.some(({ state }) => state === 'told')) return [`${what}: announced, and not crossed`];
      return [];
    }),
  );
}
