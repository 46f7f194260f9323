import { z } from 'zod';
import { formatAmount } from '../../../base/text/amounts.ts';
import { markup, type Markup } from '../../../base/text/markup.ts';
import { context, section, type Block } from '../../../slack/blocks/blocks.ts';
import { checkboxesInput, selectInput, textInput, usersInput } from '../../../slack/blocks/inputs.ts';
import { modal, type FormState, type ModalView } from '../../../slack/blocks/views.ts';
import type { Team } from '../../../slack/people/directory.ts';
import {
  destinationInputs,
  destinationOf,
  destinationSchema,
  keptPeopleSchema,
  readDestination,
} from '../../../slack/destination-form.ts';
import { DEFAULT_THRESHOLDS } from '../core/budget.ts';
import type { BudgetTerms } from '../core/budget-store.ts';
import { NOT_A_STOP } from '../core/words.ts';

export const NEW_FORM = 'budget_new_form';
export const NEW_TITLE = 'New budget';
export const SUBJECT_ACTION = 'budget_subject';
export const EDIT_FORM = 'budget_edit_form';
export const EDIT_TITLE = 'Edit budget';

const MAX_TEAMS = 70;
const MAX_MODELS = 25;
const MAX_NAME_LENGTH = 60;
/** The value of an option holds at most 75 characters, of which `model:` takes six. */
const MAX_MODEL_LENGTH = 69;

export interface FormFacts {
  teams: readonly Team[];
  /** The models used recently, most used first. */
  models: readonly string[];
  /** Whether the user may count and name single people. */
  canShowPeople: boolean;
  /** A warning about the chosen user group, before the form is submitted. */
  aboutTeam?: string | undefined;
}

/** The values of the form as typed. */
export type FormValues = ReturnType<typeof readFormValues>;

const typedText = z.string().max(200);

/** The values that the *Continue* button carries. */
const draftSchema = z.object({
  ...destinationSchema.shape,
  name: typedText,
  credits: typedText,
  whose: typedText,
  people: keptPeopleSchema,
  period: typedText,
  own: typedText,
  actual: typedText,
  forecast: typedText,
  namesPeople: z.boolean(),
  price: typedText,
}) satisfies z.ZodType<FormValues>;

export const readDraft = (json: string): FormValues => draftSchema.parse(JSON.parse(json));

/** The initial values: this channel, the whole organization, each month. */
export function firstDraft(channel: string): FormValues {
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
    namesPeople: false,
    price: '',
  };
}

export function draftOf({ name, credits, thresholds, namesPeople, price }: BudgetTerms): FormValues {
  return {
    ...firstDraft(''),
    name: name ?? '',
    credits: formatAmount(credits),
    actual: thresholds.actual.join(', '),
    forecast: thresholds.forecast.join(', '),
    namesPeople,
    price: price ? `${price.perMillion} ${price.currency}`.trim() : '',
  };
}

/** @param problem why the form is shown again */
export function newView(facts: FormFacts, draft: FormValues, problem?: string | Markup): ModalView {
  return modal({
    title: NEW_TITLE,
    submit: 'Create',
    callbackId: NEW_FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      creditsInput(draft),
      ...subjectInputs(facts, draft),
      ...periodInputs(draft),
      ...thresholdInputs(draft),
      ...destinationInputs('Where do warnings go?', draft),
      ...detailInputs(draft, facts.canShowPeople),
      context(markup`${NOT_A_STOP}`),
    ],
  });
}

/** @param about the terms that cannot be changed, and so have no field */
export function editView(about: Markup, metadata: string, draft: FormValues, canShowPeople: boolean): ModalView {
  const details = detailInputs(draft, canShowPeople);
  const blocks = [context(about), creditsInput(draft), ...thresholdInputs(draft), ...details];
  return modal({ title: EDIT_TITLE, submit: 'Save', callbackId: EDIT_FORM, metadata, blocks });
}

