import { AMOUNT_RULE, formatAmount, readAmount } from '../../../base/amounts.ts';
import { isDay } from '../../../base/calendar.ts';
import { markup, type Markup } from '../../../base/markup.ts';
import { context, section, type Block } from '../../../slack/blocks/blocks.ts';
import {
  channelInput,
  checkboxesInput,
  radioInput,
  selectInput,
  textInput,
  usersInput,
} from '../../../slack/blocks/inputs.ts';
import { modal, type FormState, type ModalView } from '../../../slack/blocks/views.ts';
import type { Team } from '../../../slack/people/directory.ts';
import {
  DEFAULT_THRESHOLDS,
  MAX_OWN_DAYS,
  MAX_PERCENT,
  MAX_THRESHOLDS,
  type Budget,
  type BudgetSubject,
  type PeriodRule,
  type Price,
} from '../core/budget.ts';
import type { BudgetTerms } from '../core/store.ts';
import { NOT_A_STOP } from '../core/words.ts';

export const NEW_FORM = 'budget_new_form';
export const NEW_TITLE = 'New budget';
export const EDIT_FORM = 'budget_edit_form';
export const EDIT_TITLE = 'Change budget';

const MAX_TEAMS = 70;
const MAX_MODELS = 25;
const MAX_PEOPLE = 100;
const MAX_NAME_LENGTH = 60;
/** With `model:` before it, what the value of an option holds. */
const MAX_MODEL_LENGTH = 69;

/** What the form offers. */
export interface FormFacts {
  teams: readonly Team[];
  /** Those that were used lately, most used first. */
  models: readonly string[];
}

/** What was typed; also what the form is shown with again. */
export interface Typed {
  name: string;
  credits: string;
  /** `organization`, `people`, `model:…`, or the id of a user group. */
  whose: string;
  people: readonly string[];
  /** `week`, `month`, `quarter`, `year` or `own`. */
  period: string;
  own: string;
  actual: string;
  forecast: string;
  where: 'channel' | 'me';
  channel: string | undefined;
  namesPeople: boolean;
  price: string;
}

/** The first form: for this channel, of the whole organization, each month. */
export function firstDraft(channel: string): Typed {
  const isChannel = /^[CG]/.test(channel);
  return {
    name: '',
    credits: '',
    whose: 'organization',
    people: [],
    period: 'month',
    own: '',
    actual: DEFAULT_THRESHOLDS.actual.join(', '),
    forecast: DEFAULT_THRESHOLDS.forecast.join(', '),
    where: isChannel ? 'channel' : 'me',
    channel: isChannel ? channel : undefined,
    namesPeople: false,
    price: '',
  };
}

/** The form of a budget as it is. */
export function draftOf({ name, credits, thresholds, namesPeople, price }: BudgetTerms): Typed {
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

/** @param problem why it is shown again */
export function newView(facts: FormFacts, draft: Typed, problem?: string): ModalView {
  return modal({
    title: NEW_TITLE,
    submit: 'Set up',
    callbackId: NEW_FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      creditsInput(draft),
      ...subjectInputs(facts, draft),
      ...periodInputs(draft),
      ...thresholdInputs(draft),
      ...placeInputs(draft),
      ...detailInputs(draft),
      context(markup`${NOT_A_STOP}`),
    ],
  });
}

/** @param about what stays as it is, and is no field */
export function editView(about: Markup, metadata: string, draft: Typed): ModalView {
  const blocks = [context(about), creditsInput(draft), ...thresholdInputs(draft), ...detailInputs(draft)];
  return modal({ title: EDIT_TITLE, submit: 'Save', callbackId: EDIT_FORM, metadata, blocks });
}

const creditsInput = ({ credits }: Typed): Block =>
  textInput({ id: 'credits', label: 'How many credits?', placeholder: '5m', longest: 30, initial: credits });

