import type { ShownTo } from '../../../../core/figures/groups/gate.ts';
import type { DailyCreditsRow, Part } from '../../../../core/analytics/day-facts.ts';
import { plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import type { PlatformError } from '../../../../core/platform/errors.ts';
import { todayOf } from '../../../../core/analytics/period.ts';
import { listMembers } from '../core/budget-marks.ts';
import { needsPeople, periodOf, whyNotEvaluated } from '../core/budget.ts';
import { createCache } from '../../../../core/base/cache.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { figuresOf, type Figures } from '../core/decide.ts';
import { messageFiguresOf, type MessageFigures } from '../core/budget-payload.ts';
import { listBudgets, type StoredAlert, type StoredBudget } from '../core/budget-store.ts';
import { evaluateBudgets, rangeOf } from './evaluate.ts';
import type { Forecast } from '../../../../core/figures/insight/forecast.ts';
import { type PriceList, readPriceList } from '../../../../core/figures/money/price-list.ts';
import { readCreditSubjects, type CreditSubject } from '../../../../core/figures/credit-subjects.ts';
import { readCreditSubject } from './members.ts';
import { namingOf, type Reader } from '../core/rights.ts';
import { allowForDestination } from './recipients.ts';

/** The maximum age of figures in lists, details and App Home. */
const MAX_AGE_MS = 10 * 60_000;

export type BudgetStatus<Item extends StoredAlert = StoredBudget> =
  | {
      kind: 'known';
      budget: Item;
      figures: MessageFigures;
      /** The day in its period on which its members last changed. */
      membersChangedOn: Day | undefined;
      /** The published days of the period; empty if the reader may see only their sum. */
      rows: readonly DailyCreditsRow[];
      /** Undefined if there is none, or the reader may not see it. */
      forecast: Forecast | undefined;
    }
  /** None of its days is published, or it has not begun. */
  | { kind: 'open'; budget: Item; period: Period | undefined }
  | { kind: 'unreadable'; budget: Item; fault: PlatformError }
  /** Slack does not say whose credits it counts. */
  | { kind: 'nobody'; budget: Item }
  /** Figures of people are deleted before its period ends. */
  | { kind: 'not_counted'; budget: Item; sentence: string }
  /** The reader may see no figure of this group. */
  | { kind: 'hidden'; budget: Item };

export async function readBudgetStatuses<Item extends StoredAlert>(
  deps: EvaluationDeps,
  budgets: readonly Item[],
  reader: Reader,
): Promise<BudgetStatus<Item>[]> {
  if (budgets.length === 0) return [];
  const today = todayOf(deps);
  return toStatuses(deps, await readBudgets(deps, budgets, rangeOf(budgets, today), MAX_AGE_MS), today, reader);
}

/** Records reached thresholds without a message; if the platform cannot be read, the next evaluation records them. */
export async function evaluateAndRead(
  deps: EvaluationDeps,
  budget: StoredAlert,
  reader: Reader,
): Promise<MessageFigures | undefined> {
  await evaluateBudgets(deps, [budget], { today: todayOf(deps), published: undefined });
  const [status] = await readBudgetStatuses(deps, [budget], reader);
  return status?.kind === 'known' ? status.figures : undefined;
}

interface ReadBudget<Item> {
  budget: Item;
  /** undefined while Slack does not say whose credits it counts. */
  counted: CreditSubject | undefined;
  part: Part<DailyCreditsRow> | undefined;
}

export async function readBudgets<Item extends StoredAlert>(
  deps: EvaluationDeps,
  budgets: readonly Item[],
  period: Period,
  maxAgeMs: number,
): Promise<ReadBudget<Item>[]> {
  const all = await Promise.all(
    budgets.map(async (budget) => ({ budget, counted: await readCreditSubject(deps, budget) })),
  );
  const creditSubjects = all.flatMap(({ counted }) => counted ?? []);
  const read = await readCreditSubjects(deps.days, creditSubjects, period, { maxAgeMs });
  return all.map(({ budget, counted }) => ({ budget, counted, part: counted && read(counted) }));
}

export async function toStatuses<Item extends StoredAlert>(
  deps: EvaluationDeps,
  all: readonly ReadBudget<Item>[],
  today: Day,
  reader: Reader,
  shownTo: ShownTo = { kind: 'person' },
): Promise<BudgetStatus<Item>[]> {
  const statuses: BudgetStatus<Item>[] = [];
  const prices = await readPriceList(deps.db);
  for (const { budget, counted, part } of all) {
    const sentence = whyNotEvaluated(budget, deps.config.retentionDays.people);
    if (sentence !== undefined) statuses.push({ kind: 'not_counted', budget, sentence });
    else if (!counted || !part) statuses.push({ kind: 'nobody', budget });
    else if (part.kind === 'unreadable') statuses.push({ ...part, budget });
    else statuses.push(await statusFor(deps, budget, counted, part.rows, { today, reader, shownTo, prices }));
  }
  return statuses;
}

/** Returns the status of a budget for a reader; figures of a group pass the small-group check. */
async function statusFor<Item extends StoredAlert>(
  deps: EvaluationDeps,
  budget: Item,
  counted: CreditSubject,
  rows: readonly DailyCreditsRow[],
  { today, reader, shownTo, prices }: { today: Day; reader: Reader; shownTo: ShownTo; prices: PriceList },
): Promise<BudgetStatus<Item>> {
  const running = runningFigures(budget, rows, today);
  if (running.kind === 'open') return { ...running, budget };
  const { figures } = running;
  const admission = await allowForDestination(deps, budget, counted, figures, namingOf(reader), shownTo);
  if (!admission) return { kind: 'hidden', budget };
  const { first, last } = figures.period;
  const forecast = admission.isBestAlternative ? figures.forecast : undefined;
  const within = admission.isBestAlternative ? rows.filter(({ date }) => first <= date && date <= last) : [];
  const messageFigures = messageFiguresOf(budget, figures, admission, prices);
  const membersChangedOn = await lastChangeOfMembers(deps, budget, first);
  return { kind: 'known', budget, rows: within, forecast, figures: messageFigures, membersChangedOn };
}

async function lastChangeOfMembers(
  { db }: EvaluationDeps,
  { id, subject }: StoredAlert,
  since: Day,
): Promise<Day | undefined> {
  // The first revision is that of its start.
  const changes = needsPeople(subject) ? (await listMembers(db, id)).slice(1) : [];
  const day = changes.at(-1)?.at.slice(0, 10);
  return day !== undefined && day >= since ? day : undefined;
}

/** Returns a cached reader of all budgets: users open App Home more often than the platform publishes days. */
export function createStatusReader(deps: EvaluationDeps): (reader: Reader) => Promise<BudgetStatus[]> {
  const statuses = createCache(
    deps.clock,
    MAX_AGE_MS,
    ({ budgets, seesPeople }: Reader & { budgets: readonly StoredBudget[] }) =>
      readBudgetStatuses(deps, budgets, { seesPeople }),
    {
      idOf: ({ budgets, seesPeople }) =>
        JSON.stringify([seesPeople, budgets.map(({ id, version, state }) => [id, version, state])]),
      maxEntries: 2,
      isKept: (all) =>
        all.every(({ kind }) => kind === 'known' || kind === 'open' || kind === 'hidden' || kind === 'not_counted'),
    },
  );
  return async ({ seesPeople }) => statuses.get({ budgets: await listBudgets(deps.db), seesPeople });
}

type Running = { kind: 'open'; period: Period | undefined } | { kind: 'running'; figures: Figures };

function runningFigures(budget: StoredAlert, rows: readonly DailyCreditsRow[], today: Day): Running {
  const through = rows.at(-1)?.date;
  // No day of a period is published on its first day.
  const period = periodOf(budget.period, today);
  const running =
    period && through !== undefined && through >= period.first ? period : periodOf(budget.period, plusDays(today, -1));
  if (!running || through === undefined) return { kind: 'open', period };
  const figures = figuresOf(running, rows, { through, today });
  return figures.through === undefined ? { kind: 'open', period: running } : { kind: 'running', figures };
}
