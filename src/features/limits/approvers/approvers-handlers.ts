import { formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { sentenceView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { formHandler, errorsOf, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { NO_RULES, readApproverRules, saveApproverRules, type ApproverRules } from './approver-rules.ts';
import {
  APPROVERS_FORM,
  APPROVERS_TITLE,
  approversForm,
  approversView,
  INTRODUCTION,
  MAX_APPROVERS,
  MAX_HOURS,
  previewLines,
  typedOf,
  type TypedApprovers,
} from './approvers-form.ts';
import { readObstacles } from './obstacles.ts';
import { planTurns } from './plan-turns.ts';

export async function showApproversForm(deps: LimitDeps, opened: OpenModal): Promise<void> {
  const rules = (await readApproverRules(deps.db)) ?? NO_RULES;
  await opened.show(approversView(typedOf(rules), [INTRODUCTION, ...(await readPreview(deps, rules))], deps.config));
}

async function readPreview(deps: LimitDeps, rules: ApproverRules): Promise<Markup[]> {
  const obstacles = await readObstacles(deps, undefined, { candidates: rules.approvers, rules });
  const planned = planTurns({ rules, stage: 1, turns: [], obstacles, isWorkingTime: true }, deps.clock.now());
  return previewLines(rules, planned);
}

export const approversSubmission = (deps: LimitDeps): Form =>
  formHandler(APPROVERS_FORM, 'admin', (state) => {
    const typed = approversForm.read(state);
    const { rules, errors } = rulesOf(typed);
    return freshFormReading(errors, 'Saving …', (by, opened) => save(deps, rules, typed, by, opened));
  });

const isHours = (hours: number) => Number.isInteger(hours) && hours >= 1 && hours <= MAX_HOURS;

/** Without approvers, the hours have no effect. Pure. */
export function rulesOf(typed: TypedApprovers): { rules: ApproverRules; errors: Record<string, string> } {
  const approvers = [...new Set(typed.approvers)];
  const hours = typed.hours === '' && approvers.length === 0 ? NO_RULES.hours : Number(typed.hours || Number.NaN);
  const { amount: secondAbove, problem } = readAmount(typed.secondAbove);
  const errors = errorsOf([
    [approvers.length > MAX_APPROVERS, 'approvers', `Choose at most ${MAX_APPROVERS} approvers.`],
    [!isHours(hours), 'hours', `Type whole hours, from 1 to ${MAX_HOURS}.`],
    [typed.secondAbove === '' ? undefined : problem, 'secondAbove'],
  ]);
  return { rules: { approvers, hours, secondAbove, skipsAway: typed.skipsAway }, errors };
}

async function save(
  deps: LimitDeps,
  rules: ApproverRules,
  typed: TypedApprovers,
  { person }: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const problem = await problemOf(deps, rules);
  if (problem) return opened.show(approversView(typed, [markup`*${problem}*`], deps.config));
  const before = await readApproverRules(deps.db);
  const detail = `${await wordsOf(deps, before)} → ${await wordsOf(deps, rules)}`;
  const now = deps.clock.now();
  await deps.db.transaction().execute((trx) => saveApproverRules(trx, rules, { by: person.slackId, detail }, now));
  const lines = [markup`✅ *Saved.*`, ...(await readPreview(deps, rules))];
  await opened.show(sentenceView(APPROVERS_TITLE, joinMarkup(lines, '\n')));
}

async function problemOf(deps: LimitDeps, { approvers, secondAbove }: ApproverRules): Promise<string | undefined> {
  const admins = await deps.people.admins();
  const others = approvers.filter((slackId) => !admins.includes(slackId));
  const names = await Promise.all(others.map((slackId) => nameOf(deps, slackId)));
  if (names.length > 0) return `Only admins can be approvers: remove ${names.join(', ')}.`;
  if (secondAbove !== undefined && admins.length < 2)
    return 'Two approvals need two admins. Ask the server operator to add another admin to ADMINS.';
  return undefined;
}

const nameOf = async ({ people }: LimitDeps, slackId: string): Promise<string> =>
  (await people.describe(slackId))?.name ?? slackId;

async function wordsOf(deps: LimitDeps, rules: ApproverRules | undefined): Promise<string> {
  const { approvers, hours, secondAbove, skipsAway } = rules ?? NO_RULES;
  const names = await Promise.all(approvers.map((slackId) => nameOf(deps, slackId)));
  const list =
    names.length === 0
      ? 'all admins at once'
      : `${names.join(', ')}; each for ${countOf(hours, 'hour')}; ${skipsAway ? 'skips who is away' : 'also who is away'}`;
  return secondAbove === undefined ? list : `${list}; two approvals above ${formatAmount(secondAbove)}`;
}
