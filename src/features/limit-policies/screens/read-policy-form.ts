import { readAmount } from '../../../core/base/text/amounts.ts';
import { errorsOf, type FormErrors } from '../../../core/slack/interactions/forms.ts';
import { MAX_LEADS, MAX_ORDER, rulesSchema, type PolicyRules, type PolicySubject } from '../rules/policy-rules.ts';
import type { Draft } from '../store/policy-store.ts';
import type { PolicyFormValues } from './policy-form.ts';

const MAX_DAYS = 31;
const MAX_FIRST_SEEN_DAYS = 30;
const MAX_PERCENT = 1_000;
const MAX_GRANTS = 1_000;

/** The broken fields of a submission; empty if `rulesOf` can read it. */
export function problemsOf(values: PolicyFormValues): FormErrors {
  if (values.kind === 'team') return teamProblems(values);
  const isDefault = values.kind === 'default';
  const isSchedule = values.kind === 'schedule';
  const percent = Number(values.percent);
  const isFirstSeenOptional = values.subject !== 'everybody';
  return errorsOf([
    [values.name === '', 'name', 'Type a name.'],
    [values.subject === 'person' && values.person.length !== 1, 'person', 'Choose one person.'],
    [isDefault ? positiveProblem(values.limit) : undefined, 'limit'],
    [
      isDefault &&
        !(values.firstSeenDays === '' ? isFirstSeenOptional : isWhole(values.firstSeenDays, MAX_FIRST_SEEN_DAYS)),
      'firstSeenDays',
      'Type a number from 1 to 30. For everybody it is required.',
    ],
    [!isDefault && !(percent > 0 && percent <= MAX_PERCENT), 'percent', 'Type a number above 0, such as 20.'],
    [isDefault ? undefined : positiveProblem(values.cap), 'cap'],
    [!isDefault && !isWhole(values.times, MAX_DAYS), 'times', 'Type a number from 1 to 31.'],
    [!isDefault && !isWhole(values.days, MAX_DAYS), 'days', 'Type a number from 1 to 31.'],
    [isSchedule && values.weekdays.length === 0, 'weekdays', 'Choose a day.'],
    [isSchedule && values.from === '', 'from', 'Choose a time.'],
    [isSchedule && (values.to === '' || values.to === values.from), 'to', 'Choose a time other than the start.'],
    [!isWhole(values.grantsADay, MAX_GRANTS), 'grantsADay', 'Type a number from 1 to 1000.'],
    [positiveProblem(values.creditsAPeriod), 'creditsAPeriod'],
  ]);
}

const teamProblems = ({ name, subject, leads, pool, cap, order }: PolicyFormValues): FormErrors =>
  errorsOf([
    [name === '', 'name', 'Type a name.'],
    [subject === 'everybody' || subject === 'person', 'subject', 'Choose a team.'],
    [leads.length === 0, 'leads', 'Choose a lead.'],
    [leads.length > MAX_LEADS, 'leads', `Choose at most ${MAX_LEADS}.`],
    [poolProblem(pool), 'pool'],
    [positiveProblem(cap), 'cap'],
    [!isWhole(order, MAX_ORDER), 'order', `Type a number from 1 to ${MAX_ORDER}.`],
  ]);

const isWhole = (text: string, most: number) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
const amount = (text: string) => readAmount(text).amount ?? 0;

/** Empty: no pool. */
export const poolProblem = (text: string): string | undefined => (text === '' ? undefined : positiveProblem(text));
export const poolFrom = (text: string): number | null => (text === '' ? null : amount(text));

export function positiveProblem(text: string): string | undefined {
  const { amount: value, problem } = readAmount(text);
  return value === 0 ? 'Type more than 0.' : problem;
}

/** @param handle of the chosen group */
export function draftOf(values: PolicyFormValues, handle: string | undefined): Draft | undefined {
  const subject = subjectOf(values, handle);
  const common = {
    subject,
    grantsADay: Number(values.grantsADay),
    creditsAPeriod: amount(values.creditsAPeriod),
    dryRunDays: Number(values.dryRunDays),
  };
  const raise = {
    ...common,
    percent: Number(values.percent),
    cap: amount(values.cap),
    times: Number(values.times),
    days: Number(values.days),
  };
  const first = {
    ...common,
    limit: amount(values.limit),
    firstSeenDays: values.firstSeenDays === '' ? null : Number(values.firstSeenDays),
    when: values.when,
  };
  const team = {
    subject,
    leads: values.leads,
    pool: poolFrom(values.pool),
    cap: amount(values.cap),
    channel: values.channel ?? null,
    order: Number(values.order),
  };
  const kinds: Readonly<Record<string, object>> = {
    team,
    default: first,
    automatic: raise,
    schedule: { ...raise, weekdays: values.weekdays.map(Number), from: values.from, to: values.to },
  };
  const rules: PolicyRules | undefined = rulesSchema.safeParse({ kind: values.kind, ...kinds[values.kind] }).data;
  return rules && { name: values.name, rules };
}

function subjectOf({ subject, person }: PolicyFormValues, handle: string | undefined): PolicySubject {
  const [slackId = ''] = person;
  if (subject === 'everybody') return { kind: 'everybody' };
  return subject === 'person' ? { kind: 'person', slackId } : { kind: 'group', id: subject, handle: handle ?? subject };
}
