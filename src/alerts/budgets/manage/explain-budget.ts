import { MAX_CHECKED_DAYS } from '../../../analytics/check-days.ts';
import { todayOf } from '../../../analytics/period.ts';
import { formatPeriod, isDay, lengthOf, type Day, type Period } from '../../../base/time/calendar.ts';
import { refusedCheck } from '../../../figures/explanation/check-limit.ts';
import { checkedResources, checkWords } from '../../../figures/explanation/check-words.ts';
import { EXPLANATION_TITLE, explanationModal } from '../../../figures/explanation/explanation-modal.ts';
import type { ExplainedPart } from '../../../figures/explanation/explanation.ts';
import { figureChanges, readExplanationMetadata, shownFigures } from '../../../figures/explanation/shown-figures.ts';
import type { Markup } from '../../../base/text/markup.ts';
import type { Names } from '../../../base/privacy/disclosure.ts';
import { messageView, sentenceView, type OpenModal } from '../../../slack/blocks/views.ts';
import type { Click, ClickAction } from '../../../slack/interactions.ts';
import { needsPeople, titleOf } from '../core/budget.ts';
import { CHECK_ACTION, EXPLAIN_ACTION } from '../core/budget-buttons.ts';
import { findBudget } from '../core/budget-store.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { refusalToSee } from '../core/rights.ts';
import { readBudgetStatuses } from '../evaluate/budget-status.ts';
import { evaluateBudgets } from '../evaluate/evaluate.ts';
import { namesInBudgets } from '../evaluate/names.ts';
import { explainBudget } from './budget-parts.ts';
import { GONE, statusWords } from './list-budgets.ts';

/** *How was this worked out?* and *Check now* for a budget: the clicker’s own rights decide what the modal shows. */
export function explainActions(deps: BudgetDeps): ClickAction[] {
  const base = { role: 'manager', modalTitle: EXPLANATION_TITLE } as const;
  return [
    { ...base, actionId: EXPLAIN_ACTION, runInModal: (click, opened) => explain(deps, click, opened) },
    { ...base, actionId: CHECK_ACTION, runInModal: (click, opened) => check(deps, click, opened) },
  ];
}

/** `first` is the first day of the period of a warning; below `/budget show` the value is the id alone. */
const readAbout = (about: string): { id: string; first: Day | undefined } => {
  const [id = '', first = ''] = about.split(' ');
  return { id, first: isDay(first) ? first : undefined };
};

async function explain(deps: BudgetDeps, click: Click, opened: OpenModal): Promise<void> {
  const explained = await readExplained(deps, click.value, click);
  if (explained.kind === 'shown') await show(deps, explained, opened);
  else await opened.show(explained.view);
}

async function check(deps: BudgetDeps, click: Click, opened: OpenModal): Promise<void> {
  const shown = readExplanationMetadata(click.form.metadata);
  if (!shown) return opened.show(sentenceView(EXPLANATION_TITLE, GONE));
  const before = await readExplained(deps, shown.about, click);
  if (before.kind === 'view') return opened.show(before.view);
  const refusal = await refusedCheck(deps, click.person.slackId);
  if (refusal !== undefined || !isCheckable(before))
    return opened.show(sentenceView(EXPLANATION_TITLE, refusal ?? TOO_LONG));
  const { period } = before;
  const readAt = await deps.checks.readAgain({
    period,
    resources: checkedResources(before.parts, period),
    withPeople: before.isOfPeople,
  });
  const today = todayOf(deps);
  const budget = await findBudget(deps.db, before.id);
  // Posted warnings that no longer hold are corrected.
  if (budget) await evaluateBudgets(deps, [budget], { today, published: undefined });
  const after = await readExplained(deps, shown.about, click);
  if (after.kind === 'view') return opened.show(after.view);
  const changes = figureChanges(shown.figures, shownFigures(after.parts));
  await show(deps, after, opened, checkWords({ changes, parts: after.parts, periods: [period], readAt }, today));
}

interface Explained {
  kind: 'shown';
  id: string;
  about: string;
  title: string;
  /** The published days of the budget’s period. */
  period: Period;
  parts: ExplainedPart[];
  isOfPeople: boolean;
  names: Names;
}

const isCheckable = ({ period }: Pick<Explained, 'period'>) => lengthOf(period) <= MAX_CHECKED_DAYS;
const TOO_LONG = `At most ${MAX_CHECKED_DAYS} days can be checked at once.`;

async function show(
  deps: BudgetDeps,
  explained: Explained,
  opened: OpenModal,
  result: readonly Markup[] = [],
): Promise<void> {
  const checkAction = isCheckable(explained) ? CHECK_ACTION : undefined;
  await opened.show(await explanationModal(deps, { ...explained, checkAction, result }, todayOf(deps)));
}

/** Reads a budget with the rights that the clicker has now. */
async function readExplained(
  deps: BudgetDeps,
  about: string,
  { person, refusal }: Pick<Click, 'person' | 'refusal'>,
): Promise<Explained | { kind: 'view'; view: Parameters<OpenModal['show']>[0] }> {
  const { id, first } = readAbout(about);
  const budget = await findBudget(deps.db, id);
  if (!budget) return sentence(GONE);
  const denial = refusalToSee(person, budget);
  if (denial) return { kind: 'view', view: messageView(EXPLANATION_TITLE, await refusal(denial)) };
  const [status] = await readBudgetStatuses(deps, [budget], person);
  if (!status) return sentence(GONE);
  if (status.kind !== 'known') return sentence(statusWords(status));
  const { period, through } = status.figures;
  if (first !== undefined && first !== period.first) return sentence(otherPeriod(id, first));
  return {
    kind: 'shown',
    id,
    about,
    title: `${titleOf(budget)}, ${formatPeriod(period, todayOf(deps))}`,
    period: { first: period.first, last: through },
    parts: explainBudget(status),
    isOfPeople: needsPeople(budget.subject),
    names: await namesInBudgets(deps, [budget]),
  };
}

const sentence = (text: string) => ({ kind: 'view' as const, view: sentenceView(EXPLANATION_TITLE, text) });

const otherPeriod = (id: string, first: Day) =>
  `This warning is about the period from ${first}, which is over. Type /budget show ${id} for the current period.`;