function subjectInputs({ teams, models }: FormFacts, { whose, people }: Typed): Block[] {
  return [
    selectInput({
      id: 'whose',
      label: 'Whose credits?',
      options: [
        { value: 'organization', text: 'The whole organization' },
        { value: 'people', text: 'People whom I choose below' },
        ...teams.slice(0, MAX_TEAMS).map(({ id, handle }) => ({ value: id, text: `@${handle}` })),
        ...models
          .filter((model) => model.length > 0 && model.length <= MAX_MODEL_LENGTH)
          .slice(0, MAX_MODELS)
          .map((model) => ({ value: `model:${model}`, text: `Model ${model}` })),
      ],
      initial: whose,
    }),
    usersInput({ id: 'people', label: 'People', isOptional: true, initial: people }),
  ];
}

function periodInputs({ period, own }: Typed): Block[] {
  return [
    selectInput({
      id: 'period',
      label: 'For how long?',
      options: [
        { value: 'week', text: 'Each week, from Monday' },
        { value: 'month', text: 'Each month' },
        { value: 'quarter', text: 'Each quarter' },
        { value: 'year', text: 'Each year' },
        { value: 'own', text: 'Days of my own, as below' },
      ],
      initial: period,
    }),
    textInput({
      id: 'own',
      label: 'Days of my own',
      hint: 'The first day, and how many days until the next stretch begins.',
      placeholder: '2026-11-16 for 28 days',
      isOptional: true,
      longest: 40,
      initial: own,
    }),
  ];
}

function thresholdInputs({ actual, forecast }: Typed): Block[] {
  return [
    textInput({
      id: 'actual',
      label: 'Warn when so many percent are used',
      longest: 100,
      isOptional: true,
      initial: actual,
    }),
    textInput({
      id: 'forecast',
      label: 'Warn when it is on track for so many percent',
      longest: 100,
      isOptional: true,
      initial: forecast,
    }),
  ];
}

function placeInputs({ where, channel }: Typed): Block[] {
  return [
    radioInput({
      id: 'where',
      label: 'Where do warnings go?',
      options: [
        { value: 'channel', text: 'To a channel' },
        { value: 'me', text: 'To me, by direct message' },
      ],
      initial: where,
    }),
    channelInput({
      id: 'channel',
      label: 'Channel',
      hint: 'Quartermaster joins public channels by itself. In a private one, type /invite @Quartermaster first.',
      isOptional: true,
      initial: channel,
    }),
  ];
}

const NAMES = {
  value: 'names',
  text: 'Name who used most',
  description: 'Everybody who sees the warning reads the names.',
};

function detailInputs({ namesPeople, price, name }: Typed): Block[] {
  return [
    checkboxesInput({
      id: 'names',
      label: 'Names in warnings',
      isOptional: true,
      options: [NAMES],
      initial: namesPeople ? [NAMES.value] : [],
    }),
    textInput({
      id: 'price',
      label: 'Price of a million credits',
      hint: 'Your own; the platform tells none.',
      placeholder: '12.50 EUR',
      isOptional: true,
      longest: 30,
      initial: price,
    }),
    textInput({ id: 'name', label: 'Name', isOptional: true, longest: MAX_NAME_LENGTH, initial: name }),
  ];
}

export function readTyped(state: FormState): Typed {
  return {
    name: state.text('name').slice(0, MAX_NAME_LENGTH),
    credits: state.text('credits'),
    whose: state.option('whose') ?? '',
    people: state.users('people'),
    period: state.option('period') ?? '',
    own: state.text('own'),
    actual: state.text('actual'),
    forecast: state.text('forecast'),
    where: state.option('where') === 'me' ? 'me' : 'channel',
    channel: state.conversation('channel'),
    namesPeople: state.options('names').includes(NAMES.value),
    price: state.text('price'),
  };
}

export type Errors = Record<string, string>;

