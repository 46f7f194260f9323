import { teamOptions, type OfferedTeam } from '../../../../core/figures/groups/chosen-teams.ts';
import { formatAmount } from '../../../../core/base/text/amounts.ts';
import { type Price, formatCompact, formatPrice } from '../../../../core/base/text/numbers.ts';
import { markup, type Markup } from '../../../../core/base/text/markup.ts';
import { context, section } from '../../../../core/slack/blocks/blocks.ts';
import { modal, type FormState, type ModalView } from '../../../../core/slack/blocks/views.ts';
import {
  asksForWhere,
  destinationFields,
  destinationOf,
  isForChannel,
} from '../../../../core/slack/interactions/destination-form.ts';
import {
  checkField,
  defineForm,
  moreOptions,
  selectField,
  textField,
  usersField,
  type FormValues,
} from '../../../../core/slack/interactions/form-fields.ts';
import { DEFAULT_THRESHOLDS } from '../core/budget.ts';
import type { BudgetTerms } from '../core/budget-store.ts';
import { NOT_A_STOP } from '../core/words.ts';

export const NEW_FORM = 'budget_new_form';
export const NEW_TITLE = 'New budget';
/** The choices that show other fields, and *More options*. */
export const SHOW_FIELDS_ACTION = 'budget_subject';
export const EDIT_FORM = 'budget_edit_form';
export const EDIT_TITLE = 'Edit budget';

const MAX_TEAMS = 70;
const MAX_MODELS = 25;
const MAX_NAME_LENGTH = 60;
/** The value of an option holds at most 75 characters, of which `model:` takes six. */
const MAX_MODEL_LENGTH = 69;

export interface FormFacts {
  teams: readonly OfferedTeam[];
  /** The models used recently, most used first. */
  models: readonly string[];
  /** Whether the user may count and name single people. */
  canShowPeople: boolean;
  /** A warning about the chosen user group, before the form is submitted. */
  aboutTeam?: string | undefined;
  /** The credits used last month by the chosen organization or model. */
  lastMonth?: number | undefined;
  /** Whether the less common fields are shown. */
  showsAllFields?: boolean;
  /** The price that admins set, which the price of a budget replaces. */
  price?: Price | undefined;
}

const NAMES = {
  value: 'names',
  text: 'Name who used most',
  description: 'Everybody who sees the warning reads the names.',
};

export const budgetForm = defineForm<FormFacts>()(
  {
    credits: textField(({ lastMonth }) => ({
      label: 'How many credits?',
      hint: lastMonth === undefined ? undefined : `Last month: ${formatCompact(lastMonth)}`,
      placeholder: '5m',
      longest: 30,
    })),
    /** `organization`, `people`, `model:…`, or the id of a user group. */
    whose: selectField(({ teams, models, canShowPeople, aboutTeam }) => ({
      actionId: SHOW_FIELDS_ACTION,
      label: 'Whose credits?',
      options: [
        { value: 'organization', text: 'The whole organization' },
        ...(canShowPeople ? [{ value: 'people', text: 'People I choose' }] : []),
        ...teamOptions(teams, MAX_TEAMS),
        ...models
          .filter((model) => model.length > 0 && model.length <= MAX_MODEL_LENGTH)
          .slice(0, MAX_MODELS)
          .map((model) => ({ value: `model:${model}`, text: `Model ${model}` })),
      ],
      below: aboutTeam === undefined ? [] : [context(markup`⚠️ ${aboutTeam}`)],
    })),
    people: usersField(() => ({ label: 'People', isOptional: true })),
    /** `week`, `month`, `quarter`, `year` or `own`. */
    period: selectField(() => ({
      label: 'For how long?',
      actionId: SHOW_FIELDS_ACTION,
      options: [
        { value: 'week', text: 'Each week, from Monday' },
        { value: 'month', text: 'Each month' },
        { value: 'quarter', text: 'Each quarter' },
        { value: 'year', text: 'Each year' },
        { value: 'own', text: 'Other days' },
      ],
    })),
    own: textField(() => ({
      label: 'Other days',
      hint: 'First day and length, such as 2026-11-16 for 28 days.',
      placeholder: '2026-11-16 for 28 days',
      isOptional: true,
      longest: 40,
    })),
    ...destinationFields('Where do warnings go?', SHOW_FIELDS_ACTION),
    actual: textField(() => ({ label: 'Warn at (% used)', longest: 100, isOptional: true })),
    forecast: textField(() => ({ label: 'Warn when the forecast reaches (%)', longest: 100, isOptional: true })),
    names: checkField(() => ({ label: 'Names in warnings', option: NAMES })),
    price: textField(({ price }) => ({
      label: 'Price of a million credits',
      hint: price
        ? `For this budget alone, instead of the ${formatPrice(price)} that admins set. Leave empty to use that.`
        : 'What you pay for a million credits. The platform doesn’t publish a price.',
      placeholder: '12.50 EUR',
      isOptional: true,
      longest: 30,
    })),
    name: textField(() => ({ label: 'Name', isOptional: true, longest: MAX_NAME_LENGTH })),
  },
  {
    people: ({ canShowPeople }, { whose }) => canShowPeople && whose === 'people',
    own: (_facts, { period }) => period === 'own',
    where: asksForWhere,
    channel: isForChannel,
    names: ({ canShowPeople }) => canShowPeople,
  },
);
export type BudgetFormValues = FormValues<typeof budgetForm>;

