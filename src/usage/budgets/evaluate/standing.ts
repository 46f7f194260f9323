import type { DailyCreditsRow } from '../../../analytics/facts.ts';
import { plusDays, type Day, type Period } from '../../../base/calendar.ts';
import type { PlatformError } from '../../../platform/errors.ts';
import { todayOf } from '../../period.ts';
import { periodOf, titleOf } from '../core/budget.ts';
import { createCache } from '../../../base/cache.ts';
import type { LookDeps } from '../core/deps.ts';
import { figuresOf } from '../core/decide.ts';
import type { Said } from '../core/payload.ts';
import { listBudgets, listMembers, needsPeople, type StoredBudget } from '../core/store.ts';
import { rangeOf } from './evaluate.ts';
import { readCounted, type Counted } from './facts.ts';
import { resolveMembers } from './members.ts';

/** How old figures may be that somebody looks at. */
const MAX_AGE_MS = 10 * 60_000;

/** How a budget stands in the period that is running. */
export type Standing =
  | { kind: 'known'; budget: StoredBudget; said: Said; rows: readonly DailyCreditsRow[] }
  /** No day of it is published, or it has not begun. */
  | { kind: 'open'; budget: StoredBudget; period: Period | undefined }
  | { kind: 'unreadable'; budget: StoredBudget; fault: PlatformError }
  /** Slack does not tell whose credits they are. */
  | { kind: 'nobody'; budget: StoredBudget };

/** Reads how some budgets stand, all of them together. */
export async function readStandings(deps: LookDeps, budgets: readonly StoredBudget[]): Promise<Standing[]> {
  if (budgets.length === 0) return [];
  const today = todayOf(deps);
  const counted = await Promise.all(budgets.map((budget) => countedOf(deps, budget)));
  const wanted = counted.flatMap((one) => one ?? []);
  const read = await readCounted(deps.days, wanted, rangeOf(budgets, today), { maxAgeMs: MAX_AGE_MS });
  return budgets.map((budget, index) => {
    const one = counted[index];
    if (!one) return { kind: 'nobody', budget };
    const part = read(one);
    return part.kind === 'unreadable' ? { ...part, budget } : standingOf(budget, part.rows, today);
  });
}

/** How all budgets stand, remembered for a while: App Home is opened more often than days are published. */
export function createStandingsReader(deps: LookDeps): () => Promise<Standing[]> {
  let budgets: readonly StoredBudget[] = [];
  const standings = createCache(deps.clock, MAX_AGE_MS, (_terms: string) => readStandings(deps, budgets), {
    maxEntries: 1,
    isKept: (all) => all.every(({ kind }) => kind === 'known' || kind === 'open'),
  });
  return async () => {
    budgets = await listBudgets(deps.db);
    return standings.get(budgets.map(({ id, version }) => `${id}:${version}`).join(' '));
  };
}

/** Whose credits a budget counts; nothing while Slack does not tell. */
export async function countedOf(
  deps: Pick<LookDeps, 'db' | 'people'>,
  { id, subject }: Pick<StoredBudget, 'id' | 'subject'>,
): Promise<Counted | undefined> {
  if (subject.kind === 'organization') return subject;
  if (!needsPeople(subject)) return subject.kind === 'model' ? subject : undefined;
  const emails = (await listMembers(deps.db, id)).at(-1)?.emails ?? (await resolveMembers(deps.people, subject));
  return emails && { kind: 'people', emails };
}

/** Pure. */
export function standingOf(budget: StoredBudget, rows: readonly DailyCreditsRow[], today: Day): Standing {
  const through = rows.at(-1)?.date;
  // On the first day of a period its figures are those of the one before, until a day of it is published.
  const period = periodOf(budget.period, today) ?? undefined;
  const running =
    period && through !== undefined && through >= period.first ? period : periodOf(budget.period, plusDays(today, -1));
  if (!running || through === undefined) return { kind: 'open', budget, period };
  const figures = figuresOf(running, rows, { through, today });
  if (figures.through === undefined) return { kind: 'open', budget, period: running };
  const { spent, expected, range } = figures;
  return {
    kind: 'known',
    budget,
    rows: rows.filter(({ date }) => date >= running.first && date <= running.last),
    said: {
      title: titleOf(budget),
      credits: budget.credits,
      ...(budget.price ? { price: budget.price } : {}),
      period: running,
      through: figures.through,
      spent,
      ...(expected === undefined ? {} : { expected }),
      ...(range ? { range } : {}),
      explained: [],
    },
  };
}