/** What both forms have. Pure. */
export function readTerms(typed: Typed): { terms: BudgetTerms; errors: Errors } {
  const credits = readAmount(typed.credits);
  const [actual, forecast] = [readPercents(typed.actual), readPercents(typed.forecast)];
  const price = readPrice(typed.price);
  const percentRule = `Type up to ${MAX_THRESHOLDS} whole numbers from 1 to ${MAX_PERCENT}, such as 50, 80, 100.`;
  const hasNone = actual?.length === 0 && forecast?.length === 0;
  const errors: Errors = {
    ...(credits === undefined || credits === 0 ? { credits: credits === 0 ? 'Type more than 0.' : AMOUNT_RULE } : {}),
    ...(actual ? {} : { actual: percentRule }),
    ...(forecast ? {} : { forecast: percentRule }),
    ...(hasNone ? { actual: 'Type at least one percentage here or below; without one, nobody is warned.' } : {}),
    ...(price === 'wrong' ? { price: 'Type a number and a currency, such as 12.50 EUR.' } : {}),
  };
  const terms: BudgetTerms = {
    name: typed.name === '' ? undefined : typed.name,
    credits: credits ?? 0,
    thresholds: { actual: actual ?? [], forecast: forecast ?? [] },
    price: price === 'wrong' ? undefined : price,
    namesPeople: typed.namesPeople,
  };
  return { terms, errors };
}

/** @example readPercents('50, 80 100%') // [50, 80, 100] */
export function readPercents(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const numbers = words.map((word) => (/^\d{1,4}%?$/.test(word) ? Number.parseInt(word, 10) : 0));
  const isRight = numbers.every((number) => number >= 1 && number <= MAX_PERCENT) && numbers.length <= MAX_THRESHOLDS;
  return isRight ? [...new Set(numbers)].toSorted((a, b) => a - b) : undefined;
}

/** @example readPrice('12,50 EUR') // { perMillion: 12.5, currency: 'EUR' } */
export function readPrice(text: string): Price | undefined | 'wrong' {
  if (text === '') return undefined;
  const [, before = '', number = '', after = ''] =
    /^([A-Z]{3}|[€$£¥])? ?(\d{1,9}(?:[.,]\d{1,6})?) ?([A-Z]{3}|[€$£¥])?$/.exec(text) ?? [];
  const perMillion = Number(number.replace(',', '.'));
  const isRight = perMillion > 0 && (before === '' || after === '');
  return isRight ? { perMillion, currency: before + after } : 'wrong';
}

/** What only the form of a new budget has. Pure. */
export function readScope(
  typed: Typed,
  teams: readonly Team[],
): { scope: Pick<Budget, 'period' | 'subject'> | undefined; errors: Errors } {
  const subject = readSubject(typed, teams);
  const period = readPeriodRule(typed);
  const chosePeople = typed.people.length > 0;
  const errors: Errors = {
    ...(subject ? {} : { whose: 'Choose whose credits it counts.' }),
    ...(typed.whose === 'people' && !chosePeople ? { people: 'Choose at least one person.' } : {}),
    ...(typed.people.length > MAX_PEOPLE
      ? { people: `Choose at most ${MAX_PEOPLE} people; for more, make a user group.` }
      : {}),
    ...(typed.whose !== 'people' && chosePeople
      ? { people: 'You chose people, but not “People whom I choose below”. Clear one or change the other.' }
      : {}),
    ...(period ? {} : { own: `Type the first day and up to ${MAX_OWN_DAYS} days, such as 2026-11-16 for 28 days.` }),
    ...(typed.where === 'channel' && !/^[CG]\w+$/.test(typed.channel ?? '')
      ? { channel: 'Choose a channel, or have it sent to you.' }
      : {}),
  };
  return { scope: subject && period ? { subject, period } : undefined, errors };
}

function readSubject({ whose, people }: Typed, teams: readonly Team[]): BudgetSubject | undefined {
  if (whose === 'organization') return { kind: 'organization' };
  if (whose === 'people') return people.length > 0 ? { kind: 'people', ids: [...people] } : undefined;
  if (whose.startsWith('model:')) return { kind: 'model', name: whose.slice('model:'.length) };
  const team = teams.find(({ id }) => id === whose);
  return team && { kind: 'team', id: team.id, handle: team.handle };
}

function readPeriodRule({ period, own }: Typed): PeriodRule | undefined {
  if (period === 'week' || period === 'month' || period === 'quarter' || period === 'year') return { unit: period };
  const [, first = '', count] = /^(\d{4}-\d{2}-\d{2})(?: for)? (\d{1,3})(?: days?)?$/.exec(own) ?? [];
  const days = Number(count);
  return isDay(first) && days >= 1 && days <= MAX_OWN_DAYS ? { first, days } : undefined;
}