const COMMON_FIELDS = ['credits', 'whose', 'people', 'period', 'own', 'where', 'channel'] as const;
const TERMS_FIELDS = ['credits', 'actual', 'forecast', 'names', 'price', 'name'] as const;

/** The values of a submission; fields under *More options* that were not shown keep their defaults. */
export const readBudgetForm = (state: FormState): BudgetFormValues =>
  // Only a form for a channel hides where the warnings go.
  budgetForm.read(state, { ...firstDraft(''), where: 'channel' });

/** The initial values: this channel, the whole organization, each month. */
export function firstDraft(channel: string): BudgetFormValues {
  return {
    name: '',
    credits: '',
    whose: 'organization',
    people: [],
    period: 'month',
    own: '',
    actual: DEFAULT_THRESHOLDS.actual.join(', '),
    forecast: DEFAULT_THRESHOLDS.forecast.join(', '),
    ...destinationOf(channel),
    names: false,
    price: '',
  };
}

export function draftOf({ name, credits, thresholds, namesPeople, price }: BudgetTerms): BudgetFormValues {
  return {
    ...firstDraft(''),
    name: name ?? '',
    credits: formatAmount(credits),
    actual: thresholds.actual.join(', '),
    forecast: thresholds.forecast.join(', '),
    names: namesPeople,
    price: price ? `${price.perMillion} ${price.currency}`.trim() : '',
  };
}

/** @param problem why the form is shown again @param metadata comes back with the submission */
export function newView(
  facts: FormFacts,
  draft: BudgetFormValues,
  problem?: string | Markup,
  metadata?: string,
): ModalView {
  return modal({
    title: NEW_TITLE,
    submit: 'Create',
    callbackId: NEW_FORM,
    ...(metadata === undefined ? {} : { metadata }),
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      ...budgetForm.blocks(facts, draft, facts.showsAllFields ? undefined : COMMON_FIELDS),
      ...(facts.showsAllFields ? [] : [moreOptions(SHOW_FIELDS_ACTION)]),
      context(markup`${NOT_A_STOP}`),
    ],
  });
}

/** @param about the terms that cannot be changed, and so have no field */
export function editView(
  about: Markup,
  metadata: string,
  draft: BudgetFormValues,
  { canShowPeople, price }: Pick<FormFacts, 'canShowPeople' | 'price'>,
): ModalView {
  const facts = { teams: [], models: [], canShowPeople, price };
  const fields = budgetForm.blocks(facts, draft, TERMS_FIELDS);
  const blocks = [context(about), ...fields];
  return modal({ title: EDIT_TITLE, submit: 'Save', callbackId: EDIT_FORM, metadata, blocks });
}
