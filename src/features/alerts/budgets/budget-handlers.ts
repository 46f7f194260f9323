import { z } from 'zod';
import { markup } from '../../../core/base/text/markup.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { plainMessage, unknownIdMessage } from '../../../core/slack/blocks/messages.ts';
import { change, inModal, question, readVerb } from '../../../core/slack/interactions/verbs.ts';
import { readAction, changeAction, modalAction, modalActions } from '../../../core/slack/interactions/click-actions.ts';
import type { Click, ClickAction, Interaction, ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import { audit, listAuditEntries } from '../../../core/store/audit.ts';
import { BUDGET_HELP, parseBudget } from './budget-command.ts';
import { findDeliveries } from '../../../core/outbox/past-deliveries.ts';
import { auditSubject, needsPeople, titleOf, type Budget } from './core/budget.ts';
import { ownerMessage } from './core/budget-messages.ts';
import {
  EDIT_ACTION,
  NEW_ACTION,
  REMOVE_ACTION,
  removeButton,
  SHOW_ACTION,
  FINISH_ACTION,
  TEST_ACTION,
} from './core/budget-buttons.ts';
import type { BudgetDeps } from './core/evaluation-deps.ts';
import { namesInBudgets } from './evaluate/members.ts';
import { refusalToSee } from './core/rights.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { listMarks, listMembers } from './core/budget-marks.ts';
import { findBudget, listBudgets, removeBudget, type MarkRow } from './core/budget-store.ts';
import { readBudgetStatuses } from './evaluate/budget-status.ts';
import { showChosenFields, showKeptForm, showNewForm } from './manage/create.ts';
import { findChangeable, showEditForm } from './manage/edit.ts';
import { EDIT_TITLE, NEW_TITLE, SHOW_FIELDS_ACTION } from './manage/budget-form.ts';
import { noticeMessage } from './deliver/budget-messages.ts';
import { exampleWarning } from './deliver/example-warnings.ts';
import { todayOf } from '../../../core/analytics/period.ts';
import { pauseBudgetActions } from './manage/pause-budget.ts';
import { testMessage } from '../../../core/watches/example-message.ts';
import { explainActions } from './manage/explain-budget.ts';
import { detailMessage, GONE, listMessage, warningPlace, type MarkWithPlace } from './manage/budget-list.ts';

export const readBudgetCommand = (deps: BudgetDeps, words: readonly string[]): ReadCommand =>
  readVerb(parseBudget(words), {
    list: () => question((by) => showList(deps, by)),
    new: () => inModal(NEW_TITLE, (by, opened) => showNewForm(deps, by, opened)),
    show: ({ id }) => question((by) => showOne(deps, id, by)),
    edit: ({ id }) => inModal(EDIT_TITLE, (by, opened) => showEditForm(deps, id, by, opened)),
    remove: ({ id }) => change((by) => askToRemove(deps, id, by)),
  });

async function showList(deps: BudgetDeps, { person, reply }: Interaction): Promise<void> {
  reply.progress('Reading the figures …');
  const budgets = (await listBudgets(deps.db)).filter((budget) => refusalToSee(person, budget) === undefined);
  const statuses = await readBudgetStatuses(deps, budgets, person);
  await reply.show({ ...listMessage(statuses, person), names: await namesInBudgets(deps, budgets) });
}

async function showOne(deps: BudgetDeps, id: string, { person, reply, refusal }: Interaction): Promise<void> {
  const message = await readOne(deps, id, { person, refusal });
  if (message) return reply.show(message);
  const ids = (await listBudgets(deps.db)).map((budget) => budget.id);
  await reply.show(unknownIdMessage(BUDGET_HELP, { word: 'show', id, ids, sentence: `There is no budget “${id}”.` }));
}

async function readOne(deps: BudgetDeps, id: string, by: Pick<Interaction, 'person' | 'refusal'>) {
  const { person } = by;
  const budget = await findBudget(deps.db, id);
  if (!budget) return undefined;
  const refusal = refusalToSee(person, budget);
  if (refusal) return by.refusal(refusal);
  const [[status], marks, members, entries] = await Promise.all([
    readBudgetStatuses(deps, [budget], person),
    listMarks(deps.db, [id], '0000-01-01'),
    listMembers(deps.db, id),
    listAuditEntries(deps.db, auditSubject(id)),
  ]);
  const names = await namesInBudgets(deps, [budget]);
  const visibleMarks = await visibleMarksOf(deps, budget, marks.get(id) ?? [], person);
  return status && { ...detailMessage(status, { marks: visibleMarks, members, audit: entries }), names };
}

/** Returns the visible marks: without the people right, those of a group only if its channel received the message. */
async function visibleMarksOf(
  { db }: BudgetDeps,
  { subject }: Budget,
  marks: readonly MarkRow[],
  { seesPeople }: Person,
): Promise<MarkWithPlace[]> {
  const sent = await findDeliveries(
    db,
    marks.flatMap((mark) => mark.deliveryKey ?? []),
  );
  const toOwner = new Set(sent.filter(({ kind }) => kind === ownerMessage.name).map(({ key }) => key));
  const all = marks.map((mark) => ({ ...mark, isToOwner: toOwner.has(mark.deliveryKey ?? '') }));
  if (seesPeople || !needsPeople(subject)) return all;
  return all.filter(({ state, isToOwner }) => (state === 'told' || state === 'withdrawn') && !isToOwner);
}

/** Asks for confirmation, because typed words are easily wrong; the button removes the budget. */
async function askToRemove(deps: BudgetDeps, id: string, { person, reply, refusal }: Interaction): Promise<void> {
  const editable = await findChangeable(deps, id, person);
  if (editable.kind === 'refused') return reply.show(await refusal(editable.why));
  const title = titleOf(editable.budget);
  await reply.show(
    messageOf(prose(markup`Delete this budget? *${title}*  \`${id}\``), buttonRow(removeButton(id, title))),
  );
}

export function budgetActions(deps: BudgetDeps): ClickAction[] {
  return [
    ...modalActions(deps, 'manager', NEW_TITLE, {
      [NEW_ACTION]: showNewForm,
      [FINISH_ACTION]: showKeptForm,
      [SHOW_FIELDS_ACTION]: showChosenFields,
    }),
    modalAction(EDIT_ACTION, 'manager', EDIT_TITLE, (click, opened) => showEditForm(deps, idOf(click), click, opened)),
    readAction(SHOW_ACTION, 'manager', async (click) =>
      click.reply.add((await readOne(deps, idOf(click), click)) ?? plainMessage(GONE)),
    ),
    ...explainActions(deps),
    ...pauseBudgetActions(deps),
    readAction(TEST_ACTION, 'manager', (click) => sendTest(deps, click)),
    changeAction(REMOVE_ACTION, 'manager', (click) => remove(deps, click)),
  ];
}

const idOf = ({ value }: Click) => z.string().max(40).parse(value);

/** Shows an example of a warning to the clicker alone. */
async function sendTest(deps: BudgetDeps, click: Click): Promise<void> {
  const budget = await findBudget(deps.db, idOf(click));
  if (!budget) return click.reply.add(plainMessage(GONE));
  const refusal = refusalToSee(click.person, budget);
  if (refusal) return click.reply.add(await click.refusal(refusal));
  const example = noticeMessage(exampleWarning(budget, todayOf(deps)), []);
  await click.reply.add(testMessage(example, warningPlace(budget.channel)));
}

async function remove(deps: BudgetDeps, click: Click): Promise<void> {
  const id = idOf(click);
  const editable = await findChangeable(deps, id, click.person);
  if (editable.kind === 'refused') return click.reply.show(await click.refusal(editable.why));
  const by = click.person.slackId;
  const now = deps.clock.now();
  const isDone = await deps.db.transaction().execute(async (trx) => {
    if (!(await removeBudget(trx, id, by, now))) return false;
    await audit(trx, { about: auditSubject(id), actor: by, action: 'deleted it', detail: null }, now);
    return true;
  });
  const sentence = isDone ? markup`You deleted *${titleOf(editable.budget)}*. What was posted stays.` : markup`${GONE}`;
  await click.reply.show(plainMessage(sentence));
  await click.refreshHome();
}
