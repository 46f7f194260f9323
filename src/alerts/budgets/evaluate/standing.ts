import type { DailyCreditsRow, Part } from '../../../analytics/facts.ts';
import { plusDays, type Day, type Period } from '../../../base/time/calendar.ts';
import type { PlatformError } from '../../../platform/errors.ts';
import { todayOf } from '../../../figures/period.ts';
import { needsPeople, periodOf, whyNotCounted } from '../core/budget.ts';
import { createCache } from '../../../base/cache.ts';
import type { LookDeps } from '../core/deps.ts';
import { figuresOf, type Figures } from '../core/decide.ts';
import { saidOf, type Said } from '../core/payload.ts';
import { listBudgets, listMembers, type StoredBudget } from '../core/store.ts';
import { evaluateBudgets, rangeOf } from './evaluate.ts';
import { readCounted, type Counted } from '../../../figures/counted.ts';
import { countedOf, resolveMembers } from './members.ts';
import { namingOf, type Reader } from '../core/rights.ts';
import { admitForDestination } from './recipients.ts';

const SEES = 'sees people: ';
/** How old figures may be that somebody looks at. */
const MAX_AGE_MS = 10 * 60_000;

export type Standing =
  | { kind: 'known'; budget: StoredBudget; said: Said; rows: readonly DailyCreditsRow[] }
  /** No day of it is published, or it has not begun. */
  | { kind: 'open'; budget: StoredBudget; period: Period | undefined }
  | { kind: 'unreadable'; budget: StoredBudget; fault: PlatformError }
  /** Slack does not tell whose credits they are. */
  | { kind: 'nobody'; budget: StoredBudget }
  /** Figures of people are not kept for as long as its period. */
  | { kind: 'not_counted'; budget: StoredBudget; sentence: string }
  /** Of a group of which nothing may be shown to the reader. */
  | { kind: 'hidden'; budget: StoredBudget };

/**
 * Reads how some budgets stand, all of them together.
 *
 * @param reader who will see it
 */
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
 * What is known of a budget that was set up or changed just now. What is passed already is noted as passed here; where the
 * platform cannot be read now, the next look does it.
 */
export async function noteStanding(deps: LookDeps, budget: StoredBudget, reader: Reader): Promise<Said | undefined> {
  await evaluateBudgets(deps, [budget], { today: todayOf(deps), published: undefined });
  const [standing] = await readStandings(deps, [budget], reader);
  return standing?.kind === 'known' ? standing.said : undefined;
}

interface ReadBudget {
  budget: StoredBudget;
  /** Missing while Slack does not tell whose credits it counts. */
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

/** The status of a budget for a reader: figures of a group pass the small-group check. */
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

/** How all budgets stand, remembered for a while: App Home is opened more often than days are published. */
export function createStandingsReader(deps: LookDeps): (reader: Reader) => Promise<Standing[]> {
  let budgets: readonly StoredBudget[] = [];
  const standings = createCache(
    deps.clock,
    MAX_AGE_MS,
    (terms: string) => readStandings(deps, budgets, { seesPeople: terms.startsWith(SEES) }),
    {
      maxEntries: 2,
      isKept: (all) =>
        all.every(({ kind }) => kind === 'known' || kind === 'open' || kind === 'hidden' || kind === 'not_counted'),
    },
  );
  return async ({ seesPeople }) => {
    budgets = await listBudgets(deps.db);
    const terms = budgets.map(({ id, version }) => `${id}:${version}`).join(' ');
    return standings.get(`${seesPeople ? SEES : ''}${terms}`);
  };
}

/** Whose credits a budget counts; nothing while Slack does not tell. */
export async function readCountedOf(deps: LookDeps, { id, subject }: StoredBudget): Promise<Counted | undefined> {
  const known = needsPeople(subject) ? (await listMembers(deps.db, id)).at(-1) : undefined;
  return countedOf(subject, known?.emails ?? (await resolveMembers(deps, subject)));
}

type Running = { kind: 'open'; period: Period | undefined } | { kind: 'running'; figures: Figures };

/** The figures of the period that is running, or just ended. Pure. */
function runningFigures(budget: StoredBudget, rows: readonly DailyCreditsRow[], today: Day): Running {
  const through = rows.at(-1)?.date;
  // On the first day of a period its figures are those of the one before, until a day of it is published.
  const period = periodOf(budget.period, today);
  const running =
    period && through !== undefined && through >= period.first ? period : periodOf(budget.period, plusDays(today, -1));
  if (!running || through === undefined) return { kind: 'open', period };
  const figures = figuresOf(running, rows, { through, today });
  return figures.through === undefined ? { kind: 'open', period: running } : { kind: 'running', figures };
}