const creditsInput = ({ credits }: FormValues): Block =>
  textInput({ id: 'credits', label: 'How many credits?', placeholder: '5m', longest: 30, initial: credits });

function subjectInputs({ teams, models, canShowPeople, aboutTeam }: FormFacts, { whose, people }: FormValues): Block[] {
  return [
    selectInput({
      id: 'whose',
      actionId: SUBJECT_ACTION,
      label: 'Whose credits?',
      options: [
        { value: 'organization', text: 'The whole organization' },
        ...(canShowPeople ? [{ value: 'people', text: 'People I choose below' }] : []),
        ...teams.slice(0, MAX_TEAMS).map(({ id, handle }) => ({ value: id, text: `@${handle}` })),
        ...models
          .filter((model) => model.length > 0 && model.length <= MAX_MODEL_LENGTH)
          .slice(0, MAX_MODELS)
          .map((model) => ({ value: `model:${model}`, text: `Model ${model}` })),
      ],
      initial: whose,
    }),
    ...(aboutTeam === undefined ? [] : [context(markup`⚠️ ${aboutTeam}`)]),
    ...(canShowPeople ? [usersInput({ id: 'people', label: 'People', isOptional: true, initial: people })] : []),
  ];
}

function periodInputs({ period, own }: FormValues): Block[] {
  return [
    selectInput({
      id: 'period',
      label: 'For how long?',
      options: [
        { value: 'week', text: 'Each week, from Monday' },
        { value: 'month', text: 'Each month' },
        { value: 'quarter', text: 'Each quarter' },
        { value: 'year', text: 'Each year' },
        { value: 'own', text: 'Other days, as typed below' },
      ],
      initial: period,
    }),
    textInput({
      id: 'own',
      label: 'Other days',
      hint: 'First day and length, such as 2026-11-16 for 28 days.',
      placeholder: '2026-11-16 for 28 days',
      isOptional: true,
      longest: 40,
      initial: own,
    }),
  ];
}

function thresholdInputs({ actual, forecast }: FormValues): Block[] {
  return [
    textInput({
      id: 'actual',
      label: 'Warn at (% used)',
      longest: 100,
      isOptional: true,
      initial: actual,
    }),
    textInput({
      id: 'forecast',
      label: 'Warn when the forecast reaches (%)',
      longest: 100,
      isOptional: true,
      initial: forecast,
    }),
  ];
}

const NAMES = {
  value: 'names',
  text: 'Name who used most',
  description: 'Everybody who sees the warning reads the names.',
};

function detailInputs({ namesPeople, price, name }: FormValues, canShowPeople: boolean): Block[] {
  const names = checkboxesInput({
    id: 'names',
    label: 'Names in warnings',
    isOptional: true,
    options: [NAMES],
    initial: namesPeople ? [NAMES.value] : [],
  });
  return [
    ...(canShowPeople ? [names] : []),
    textInput({
      id: 'price',
      label: 'Price of a million credits',
      hint: 'What you pay for a million credits. The platform doesn’t publish a price.',
      placeholder: '12.50 EUR',
      isOptional: true,
      longest: 30,
      initial: price,
    }),
    textInput({ id: 'name', label: 'Name', isOptional: true, longest: MAX_NAME_LENGTH, initial: name }),
  ];
}

export function readFormValues(state: FormState) {
  return {
    name: state.text('name').slice(0, MAX_NAME_LENGTH),
    credits: state.text('credits'),
    /** `organization`, `people`, `model:…`, or the id of a user group. */
    whose: state.option('whose') ?? '',
    people: state.users('people'),
    /** `week`, `month`, `quarter`, `year` or `own`. */
    period: state.option('period') ?? '',
    own: state.text('own'),
    actual: state.text('actual'),
    forecast: state.text('forecast'),
    ...readDestination(state),
    namesPeople: state.options('names').includes(NAMES.value),
    price: state.text('price'),
  };
}
