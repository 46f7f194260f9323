import { FACTS_MAX_AGE_MS, type DailyCreditsRow, type Part } from '../../../../core/analytics/day-facts.ts';
import { notBeforeFirstDay, FORECAST_DAYS } from '../../../../core/analytics/period.ts';
import { plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import { eachWhileFree } from '../../../../core/base/time/turns.ts';
import { needsPeople, openPeriods, whyNotEvaluated } from '../core/budget.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { findNaming, showsPeople } from '../core/rights.ts';
import { listMarks, listMembers, type Members } from '../core/budget-marks.ts';
import { isEvaluated, type MarkRow, type StoredAlert } from '../core/budget-store.ts';
import { commitPlans, writesNothing } from './commit.ts';
import { LostRace } from '../../lost-race.ts';
import {
  readCreditSubjects,
  type CreditSubject,
  type CreditsReader,
} from '../../../../core/figures/credit-subjects.ts';
import { creditSubjectOf, resolveMembers } from './members.ts';
import { planBudget } from './plan.ts';
import { writePlan, type MessageContext } from './write-plan.ts';

/** `behind`: a published day is missing; `lost`: another process evaluated it; `unreadable`: the platform failed. */
export type Outcome = 'done' | 'behind' | 'lost' | 'unreadable' | 'failed';

interface BudgetInput {
  budget: StoredAlert;
  /** The revisions of members that were counted so far, oldest first. */
  previousMembers: readonly Members[];
  newMembers: readonly string[] | undefined;
  marks: readonly MarkRow[];
}

/** Evaluates budgets and enqueues their messages. @param published the last day with figures of the organization */
export async function evaluateBudgets(
  deps: EvaluationDeps,
  all: readonly StoredAlert[],
  { today, published }: { today: Day; published: Day | undefined },
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  // Lists and details of budgets say why the others are not counted.
  const budgets = all.filter(
    (budget) => isEvaluated(budget) && whyNotEvaluated(budget, deps.config.retentionDays.people) === undefined,
  );
  for (const { id } of all) outcomes.set(id, 'done');
  const range = rangeOf(budgets, today);
  const ids = budgets.map(({ id }) => id);
  const marks = await listMarks(deps.db, ids, plusDays(range.first, -1));
  const inputs = await Promise.all(
    budgets.map(async (budget): Promise<BudgetInput> => ({
      budget,
      marks: marks.get(budget.id) ?? [],
      ...(await membersOf(deps, budget)),
    })),
  );
  const creditSubjects = inputs.flatMap((input) => allCreditSubjects(input));
  const read = await readCreditSubjects(deps.days, creditSubjects, range, { maxAgeMs: FACTS_MAX_AGE_MS });
  // Most budgets of a morning have passed nothing, so nothing is written: a thousand would take half a second.
  for await (const input of eachWhileFree(inputs)) {
    const { outcome, through } = await evaluateWithNewMembers(deps, input, read, today);
    const isBehind = outcome === 'done' && published !== undefined && (through ?? '') < published;
    outcomes.set(input.budget.id, isBehind ? 'behind' : outcome);
  }
  return outcomes;
}

/** Returns the days to read: from the first day of any open period or of the forecast’s basis, through yesterday. */
export function rangeOf(budgets: readonly Pick<StoredAlert, 'period' | 'setUpOn'>[], today: Day): Period {
  const starts = budgets.flatMap(({ period, setUpOn }) =>
    openPeriods(period, setUpOn, today).map(({ first }) => first),
  );
  const [first] = [...starts, plusDays(today, -FORECAST_DAYS)].toSorted();
  return { first: notBeforeFirstDay(first ?? today), last: plusDays(today, -1) };
}

async function membersOf(
  deps: EvaluationDeps,
  { id, subject }: StoredAlert,
): Promise<Pick<BudgetInput, 'previousMembers' | 'newMembers'>> {
  if (!needsPeople(subject)) return { previousMembers: [], newMembers: undefined };
  const [previousMembers, currentMembers] = await Promise.all([
    listMembers(deps.db, id),
    resolveMembers(deps, subject).catch((error: unknown) => {
      deps.log.warn(
        { err: error, budget: id },
        'Reading the members of a budget from Slack failed; the last known ones are used',
      );
      return undefined;
    }),
  ]);
  const last = previousMembers.at(-1);
  // Slack cannot be read now, or no longer has the group: the previous members still count.
  if (!currentMembers) return { previousMembers, newMembers: undefined };
  const isSame = last !== undefined && last.emails.toSorted().join(' ') === currentMembers.toSorted().join(' ');
  return { previousMembers, newMembers: isSame ? undefined : currentMembers };
}

function allCreditSubjects({ budget, previousMembers, newMembers }: BudgetInput): CreditSubject[] {
  return [...previousMembers.map(({ emails }) => emails), newMembers].flatMap(
    (emails) => creditSubjectOf(budget.subject, emails) ?? [],
  );
}

/** New members count for the whole period, so what they have used may pass a threshold, which is reported once. */
async function evaluateWithNewMembers(
  deps: EvaluationDeps,
  input: BudgetInput,
  read: CreditsReader,
  today: Day,
): Promise<Evaluation> {
  const evaluation = await evaluate(deps, input, read, today, false);
  const { budget, previousMembers, newMembers } = input;
  const last = previousMembers.at(-1);
  if (evaluation.outcome !== 'done' || !budget.isBaselineTaken || !newMembers || !last) return evaluation;
  const members = { revision: last.revision + 1, emails: newMembers, at: deps.clock.now().toISOString() };
  const marks = await listMarks(deps.db, [budget.id], plusDays(rangeOf([budget], today).first, -1));
  const again = {
    budget,
    previousMembers: [...previousMembers, members],
    newMembers: undefined,
    marks: marks.get(budget.id) ?? [],
  };
  return evaluate(deps, again, read, today, true);
}

interface Evaluation {
  outcome: Outcome;
  through?: Day | undefined;
}

async function evaluate(
  deps: EvaluationDeps,
  input: BudgetInput,
  read: CreditsReader,
  today: Day,
  haveMembersChanged: boolean,
): Promise<Evaluation> {
  const { budget, previousMembers, newMembers, marks } = input;
  const last = previousMembers.at(-1);
  const creditSubjectAt = (revision: number | undefined) =>
    creditSubjectOf(
      budget.subject,
      previousMembers.find((one) => one.revision === revision)?.emails ?? last?.emails ?? newMembers,
    );
  try {
    const naming = budget.kind === 'budget' ? await findNaming(deps, budget) : undefined;
    // A budget of chosen people needs a reader who may see single people.
    if (showsPeople(budget) && !naming) return { outcome: 'done' };
    const currentSubject = creditSubjectAt(last?.revision);
    // The members are not known yet, so there is nothing to count.
    if (!currentSubject) return { outcome: 'done' };
    const part = read(currentSubject);
    if (part.kind === 'unreadable') {
      deps.log.warn({ err: part.fault, budget: budget.id }, 'Reading a budget failed; it is tried again');
      return { outcome: 'unreadable' };
    }
    const done: Evaluation = { outcome: 'done', through: part.rows.at(-1)?.date };
    const rowsOf = (mark?: MarkRow) => {
      const one = mark && creditSubjectAt(mark.members);
      return one ? rowsIn(read(one)) : part.rows;
    };
    const newRows = newMembers && last ? rowsIn(read({ kind: 'people', emails: newMembers })) : undefined;
    const plans = planBudget({ budget, marks, today, rowsOf, newRows });
    if (budget.isBaselineTaken && !newMembers && plans.every((plan) => writesNothing(plan))) return done;
    const context: MessageContext = {
      budget,
      naming,
      currentSubject,
      creditSubjectAt: (mark) => creditSubjectAt(mark.members),
    };
    const periods = await Promise.all(
      plans.map(async (plan) => ({ plan, ...(await writePlan(deps, context, plan, part.rows)) })),
    );
    await commitPlans(deps, { budget, revision: last?.revision ?? -1, newMembers, haveMembersChanged, periods });
    return done;
  } catch (error) {
    if (error instanceof LostRace) return { outcome: 'lost' };
    deps.log.error({ err: error, budget: budget.id }, 'Evaluating a budget failed; it is tried again');
    return { outcome: 'failed' };
  }
}

const rowsIn = (part: Part<DailyCreditsRow>) => (part.kind === 'read' ? part.rows : []);
