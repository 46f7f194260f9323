import { formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { periodName, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { dayOf, type Day } from '../../../core/base/time/calendar.ts';
import { own, plainLines, markup } from '../../../core/base/text/markup.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { actions, button, context, section, type Button } from '../../../core/slack/blocks/blocks.ts';
import {
  defineForm,
  radioField,
  selectField,
  textField,
  type FormValues,
} from '../../../core/slack/interactions/form-fields.ts';
import { modal, type FormState, type ModalView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { formHandler, errorsOf, formReading } from '../../../core/slack/interactions/forms.ts';
import { modalActions } from '../../../core/slack/interactions/click-actions.ts';
import type { Click, ClickAction, Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { existingLimit, type ExistingLimit } from '../../../core/figures/known-limit.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { audit } from '../../../core/store/audit.ts';
import { MAX_PERCENT, MAX_THRESHOLDS, ruleOf, whyNotEvaluated, type HeadsUp } from '../budgets/core/budget.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';
import {
  changePause,
  findHeadsUp,
  headsUpId,
  putBudget,
  removeBudget,
  type StoredHeadsUp,
} from '../budgets/core/budget-store.ts';
import { usedWords } from '../budgets/core/words.ts';
import { evaluateAndRead } from '../budgets/evaluate/budget-status.ts';
import { limitNote, NO_EMAIL } from '../../../core/figures/measures/sentences.ts';
import { alreadyReachedWords } from '../budgets/manage/budget-list.ts';
import { readPercents } from '../budgets/manage/read-form.ts';
import { nameOfLimit } from './follow-limits.ts';
import { askForLimitPeriod, readLimitPeriod } from '../../../core/figures/limit-period.ts';

export const NOTIFY_TITLE = 'Warn me';
export const NOTIFY_ACTION = 'usage_notify';
const STOP_ACTION = 'usage_notify_stop';
const WARN_PERCENT = 80;
const WARN_VALUE = String(WARN_PERCENT);
/** The choice that shows other fields. */
const CHOICE_ACTION = 'usage_notify_of';
const NOTIFY_FORM = 'usage_notify_form';
const THRESHOLDS = [50, 75, 95];

export const entryOf = ({ slackId }: Pick<Person, 'slackId'>) => ({ about: `heads-up:${slackId}`, actor: slackId });

interface NotifyFacts {
  knownLimit: ExistingLimit | undefined;
  limitPeriod: LimitPeriod | undefined;
  today: Day;
  current: StoredHeadsUp | undefined;
}

async function readFacts(deps: BudgetDeps, person: Person): Promise<NotifyFacts> {
  const [knownLimit, limitPeriod, current] = await Promise.all([
    person.email === undefined ? undefined : deps.limits.limitOf(person.email),
    readLimitPeriod(deps),
    findHeadsUp(deps.db, person),
  ]);
  const known = existingLimit(knownLimit);
  return { knownLimit: known, limitPeriod, today: dayOf(deps.clock.now()), current };
}

/** @param percent a threshold that the form adds to those of the person */
export async function showNotifyForm(
  deps: BudgetDeps,
  { person }: Interaction,
  opened: OpenModal,
  percent?: number,
): Promise<void> {
  if (person.email === undefined) return opened.show(sentenceModal(`${NO_EMAIL} Add one to your Slack profile.`));
  const facts = await readFacts(deps, person);
  if (facts.knownLimit && !facts.limitPeriod)
    await deps.db.transaction().execute((trx) => askForLimitPeriod(trx, deps, deps.clock.now()));
  await opened.show(formView(facts, undefined, percent));
}

/** @param isCounted whether the limit of the person and its period are known */
export async function readWarnButton(
  deps: Pick<BudgetDeps, 'db'>,
  person: Pick<Person, 'slackId'>,
  isCounted: boolean,
): Promise<Button> {
  const current = await findHeadsUp(deps.db, person);
  if (current) return button({ text: 'Edit my warning', actionId: NOTIFY_ACTION });
  if (!isCounted) return button({ text: NOTIFY_TITLE, actionId: NOTIFY_ACTION });
  return button({ text: 'Warn me at 80%', actionId: NOTIFY_ACTION, value: WARN_VALUE });
}

/** Shows the form again with the fields that the choice needs. */
async function showChosenFields(deps: BudgetDeps, { person, form }: Click, opened: OpenModal): Promise<void> {
  await opened.show(formView(await readFacts(deps, person), notifyFields.read(form.state, { period: 'month' })));
}

const sentenceModal = (...lines: readonly (string | undefined)[]): ModalView =>
  modal({ title: NOTIFY_TITLE, blocks: [section(plainLines(...lines))] });

const notifyFields = defineForm<NotifyFacts>()(
  {
    of: radioField(({ knownLimit, limitPeriod, today }) => ({
      label: 'Warn me before I reach',
      actionId: CHOICE_ACTION,
      options: [
        ...(knownLimit && limitPeriod
          ? [
              {
                value: 'limit',
                text: `My credit limit: ${formatCompact(knownLimit.value)} each ${periodName(limitPeriod)}${limitNote(knownLimit, today)}`,
              },
            ]
          : []),
        { value: 'own', text: 'Another amount' },
      ],
      below: knownLimit && limitPeriod ? [] : [context(markup`${own(unknownLimitWords(knownLimit, today))}`)],
    })),
    amount: textField(() => ({ label: 'Amount of credits', longest: 30, placeholder: '5m' })),
    period: selectField(() => ({
      label: 'Per',
      options: [
        { value: 'week', text: 'Week, from Monday' },
        { value: 'month', text: 'Month' },
      ],
    })),
    percents: textField(() => ({ label: 'Warn me at (%)', longest: 100 })),
  },
  { amount: (_facts, { of }) => of === 'own', period: (_facts, { of }) => of === 'own' },
);

function formView(facts: NotifyFacts, typed?: FormValues<typeof notifyFields>, percent?: number): ModalView {
  const { knownLimit, limitPeriod, current } = facts;
  const thresholds = current?.thresholds.actual ?? (percent === undefined ? THRESHOLDS : []);
  const percents = percent === undefined ? thresholds : [...new Set([...thresholds, percent])];
  const isLimitKnown = knownLimit !== undefined && limitPeriod !== undefined;
  const values = {
    of: isLimitKnown && (current?.followsLimit ?? true) ? 'limit' : 'own',
    amount: current && !current.followsLimit ? formatAmount(current.credits) : '',
    period: current?.period.unit === 'week' ? 'week' : 'month',
    percents: percents.toSorted((a, b) => a - b).join(', '),
  };
  return modal({
    title: NOTIFY_TITLE,
    submit: 'Save',
    callbackId: NOTIFY_FORM,
    blocks: [
      section(markup`Get a direct message in your morning before your credits run out. Only you see it.`),
      ...(current?.state === 'paused' ? [section(markup`⏸️ *Paused.* Saving resumes it.`)] : []),
      ...(current ? [actions(stopButton())] : []),
      ...notifyFields.blocks(facts, typed ?? values),
    ],
  });
}

function unknownLimitWords(knownLimit: NotifyFacts['knownLimit'], today: Day): string {
  return knownLimit
    ? `Your limit is ${formatCompact(knownLimit.value)}${limitNote(knownLimit, today)}, but the platform doesn’t say whether it is weekly or monthly. The admins have been asked.`
    : 'Your limit isn’t known here. An admin can declare it with /limits declare.';
}

export const stopButton = () => button({ text: 'Turn off', actionId: STOP_ACTION, style: 'danger' });

function readFormValues(state: FormState) {
  const { of, amount, period, percents } = notifyFields.read(state);
  const { amount: credits, problem: creditsProblem } = readAmount(amount);
  return {
    followsLimit: of === 'limit',
    credits,
    creditsProblem,
    unit: period === 'week' ? ('week' as const) : ('month' as const),
    percents: readPercents(percents),
  };
}
type HeadsUpValues = ReturnType<typeof readFormValues>;

export const notifyForm = (deps: BudgetDeps): Form =>
  formHandler(NOTIFY_FORM, 'member', (state) => {
    const values = readFormValues(state);
    const percentRule = `Type up to ${MAX_THRESHOLDS} whole numbers from 1 to ${MAX_PERCENT}, such as 50, 75, 95.`;
    const errors = errorsOf([
      [values.followsLimit ? undefined : values.creditsProblem, 'amount'],
      [!values.followsLimit && values.credits === 0, 'amount', 'Type more than 0.'],
      [!values.percents?.length, 'percents', percentRule],
    ]);
    return formReading(errors, 'Saving …', (by, opened) => save(deps, values, by.person, opened));
  });

async function save(deps: BudgetDeps, values: HeadsUpValues, person: Person, opened: OpenModal): Promise<void> {
  const { knownLimit, limitPeriod } = await readFacts(deps, person);
  const credits = values.followsLimit ? knownLimit?.value : values.credits;
  const period = values.followsLimit ? limitPeriod : values.unit;
  if (credits === undefined || period === undefined)
    return opened.show(sentenceModal('Your limit isn’t known here, so nothing was saved. Type an amount.'));
  const headsUp: HeadsUp = {
    id: headsUpId(person),
    kind: 'heads_up',
    subject: { kind: 'people', ids: [person.slackId] },
    channel: person.slackId,
    followsLimit: values.followsLimit,
    name: values.followsLimit && knownLimit ? nameOfLimit(knownLimit) : 'Your credits',
    credits,
    period: ruleOf(period),
    thresholds: { actual: values.percents ?? [], forecast: [] },
  };
  const notCounted = whyNotEvaluated(headsUp, deps.config.retentionDays.people);
  if (notCounted !== undefined)
    return opened.show(sentenceModal(`${notCounted} Nothing was saved. Type an amount for a week or a month.`));
  await put(deps, headsUp, person);
  const stored = await findHeadsUp(deps.db, person);
  if (!stored) throw new Error('A heads-up was not stored');
  const figures = await evaluateAndRead(deps, stored, { seesPeople: true });
  await opened.show(
    sentenceModal(
      `✅ Saved. You get a direct message at ${(values.percents ?? []).map((percent) => `${percent}%`).join(', ')} of ${formatCompact(credits)} credits each ${periodName(period)}, in your morning, each once.`,
      figures && usedWords(figures),
      figures && alreadyReachedWords(stored, figures),
    ),
  );
}

async function put({ db, clock }: BudgetDeps, headsUp: HeadsUp, person: Person): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    await putBudget(trx, headsUp, person.slackId, now);
    await changePause(trx, headsUp, { change: 'resume', by: person.slackId }, now);
    const detail = `${headsUp.credits} credits`;
    await audit(trx, { ...entryOf(person), action: 'turned heads-ups on', detail }, now);
  });
}

export const notifyActions = (deps: BudgetDeps): ClickAction[] =>
  modalActions(deps, 'member', NOTIFY_TITLE, {
    [NOTIFY_ACTION]: (_deps, click, opened) =>
      showNotifyForm(deps, click, opened, click.value === WARN_VALUE ? WARN_PERCENT : undefined),
    [CHOICE_ACTION]: showChosenFields,
    [STOP_ACTION]: async (_deps, { person }, opened) => opened.show(sentenceModal(await turnOff(deps, person))),
  });

/** Turns off the heads-ups of the person who clicked: the value of the click is ignored. */
async function turnOff({ db, clock }: BudgetDeps, person: Person): Promise<string> {
  const now = clock.now();
  const isDone = await db.transaction().execute(async (trx) => {
    if (!(await removeBudget(trx, headsUpId(person), person.slackId, now))) return false;
    await audit(trx, { ...entryOf(person), action: 'turned heads-ups off' }, now);
    return true;
  });
  return isDone
    ? '✅ Credit warnings are off. Type /usage notify to turn them on again.'
    : 'Credit warnings are already off.';
}
