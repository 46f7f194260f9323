import { formatAmount } from '../../../core/base/text/amounts.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { teamOptions, type OfferedTeam } from '../../../core/figures/groups/chosen-teams.ts';
import { context, section } from '../../../core/slack/blocks/blocks.ts';
import { modal, type FormState, type ModalView } from '../../../core/slack/blocks/views.ts';
import {
  channelField,
  defineForm,
  moreOptions,
  multiSelectField,
  selectField,
  textField,
  timeField,
  usersField,
  type FormValues,
} from '../../../core/slack/interactions/form-fields.ts';
import { MAX_LEADS, MAX_ORDER, type PolicyRules } from '../rules/policy-rules.ts';
import { POLICY_ACTIONS } from './policy-buttons.ts';
import { KIND_WORDS } from '../store/policy-words.ts';

export const POLICY_FORM = 'limits_policy_form';
export const POLICY_TITLE = 'Limit policy';

const MAX_TEAMS = 90;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export interface FormFacts {
  teams: readonly OfferedTeam[];
  timeZone: string;
  /** Whether the less common fields are shown. */
  showsAllFields: boolean;
}

/** A policy of a team is for nobody else. Without any team, all are offered: Slack refuses a choice without options. */
type FieldFacts = FormFacts & { isOfTeam: boolean };

const OTHER_SUBJECTS = [
  { value: 'everybody', text: 'Everybody' },
  { value: 'person', text: 'One person' },
];

const WHEN_OPTIONS = [
  { value: 'first_seen', text: 'As soon as they are seen' },
  { value: 'period_start', text: 'At the start of a period' },
];

const fieldsAction = { actionId: POLICY_ACTIONS.fields };

const isRaise = (kind: string) => kind === 'automatic' || kind === 'schedule';

/** The kinds of policies share one form: the kind and the subject choose which fields are shown. */
export const policyForm = defineForm<FieldFacts>()(
  {
    name: textField(() => ({ label: 'Name', placeholder: 'Small raises', longest: 60 })),
    kind: selectField(() => ({
      ...fieldsAction,
      label: 'What does it do?',
      options: [
        { value: 'default', text: KIND_WORDS.default, description: 'Sets a limit for people without one' },
        { value: 'automatic', text: KIND_WORDS.automatic, description: 'Approves small raises' },
        { value: 'schedule', text: KIND_WORDS.schedule, description: 'Approves small raises at set hours' },
        { value: 'team', text: KIND_WORDS.team, description: 'Lets its leads decide, within a pool of credits' },
      ],
    })),
    subject: selectField(({ teams, isOfTeam }) => ({
      ...fieldsAction,
      label: 'For which people?',
      hint: isOfTeam
        ? 'A user group of Slack.'
        : 'A policy for a person counts more than one for a team, and that more than one for everybody.',
      options: [...(isOfTeam && teams.length > 0 ? [] : OTHER_SUBJECTS), ...teamOptions(teams, MAX_TEAMS)],
    })),
    person: usersField(() => ({ label: 'Person', hint: 'Choose one.' })),
    limit: textField(() => ({ label: 'First limit', placeholder: '5m', longest: 30 })),
    firstSeenDays: textField(() => ({
      label: 'Only people first seen in the last … days',
      hint: '1 to 30. Leave empty for each member of a team without a limit.',
      isOptional: true,
      longest: 2,
    })),
    when: selectField(() => ({
      label: 'When?',
      options: WHEN_OPTIONS,
    })),
    leads: usersField(() => ({
      label: 'Leads',
      hint: `At most ${MAX_LEADS}. They decide while they are members of the team, and never for themselves.`,
    })),
    pool: textField(() => ({
      label: 'Pool: credits a period',
      hint: 'What leads grant beyond the permanent limits is charged to it. Empty: no pool, only a highest limit.',
      placeholder: '50m',
      isOptional: true,
      longest: 30,
    })),
    channel: channelField(() => ({
      label: 'Channel of the team',
      hint: 'Its requests are shown there, too. Invite Quartermaster to a private one.',
      isOptional: true,
    })),
    order: textField(() => ({
      label: 'Order',
      hint: `1 to ${MAX_ORDER}. A person in several teams counts in the one with the lowest number.`,
      longest: 2,
    })),
    percent: textField(() => ({ label: 'Raise by at most (%)', placeholder: '20', longest: 6 })),
    cap: textField(() => ({ label: 'Highest limit', placeholder: '8m', longest: 30 })),
    times: textField(() => ({ label: 'Most grants a person', placeholder: '2', longest: 2 })),
    days: textField(() => ({ label: 'In how many days?', hint: '1 to 31.', placeholder: '30', longest: 2 })),
    weekdays: multiSelectField(() => ({
      label: 'On which days?',
      options: WEEKDAYS.map((text, index) => ({ value: String(index + 1), text })),
    })),
    from: timeField(({ timeZone }) => ({ label: `From (${timeZone})` })),
    to: timeField(({ timeZone }) => ({ label: `Until (${timeZone})` })),
    grantsADay: textField(() => ({
      label: 'All policies together: most grants in 24 hours',
      hint: 'The lowest number of the active policies counts.',
      longest: 4,
    })),
    creditsAPeriod: textField(() => ({
      label: 'All policies together: most credits a period',
      hint: 'At a cap, all policies pause.',
      placeholder: '20m',
      longest: 30,
    })),
    dryRunDays: selectField(() => ({
      label: 'Dry run after the activation',
      hint: 'People decide, and each card says what the policy would have done.',
      options: [
        { value: '7', text: 'A week' },
        { value: '14', text: 'Two weeks' },
        { value: '0', text: 'None' },
      ],
    })),
  },
  {
    person: (_facts, { subject }) => subject === 'person',
    limit: (_facts, { kind }) => kind === 'default',
    firstSeenDays: (_facts, { kind }) => kind === 'default',
    when: (_facts, { kind }) => kind === 'default',
    leads: (_facts, { kind }) => kind === 'team',
    pool: (_facts, { kind }) => kind === 'team',
    channel: (_facts, { kind }) => kind === 'team',
    order: (_facts, { kind }) => kind === 'team',
    percent: (_facts, { kind }) => isRaise(kind),
    cap: (_facts, { kind }) => kind !== 'default',
    times: (_facts, { kind }) => isRaise(kind),
    days: (_facts, { kind }) => isRaise(kind),
    weekdays: (_facts, { kind }) => kind === 'schedule',
    from: (_facts, { kind }) => kind === 'schedule',
    to: (_facts, { kind }) => kind === 'schedule',
    grantsADay: (_facts, { kind }) => kind !== 'team',
    creditsAPeriod: (_facts, { kind }) => kind !== 'team',
    dryRunDays: (_facts, { kind }) => kind !== 'team',
  },
);
/** The others have a usual value, which the form states. */
const COMMON_FIELDS = [
  'name',
  'kind',
  'subject',
  'person',
  'limit',
  'firstSeenDays',
  'leads',
  'pool',
  'channel',
  'order',
  'percent',
  'cap',
  'weekdays',
  'from',
  'to',
  'creditsAPeriod',
] as const;
/** One of the less common fields, which all kinds have but teams: those have only common ones. */
export const LESS_COMMON_FIELD = 'dryRunDays';
export type PolicyFormValues = FormValues<typeof policyForm>;

