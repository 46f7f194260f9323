import { z } from 'zod';
import { dayNumberOf, isDay, lengthOf, plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import {
  LAST_START_DAY,
  limitPeriodAround,
  monthFrom,
  PERIOD_UNITS,
  startDayOf,
  unitOf,
  type LimitPeriod,
} from '../../../../core/base/time/limit-period-days.ts';
import { type Price, countOf, currencyOf } from '../../../../core/base/text/numbers.ts';
import { FIRST_ANALYTICS_DAY } from '../../../../core/platform/endpoints/analytics-range.ts';

export const MAX_OWN_DAYS = 366;
export const MAX_PERCENT = 1_000;
export const MAX_THRESHOLDS = 10;

const percents = z.array(z.number().int().min(1).max(MAX_PERCENT)).max(MAX_THRESHOLDS);

export const calendarRuleSchema = z.object({
  unit: z.enum(PERIOD_UNITS),
  /** Only of the month in which a limit counts. */
  startDay: z.number().int().min(2).max(LAST_START_DAY).optional(),
});

export const periodRuleSchema = z.union([
  calendarRuleSchema,
  /** Consecutive stretches of this many days, chosen by the user. */
  z.object({ first: z.string().refine(isDay), days: z.number().int().min(1).max(MAX_OWN_DAYS) }),
]);
export type PeriodRule = z.infer<typeof periodRuleSchema>;

export const subjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization') }),
  z.object({ kind: z.literal('team'), id: z.string(), handle: z.string() }),
  /** Slack ids. */
  z.object({ kind: z.literal('people'), ids: z.array(z.string()).min(1) }),
  /** Counts the whole organization: the platform does not say which person used which model. */
  z.object({ kind: z.literal('model'), name: z.string() }),
]);
export type BudgetSubject = z.infer<typeof subjectSchema>;

export const thresholdsSchema = z.object({ actual: percents, forecast: percents });
/** Percentages of the budget: of the credits used, and of the credits expected by the end of the period. */
export type Thresholds = z.infer<typeof thresholdsSchema>;

export const DEFAULT_THRESHOLDS: Thresholds = { actual: [50, 80, 100], forecast: [100] };

/** The price of this budget alone, such as `0.0125 EUR`, instead of the price that admins set. */
export const priceSchema = z.object({ perMillion: z.number().positive(), currency: z.string().max(3) });
export type BudgetPrice = z.infer<typeof priceSchema>;

export const priceOf = ({ perMillion, currency }: BudgetPrice): Price => ({
  perMillion: String(perMillion),
  currency: currencyOf(currency),
});

/** What the evaluation of each warning about credits needs. */
interface Warning {
  id: string;
  credits: number;
  period: PeriodRule;
  subject: BudgetSubject;
  thresholds: Thresholds;
  /** The recipient of its messages: a channel id or a Slack user id. */
  channel: string;
}

export interface Budget extends Warning {
  kind: 'budget';
  name: string | undefined;
  price: BudgetPrice | undefined;
  namesPeople: boolean;
  /** undefined if it comes from the settings. */
  owner: string | undefined;
}

/** A warning about the credits of one person, who alone sees it. */
export interface HeadsUp extends Warning {
  kind: 'heads_up';
  name: string;
  period: z.infer<typeof calendarRuleSchema>;
  /** Whether its credits are the person’s limit, as far as Quartermaster knows it. */
  followsLimit: boolean;
}

export type Alert = Budget | HeadsUp;

export const ownerOf = (alert: Alert): string | undefined => (alert.kind === 'budget' ? alert.owner : alert.channel);

/** Returns undefined for a day before the first period. */
export function periodOf(rule: PeriodRule, day: Day): Period | undefined {
  if ('first' in rule) {
    const elapsedPeriods = Math.floor((dayNumberOf(day) - dayNumberOf(rule.first)) / rule.days);
    if (elapsedPeriods < 0) return undefined;
    const first = plusDays(rule.first, elapsedPeriods * rule.days);
    return { first, last: plusDays(first, rule.days - 1) };
  }
  return limitPeriodAround(day, limitPeriodOf(rule));
}

