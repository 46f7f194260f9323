import type { DailyCreditsRow, Part } from '../../../analytics/day-facts.ts';
import { plusDays, type Day, type Period } from '../../../base/time/calendar.ts';
import type { PlatformError } from '../../../platform/errors.ts';
import { todayOf } from '../../../figures/period.ts';
import { needsPeople, periodOf, whyNotCounted } from '../core/budget.ts';
import { createCache } from '../../../base/cache.ts';
import type { LookDeps } from '../core/evaluation-deps.ts';
import { figuresOf, type Figures } from '../core/decide.ts';
import { saidOf, type Said } from '../core/budget-payload.ts';
import { listBudgets, listMembers, type StoredBudget } from '../core/budget-store.ts';
import { evaluateBudgets, rangeOf } from './evaluate.ts';
import { readCounted, type Counted } from '../../../figures/counted.ts';
import { countedOf, resolveMembers } from './members.ts';
import { namingOf, type Reader } from '../core/rights.ts';
import { admitForDestination } from './recipients.ts';

/** The maximum age of figures in lists, details and App Home. */
const MAX_AGE_MS = 10 * 60_000;

export type Standing =
  | { kind: 'known'; budget: StoredBudget; said: Said; rows: readonly DailyCreditsRow[] }
  /** None of its days is published, or it has not begun. */
  | { kind: 'open'; budget: StoredBudget; period: Period | undefined }
  | { kind: 'unreadable'; budget: StoredBudget; fault: PlatformError }
  /** Slack does not say whose credits it counts. */
  | { kind: 'nobody'; budget: StoredBudget }
  /** Figures of people are deleted before its period ends. */
  | { kind: 'not_counted'; budget: StoredBudget; sentence: string }
  /** The reader may see no figure of this group. */
  | { kind: 'hidden'; budget: StoredBudget };

/** Reads the status of several budgets at once. @param reader the person who will see it */
export async function readStandings(
  deps: LookDeps,
  budgets: readonly StoredBudget[],
  reader: Reader,
): Promise<Standing[]> {
  if (budgets.length === 0) return [];
  const today = todayOf(deps);
  return standingsOf(deps, await readBudgets(deps, budgets, rangeOf(budgets, today), MAX_AGE_MS), today, reader);
}

/**
 * Evaluates a budget right after it was set up or changed, and returns its figures. Thresholds that are already reached
 * are recorded without a message; if the platform cannot be read, the next evaluation records them.
 */
export async function noteStanding(deps: LookDeps, budget: StoredBudget, reader: Reader): Promise<Said | undefined> {
  await evaluateBudgets(deps, [budget], { today: todayOf(deps), published: undefined });
  const [standing] = await readStandings(deps, [budget], reader);
  return standing?.kind === 'known' ? standing.said : undefined;
}

interface ReadBudget {
  budget: StoredBudget;
  /** undefined while Slack does not say whose credits it counts. */
  counted: Counted | undefined;
  part: Part<DailyCreditsRow> | undefined;
}

export async function readBudgets(
  deps: LookDeps,
  budgets: readonly StoredBudget[],
  period: Period,
  maxAgeMs: number,
): Promise<ReadBudget[]> {
  const all = await Promise.all(
    budgets.map(async (budget) => ({ budget, counted: await readCountedOf(deps, budget) })),
  );
  const wanted = all.flatMap(({ counted }) => counted ?? []);
  const read = await readCounted(deps.days, wanted, period, { maxAgeMs });
  return all.map(({ budget, counted }) => ({ budget, counted, part: counted && read(counted) }));
}

export async function standingsOf(
  deps: LookDeps,
  all: readonly ReadBudget[],
  today: Day,
  reader: Reader,
): Promise<Standing[]> {
  const standings: Standing[] = [];
  for (const { budget, counted, part } of all) {
    const sentence = whyNotCounted(budget, deps.config.retentionDays.people);
    if (sentence !== undefined) standings.push({ kind: 'not_counted', budget, sentence });
    else if (!counted || !part) standings.push({ kind: 'nobody', budget });
    else if (part.kind === 'unreadable') standings.push({ ...part, budget });
    else standings.push(await standingFor(deps, budget, counted, part.rows, today, reader));
  }
  return standings;
}

/** Returns the status of a budget for a reader; figures of a group pass the small-group check. */
async function standingFor(
  deps: LookDeps,
  budget: StoredBudget,
  counted: Counted,
  rows: readonly DailyCreditsRow[],
  today: Day,
  reader: Reader,
): Promise<Standing> {
  const running = runningFigures(budget, rows, today);
  if (running.kind === 'open') return { ...running, budget };
  const { figures } = running;
  const admission = await admitForDestination(deps, budget, counted, figures, namingOf(reader));
  if (!admission) return { kind: 'hidden', budget };
  const { first, last } = figures.period;
  const within = admission.isWhole ? rows.filter(({ date }) => first <= date && date <= last) : [];
  return { kind: 'known', budget, rows: within, said: saidOf(budget, figures, admission) };
}

/** Returns a cached reader of all budgets: users open App Home more often than the platform publishes days. */
export function createStandingsReader(deps: LookDeps): (reader: Reader) => Promise<Standing[]> {
  const standings = createCache(
    deps.clock,
    MAX_AGE_MS,
    ({ budgets, seesPeople }: Reader & { budgets: readonly StoredBudget[] }) =>
      readStandings(deps, budgets, { seesPeople }),
    {
      idOf: ({ budgets, seesPeople }) => JSON.stringify([seesPeople, budgets.map(({ id, version }) => [id, version])]),
      maxEntries: 2,
      isKept: (all) =>
        all.every(({ kind }) => kind === 'known' || kind === 'open' || kind === 'hidden' || kind === 'not_counted'),
    },
  );
  return async ({ seesPeople }) => standings.get({ budgets: await listBudgets(deps.db), seesPeople });
}

/** Reads whose credits a budget counts; undefined while Slack does not say. */
export async function readCountedOf(deps: LookDeps, { id, subject }: StoredBudget): Promise<Counted | undefined> {
  const known = needsPeople(subject) ? (await listMembers(deps.db, id)).at(-1) : undefined;
  return countedOf(subject, known?.emails ?? (await resolveMembers(deps, subject)));
}

type Running = { kind: 'open'; period: Period | undefined } | { kind: 'running'; figures: Figures };

/** Returns the figures of the current period or, on its first day, of the previous one. Pure. */
function runningFigures(budget: StoredBudget, rows: readonly DailyCreditsRow[], today: Day): Running {
  const through = rows.at(-1)?.date;
  // No day of a period is published on its first day.
  const period = periodOf(budget.period, today);
  const running =
    period && through !== undefined && through >= period.first ? period : periodOf(budget.period, plusDays(today, -1));
  if (!running || through === undefined) return { kind: 'open', period };
  const figures = figuresOf(running, rows, { through, today });
  return figures.through === undefined ? { kind: 'open', period: running } : { kind: 'running', figures };
}
