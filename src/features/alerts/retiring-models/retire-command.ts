import { z } from 'zod';
import { notBeforeFirstDay, todayOf } from '../../../core/analytics/period.ts';
import { dayOf, formatDate, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { amountsByName, modelCredits } from '../../../core/figures/measures/breakdown.ts';
import { isSameModel } from '../../../core/figures/measures/main-models.ts';
import { button, context, section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage, type RoleDenial } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { modal, sentenceView, type ModalView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { didYouMean } from '../../../core/slack/commands/command-text.ts';
import { readDayAhead } from '../../../core/slack/commands/period-words.ts';
import { changeAction, freshChangeAction, freshModalAction } from '../../../core/slack/interactions/click-actions.ts';
import { defineForm, textField } from '../../../core/slack/interactions/form-fields.ts';
import { errorsOf, formHandler, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { ClickAction, Form, ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import { modalFor, question } from '../../../core/slack/interactions/verbs.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { hasRole } from '../../../core/base/roles.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { retiresWords } from './retiring-messages.ts';
import {
  findRetiring,
  keyOfModel,
  listRetiring,
  listStops,
  putRetiring,
  removeRetiring,
  resumeFor,
} from './retiring-store.ts';

const TITLE = 'A model retires';
const FORM = 'usage_retire_form';
const ACTIONS = {
  add: 'usage_retire',
  edit: 'usage_retire_edit',
  remove: 'usage_retire_remove',
  resume: 'usage_retire_resume',
};
const ADMINS: RoleDenial = { what: 'Setting the day on which a model retires', role: 'admin' };
const MAX_MODEL_LENGTH = 100;
const MAX_DAYS_AHEAD = 730;
const MAX_SHOWN = 20;

interface TypedModel {
  model: string;
  day: string;
  successor: string;
}
const NOTHING_TYPED: TypedModel = { model: '', day: '', successor: '' };

/** `/usage retire`: the models that retire; `retire new`, `retire atlas-large`: the form of admins. */
export function readRetireCommand(deps: AlertDeps, words: readonly string[]): ReadCommand {
  const [first, ...rest] = words;
  if (first === undefined || first.toLowerCase() === 'list')
    return question(async ({ person, reply }) => reply.show(await listMessage(deps, person)));
  if (rest.length > 0)
    return {
      kind: 'misunderstood',
      sentence: 'Type one model. The form asks for its day.',
      corrected: `retire ${first}`,
    };
  const model = first.toLowerCase() === 'new' ? '' : first.slice(0, MAX_MODEL_LENGTH);
  return modalFor(ADMINS, TITLE, (_by, opened) => showForm(deps, { ...NOTHING_TYPED, model }, opened));
}

async function listMessage(
  deps: AlertDeps,
  person: Pick<Person, 'role' | 'slackId'>,
  news?: Markup,
): Promise<BlockMessage> {
  const rows = await listRetiring(deps.db);
  const isAdmin = hasRole(person.role, 'admin');
  const hasStopped = (await listStops(deps.db)).has(person.slackId);
  const today = todayOf(deps);
  return messageOf(
    prose(news ? [news] : []),
    prose(rows.length === 0 ? markup`*No model is set to retire.*` : markup`*Models that retire*`),
    ...rows.slice(0, MAX_SHOWN).flatMap((row) => [
      prose(retiresWords(row, today)),
      ...(isAdmin
        ? [
            buttonRow(
              button({ text: 'Edit', actionId: ACTIONS.edit, value: row.model }),
              button({
                text: 'Remove',
                actionId: ACTIONS.remove,
                value: row.model,
                style: 'danger',
                confirm: {
                  title: 'Remove it?',
                  text: markup`Nobody is told any more that this model retires.`,
                  confirm: 'Remove',
                },
              }),
            ),
          ]
        : []),
    ]),
    prose(
      hasStopped
        ? markup`You turned off messages about models that retire.`
        : markup`Whoever still uses one is told 30, 7 and 0 days before, by direct message.`,
    ),
    buttonRow(
      ...(isAdmin ? [button({ text: 'Add a model', actionId: ACTIONS.add, style: 'primary' })] : []),
      ...(hasStopped ? [button({ text: 'Tell me again', actionId: ACTIONS.resume })] : []),
    ),
  );
}

const fields = defineForm<undefined>()(
  {
    model: textField(() => ({ label: 'Model', longest: MAX_MODEL_LENGTH, hint: 'As /usage models writes it.' })),
    day: textField(() => ({ label: 'Last day', longest: 40, placeholder: 'dec 1, or 2026-12-01' })),
    successor: textField(() => ({ label: 'Successor', longest: MAX_MODEL_LENGTH, isOptional: true })),
  },
  {},
);

function formView(typed: TypedModel, problem?: string): ModalView {
  return modal({
    title: TITLE,
    submit: 'Save',
    callbackId: FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      ...fields.blocks(undefined, typed),
      context(markup`People whose main model it is are told 30, 7 and 0 days before. Digests say how many they are.`),
    ],
  });
}

async function showForm(deps: AlertDeps, typed: TypedModel, opened: OpenModal): Promise<void> {
  const row = await findRetiring(deps.db, keyOfModel(typed.model));
  if (row) return opened.show(formView({ model: row.name, day: row.retiresOn, successor: row.successor ?? '' }));
  const problem = typed.model === '' ? undefined : (await checkModel(deps, typed.model)).problem;
  await opened.show(formView(typed, problem));
}

const LOOKED_BACK_DAYS = 28;

/** Returns the name as figures write it. Without figures, any name is taken. */
async function checkModel(deps: AlertDeps, typed: string): Promise<{ name: string; problem?: string }> {
  const today = todayOf(deps);
  const period = { first: notBeforeFirstDay(plusDays(today, -LOOKED_BACK_DAYS)), last: plusDays(today, -1) };
  const part = await deps.days.credits(period, { maxAgeMs: Number.POSITIVE_INFINITY });
  if (part.kind === 'unreadable') return { name: typed };
  const names = [...amountsByName(part.rows, modelCredits).keys()];
  const name = names.find((one) => isSameModel(one, typed));
  if (name !== undefined || names.length === 0) return { name: name ?? typed };
  const lower = names.map((one) => one.toLowerCase());
  const meant = names[lower.indexOf(didYouMean(typed, lower) ?? '')];
  const suggestion = meant === undefined ? '/usage models 28d lists them.' : `Did you mean “${meant}”?`;
  return { name: typed, problem: `No figures of the last ${LOOKED_BACK_DAYS} days name “${typed}”. ${suggestion}` };
}

export const retireForm = (deps: AlertDeps): Form =>
  formHandler(FORM, 'admin', (state, _metadata, now) => {
    const typed = fields.read(state);
    const today = dayOf(now);
    const day = readDay(typed.day, today);
    const errors = errorsOf([
      [typed.model.trim() === '', 'model', 'Type a model.'],
      [day === undefined, 'day', 'Type a day, such as dec 1 or 2026-12-01.'],
      [
        day !== undefined && (day < today || day > plusDays(today, MAX_DAYS_AHEAD)),
        'day',
        'Choose a day within two years from now.',
      ],
      [isSameModel(typed.model, typed.successor), 'successor', 'A model can’t be its own successor.'],
    ]);
    return freshFormReading(errors, 'Saving …', async ({ person }, opened) => {
      const { name, problem } = await checkModel(deps, typed.model.trim());
      if (problem !== undefined) return opened.show(formView(typed, problem));
      const successor = typed.successor.trim() || null;
      const retiresOn = day ?? today;
      const at = deps.clock.now();
      await deps.db
        .transaction()
        .execute((trx) => putRetiring(trx, { name, retiresOn, successor }, person.slackId, at));
      await opened.show(
        sentenceView(TITLE, `✅ Saved: ${name} retires on ${formatDate(retiresOn, today)}. /usage retire lists it.`),
      );
    });
  });

const readDay = (text: string, today: Day): Day | undefined =>
  readDayAhead(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((word) => word !== ''),
    today,
  );

const modelIn = (value: string) => z.string().max(MAX_MODEL_LENGTH).parse(value);

export function retireActions(deps: AlertDeps): ClickAction[] {
  return [
    freshModalAction(ACTIONS.add, 'admin', TITLE, (_click, opened) => showForm(deps, NOTHING_TYPED, opened)),
    freshModalAction(ACTIONS.edit, 'admin', TITLE, (click, opened) =>
      showForm(deps, { ...NOTHING_TYPED, model: modelIn(click.value) }, opened),
    ),
    freshChangeAction(ACTIONS.remove, 'admin', async ({ person, reply, value }) => {
      const model = modelIn(value);
      const now = deps.clock.now();
      const isDone = await deps.db.transaction().execute((trx) => removeRetiring(trx, model, person.slackId, now));
      if (!isDone) return reply.add(plainMessage('It was removed before.'));
      await reply.show(await listMessage(deps, person, markup`✅ Removed: \`${model}\`.`));
    }),
    changeAction(ACTIONS.resume, 'member', async ({ person, reply }) => {
      await resumeFor(deps.db, person.slackId);
      await reply.show(await listMessage(deps, person, markup`✅ You’ll be told again.`));
    }),
  ];
}