export const limitPeriodOf = ({ unit, startDay = 1 }: z.infer<typeof calendarRuleSchema>): LimitPeriod =>
  unit === 'month' ? monthFrom(startDay) : unit;

/** @example ruleOf('month from 15') // { unit: 'month', startDay: 15 } */
export function ruleOf(period: LimitPeriod): z.infer<typeof calendarRuleSchema> {
  const startDay = startDayOf(period);
  return { unit: unitOf(period), ...(startDay === 1 ? {} : { startDay }) };
}

/** A period is evaluated for this long after its end: the platform restates days and publishes the last one late. */
const WATCHED_DAYS = 9;

/** Returns the begun periods, oldest first, that did not end over nine days ago or before the budget was set up. */
export function openPeriods(rule: PeriodRule, setUpOn: Day, today: Day): Period[] {
  const yesterday = plusDays(today, -1);
  const watched = plusDays(today, -WATCHED_DAYS);
  const from = [setUpOn, watched, FIRST_ANALYTICS_DAY].toSorted().at(-1) ?? watched;
  const periods: Period[] = [];
  const begin = from < yesterday ? from : yesterday;
  // Stretches of the user’s own days may begin after `begin`.
  let next = periodOf(rule, begin) ?? ('first' in rule ? periodOf(rule, rule.first) : undefined);
  while (next && next.first <= yesterday) {
    if (next.last >= from) periods.push(next);
    next = periodOf(rule, plusDays(next.last, 1));
  }
  return periods;
}

const MAX_UNIT_DAYS = { week: 7, month: 31, quarter: 92, year: 366 } as const;

export const needsPeople = ({ kind }: BudgetSubject): boolean => kind === 'team' || kind === 'people';

/** A budget cannot be evaluated if figures of people are deleted before its period is over and settled. */
export function whyNotEvaluated(
  { period, subject }: Pick<Warning, 'period' | 'subject'>,
  keptDays: number,
): string | undefined {
  const days = 'unit' in period ? MAX_UNIT_DAYS[period.unit] : period.days;
  if (!needsPeople(subject) || days + WATCHED_DAYS <= keptDays) return undefined;
  return `Figures of people are kept for ${countOf(keptDays, 'day')}, which is too short for this period.`;
}

const UNIT_WORDS = { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'yearly' } as const;

export function ruleWords(rule: PeriodRule): string {
  return 'unit' in rule ? UNIT_WORDS[rule.unit] : `every ${countOf(rule.days, 'day')} from ${rule.first}`;
}

export function subjectWords(subject: BudgetSubject): string {
  switch (subject.kind) {
    case 'organization':
      return 'the organization';
    case 'team':
      return `@${subject.handle}`;
    case 'people':
      return countOf(subject.ids.length, 'person', 'people');
    case 'model':
      return subject.name;
    default:
      return subject satisfies never;
  }
}

export const auditSubject = (id: string) => `budget:${id}`;

/** @example titleOf(budget) // 'Monthly budget of the organization' */
export function titleOf(alert: Alert): string {
  const { name, period, subject } = alert;
  if (name !== undefined) return name;
  const of = `budget of ${subjectWords(subject)}`;
  if (!('unit' in period)) return `Budget of ${subjectWords(subject)}, ${ruleWords(period)}`;
  const rhythm = UNIT_WORDS[period.unit];
  return `${rhythm.slice(0, 1).toUpperCase()}${rhythm.slice(1)} ${of}`;
}

export function daysLeft(period: Period, through: Day): number {
  const next = through < period.first ? period.first : plusDays(through, 1);
  return Math.max(0, lengthOf({ first: next, last: period.last }));
}