export const FIRST_VALUES: PolicyFormValues = {
  name: '',
  kind: 'automatic',
  subject: 'everybody',
  person: [],
  limit: '',
  firstSeenDays: '7',
  when: 'first_seen',
  leads: [],
  pool: '',
  channel: undefined,
  order: '1',
  percent: '20',
  cap: '',
  times: '2',
  days: '30',
  weekdays: ['1', '2', '3', '4', '5'],
  from: '08:00',
  to: '18:00',
  grantsADay: '20',
  creditsAPeriod: '',
  dryRunDays: '7',
};

export const readPolicyForm = (state: FormState): PolicyFormValues => policyForm.read(state, FIRST_VALUES);

export function valuesOfRules(name: string, rules: PolicyRules): PolicyFormValues {
  const { subject, kind } = rules;
  const about: PolicyFormValues = {
    ...FIRST_VALUES,
    name,
    kind,
    subject: subject.kind === 'group' ? subject.id : subject.kind,
    person: subject.kind === 'person' ? [subject.slackId] : [],
  };
  if (rules.kind === 'team')
    return {
      ...about,
      leads: rules.leads,
      pool: rules.pool === null ? '' : formatAmount(rules.pool),
      cap: formatAmount(rules.cap),
      channel: rules.channel ?? undefined,
      order: String(rules.order),
    };
  const common: PolicyFormValues = {
    ...about,
    grantsADay: String(rules.grantsADay),
    creditsAPeriod: formatAmount(rules.creditsAPeriod),
    dryRunDays: String(rules.dryRunDays),
  };
  if (rules.kind === 'default')
    return {
      ...common,
      limit: formatAmount(rules.limit),
      firstSeenDays: rules.firstSeenDays === null ? '' : String(rules.firstSeenDays),
      when: rules.when,
    };
  const raise = {
    ...common,
    percent: String(rules.percent),
    cap: formatAmount(rules.cap),
    times: String(rules.times),
    days: String(rules.days),
  };
  if (rules.kind === 'automatic') return raise;
  return { ...raise, weekdays: rules.weekdays.map(String), from: rules.from, to: rules.to };
}

/** @param metadata the policy that is edited, as JSON; empty for a new one */
export function policyFormView(
  facts: FormFacts,
  values: PolicyFormValues,
  metadata: string,
  problem?: Markup,
): ModalView {
  const isOfTeam = values.kind === 'team';
  const showsAll = facts.showsAllFields || isOfTeam;
  return modal({
    title: POLICY_TITLE,
    submit: 'Save and test',
    callbackId: POLICY_FORM,
    metadata,
    blocks: [
      ...(problem ? [section(markup`*${problem}*`)] : []),
      ...policyForm.blocks({ ...facts, isOfTeam }, values, showsAll ? undefined : COMMON_FIELDS),
      ...(showsAll ? [] : [context(markup`${usualWords(values)}`), moreOptions(POLICY_ACTIONS.fields)]),
      context(markup`Saving makes a draft and tries it on the last three months. Another admin activates it.`),
    ],
  });
}

/** @example usualWords(FIRST_VALUES) // 'Unless you change it: at most 2 grants a person in 30 days, …' */
function usualWords({ kind, when, times, days, grantsADay, dryRunDays }: PolicyFormValues): string {
  const own =
    kind === 'default'
      ? (WHEN_OPTIONS.find(({ value }) => value === when)?.text.toLowerCase() ?? when)
      : `at most ${countOf(Number(times), 'grant')} a person in ${countOf(Number(days), 'day')}`;
  const dryRun = dryRunDays === '0' ? 'no dry run' : `a dry run of ${countOf(Number(dryRunDays), 'day')}`;
  return `Unless you change it: ${own}, ${countOf(Number(grantsADay), 'grant')} of all policies in 24 hours, and ${dryRun}.`;
}
