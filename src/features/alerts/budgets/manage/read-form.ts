import { readAmount } from '../../../../core/base/text/amounts.ts';
import { splitPrice } from '../../../../core/base/text/numbers.ts';
import { isDay } from '../../../../core/base/time/calendar.ts';
import { errorsOf, type FormErrors } from '../../../../core/slack/interactions/forms.ts';
import { destinationRule } from '../../../../core/slack/interactions/destination-form.ts';
import type { Team } from '../../../../core/slack/people/directory.ts';
import {
  MAX_OWN_DAYS,
  MAX_PERCENT,
  MAX_THRESHOLDS,
  type Budget,
  type BudgetSubject,
  type PeriodRule,
  type BudgetPrice,
  whyNotEvaluated,
} from '../core/budget.ts';
import type { BudgetTerms } from '../core/budget-store.ts';
import type { BudgetFormValues } from './budget-form.ts';

const MAX_PEOPLE = 100;

export function readTerms(values: BudgetFormValues): { terms: BudgetTerms; errors: FormErrors } {
  const credits = readAmount(values.credits);
  const [actual, forecast] = [readPercents(values.actual), readPercents(values.forecast)];
  const price = readBudgetPrice(values.price);
  const percentRule = `Type up to ${MAX_THRESHOLDS} whole numbers from 1 to ${MAX_PERCENT}, such as 50, 80, 100.`;
  const hasNone = actual?.length === 0 && forecast?.length === 0;
  const errors = errorsOf([
    [credits.problem, 'credits'],
    [credits.amount === 0, 'credits', 'Type more than 0.'],
    [actual === undefined, 'actual', percentRule],
    [forecast === undefined, 'forecast', percentRule],
    [hasNone, 'actual', 'Type at least one percentage here or below. Without one, no warning is sent.'],
    [price?.problem, 'price'],
  ]);
  const terms: BudgetTerms = {
    name: values.name === '' ? undefined : values.name,
    credits: credits.amount ?? 0,
    thresholds: { actual: actual ?? [], forecast: forecast ?? [] },
    price: price?.price,
    namesPeople: values.names,
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

/** Undefined for an empty field. @example readBudgetPrice('12,50 EUR') // { price: { perMillion: 12.5, currency: 'EUR' } } */
export function readBudgetPrice(text: string): { price?: BudgetPrice; problem?: string } | undefined {
  if (text === '') return undefined;
  const { price, problem } = splitPrice(text);
  return price ? { price: { ...price, perMillion: Number(price.perMillion) } } : { problem };
}

/** Reads the fields that only the form of a new budget has. Pure. */
export function readScope(
  values: BudgetFormValues,
  teams: readonly Team[],
  keptDays: number,
): { scope: Pick<Budget, 'period' | 'subject'> | undefined; errors: FormErrors } {
  const subject = readSubject(values, teams);
  const period = readPeriodRule(values);
  const hasChosen = values.people.length > 0;
  const isOfPeople = values.whose === 'people';
  const notCounted = subject && period && whyNotEvaluated({ subject, period }, keptDays);
  const errors = errorsOf([
    [!subject, 'whose', 'Choose whose credits it counts.'],
    [isOfPeople && !hasChosen, 'people', 'Choose at least one person.'],
    [
      values.people.length > MAX_PEOPLE,
      'people',
      `Choose at most ${MAX_PEOPLE} people; for more, create a user group in Slack.`,
    ],
    [!period, 'own', `Type the first day and up to ${MAX_OWN_DAYS} days, such as 2026-11-16 for 28 days.`],
    [
      notCounted !== undefined,
      period && 'unit' in period ? 'period' : 'own',
      `${notCounted} Choose a shorter one, or the organization.`,
    ],
    destinationRule(values),
  ]);
  return { scope: subject && period ? { subject, period } : undefined, errors };
}

function readSubject({ whose, people }: BudgetFormValues, teams: readonly Team[]): BudgetSubject | undefined {
  if (whose === 'organization') return { kind: 'organization' };
  if (whose === 'people') return people.length > 0 ? { kind: 'people', ids: [...people] } : undefined;
  if (whose.startsWith('model:')) return { kind: 'model', name: whose.slice('model:'.length) };
  const team = teams.find(({ id }) => id === whose);
  return team && { kind: 'team', id: team.id, handle: team.handle };
}

function readPeriodRule({ period, own }: BudgetFormValues): PeriodRule | undefined {
  if (period === 'week' || period === 'month' || period === 'quarter' || period === 'year') return { unit: period };
  const [, first = '', count] = /^(\d{4}-\d{2}-\d{2})(?: for)? (\d{1,3})(?: days?)?$/.exec(own) ?? [];
  const days = Number(count);
  return isDay(first) && days >= 1 && days <= MAX_OWN_DAYS ? { first, days } : undefined;
}
