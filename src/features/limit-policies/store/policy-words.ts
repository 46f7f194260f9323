import { formatAmount } from '../../../core/base/text/amounts.ts';
import {
  channelMention,
  joinMarkup,
  markup,
  mention,
  readerTime,
  type Markup,
} from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { PersonReason } from '../rules/decide.ts';
import type { Team } from '../../../core/slack/people/directory.ts';
import { leadsOf } from '../rules/decide-team.ts';
import {
  isTeamRules,
  type ActingRules,
  type PolicyKind,
  type PolicyRules,
  type PolicySubject,
  type TeamRules,
} from '../rules/policy-rules.ts';
import type { PauseReason, PolicyRefusal } from '../rules/policy-states.ts';
import type { StoredPolicy } from './policy-store.ts';

export const KIND_WORDS: Readonly<Record<PolicyKind, string>> = {
  default: 'First limit',
  automatic: 'Automatic approval',
  schedule: 'Automatic approval at set hours',
  team: 'Team',
};

/** Completes “A person decides: …”. */
const REASON_WORDS: Readonly<Record<PersonReason, string>> = {
  off: 'policies are off',
  no_policy: 'no policy covers it',
  several_people: 'it is for several people',
  groups_unknown: 'Slack did not show every team of the policies',
  gap: 'the store may lack earlier limits',
  held: 'an admin paused, edited or deleted the policy, and no second admin has released its people',
  period_changed: 'the period of limits has changed since two admins agreed on the policy',
  admin: 'the person is an admin',
  admin_unknown: 'it is not known whether the person is an admin',
  open_request: 'another request for the same person is open',
  unknown_outcome: 'the outcome of an earlier limit is not known',
  old_figures: 'the figures are older than two days or can’t be read',
  no_value: 'no limit of the person was set here before',
  declared: 'the limit of the person was declared, not set here',
  withdrawn: 'the declared limit of the person was withdrawn, but may still be in effect',
  has_value: 'the person has a limit already',
  not_new: 'the person is not new enough',
  period_unknown: 'the period of limits is not known',
  limit_unclear: 'what the platform shows of the limit of the person is not clear',
  not_a_raise: 'it does not raise the limit',
  temporary_limit: 'the limit in effect is temporary, and the raise would not end with it',
  above_percent: 'it raises the limit by more than the policy allows',
  above_cap: 'it exceeds the highest limit of the policy',
  times: 'the person already got as many grants as the policy allows',
  outside_hours: 'it is outside the hours of the policy',
  second_approval: 'two admins have to approve this amount',
  grants_a_day: 'the most grants of a day were reached',
  credits_a_period: 'the most credits of the period were reached',
  limits_elsewhere: 'limits may also be set elsewhere, or the platform does not show them now',
  pool: 'the pool of the team has too little left',
};

export function reasonWords(reason: string | null): string {
  const known: Readonly<Record<string, string>> = REASON_WORDS;
  return known[reason ?? ''] ?? 'something is not known';
}

export const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  admin: 'an admin paused it',
  stopped: 'an admin stopped all policies',
  grants_a_day: 'the most grants of a day were reached',
  credits_a_period: 'the most credits of the period were reached',
  gap: 'Quartermaster was stopped or a backup was restored, so limits may be missing here',
};

export function subjectMarkup(subject: PolicySubject): Markup {
  if (subject.kind === 'everybody') return markup`everybody`;
  return subject.kind === 'group' ? markup`@${subject.handle}` : mention(subject.slackId);
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const weekdayWords = (days: readonly number[]): string =>
  days.length === 7 ? 'every day' : days.map((day) => WEEKDAYS[day - 1] ?? '').join(', ');

/** @example 'Raises the permanent limit by at most 20% up to 8,000,000, at most 2 times a person in 30 days, until the period ends.' */
export function rulesSentences(rules: PolicyRules): Markup[] {
  if (rules.kind === 'team') return teamSentences(rules);
  return actingSentences(rules).map((sentence) => markup`${sentence}`);
}

function teamSentences({ pool, cap, leads, channel, order }: TeamRules): Markup[] {
  const places = channel === null ? markup`` : markup`, and in ${channelMention(channel)}`;
  return [
    markup`Leads: ${joinMarkup(
      leads.map((lead) => mention(lead)),
      ', ',
    )}. Requests of the team go to them first${places}.`,
    pool === null
      ? markup`They set limits up to ${formatAmount(cap)}, without a pool. Raises end with the period.`
      : markup`They set limits up to ${formatAmount(cap)}, as long as the pool of ${formatAmount(pool)} credits a period lasts. Raises end with the period.`,
    markup`Order ${order}: a person in several teams counts in the one with the lowest number.`,
  ];
}

function actingSentences(rules: ActingRules): string[] {
  const caps = `All policies together: at most ${countOf(rules.grantsADay, 'grant')} a day and ${formatAmount(rules.creditsAPeriod)} credits a period.`;
  if (rules.kind === 'default') {
    const whose =
      rules.firstSeenDays === null
        ? 'each member without a limit'
        : `people first seen in the last ${countOf(rules.firstSeenDays, 'day')}`;
    const when = rules.when === 'first_seen' ? 'as soon as they are seen' : 'at the start of a period';
    return [`Sets ${formatAmount(rules.limit)} for ${whose}, ${when}.`, caps];
  }
  const hours =
    rules.kind === 'schedule' ? [`Only ${weekdayWords(rules.weekdays)}, from ${rules.from} to ${rules.to}.`] : [];
  return [
    `Raises the permanent limit by at most ${formatAmount(rules.percent)}% up to ${formatAmount(rules.cap)}, at most ${countOf(rules.times, 'time')} a person in ${countOf(rules.days, 'day')}, until the period ends.`,
    ...hours,
    caps,
  ];
}

export function stateMarkup(policy: StoredPolicy, now: Date): Markup {
  const { state, dryRunUntil, pausedAt, pausedBy, pauseReason } = policy;
  switch (state) {
    case 'draft':
      return policy.backTestedAt
        ? markup`📝 Draft, back-tested. It waits for an admin who activates it.`
        : markup`📝 Draft. Run the back-test next.`;
    case 'active':
      return dryRunUntil && dryRunUntil > now
        ? markup`🧪 Dry run until ${readerTime(dryRunUntil)}: people decide, and cards say what it would do.`
        : markup`✅ Active`;
    case 'paused': {
      const by = pausedBy === null ? markup`` : markup` by ${mention(pausedBy)}`;
      return markup`⏸️ Paused${by} ${readerTime(pausedAt ?? now)}: ${PAUSE_WORDS[pauseReason ?? 'admin']}.`;
    }
    case 'removed':
      return markup`Deleted`;
    default:
      return state satisfies never;
  }
}

/** What a policy that no longer acts still holds, and who can release it. */
export function holdLines({ held, hold, state }: Pick<StoredPolicy, 'held' | 'hold' | 'state'>): Markup[] {
  if (!held || !hold) return [];
  const { version, rules } = held;
  const head = markup`🔒 Version ${version} still holds its people and caps: for ${subjectMarkup(rules.subject)} a person decides, and no other policy. ${rulesSentences(rules).at(-1) ?? ''}`;
  if (state === 'active') return [head, markup`This version replaces it when its dry run ends.`];
  if (hold.by === null)
    return [head, markup`Resume it. To release them, an admin edits or deletes it, then another one releases them.`];
  return [
    head,
    markup`Another admin than ${mention(hold.by)} can release them. Then other policies can decide for these people.`,
  ];
}

/** One or two words for a table. */
export function stateWord({ state, dryRunUntil, held }: StoredPolicy, now: Date): string {
  if (state === 'active') return dryRunUntil && dryRunUntil > now ? 'Dry run' : 'Active';
  return `${{ draft: 'Draft', paused: 'Paused', removed: 'Deleted' }[state]}${held ? ', holds people' : ''}`;
}

/** Leads who decide nothing now. @param groups as they are now; undefined if Slack doesn’t say */
export function leadlessLines(rules: PolicyRules, groups: readonly Team[] | undefined): Markup[] {
  if (!isTeamRules(rules) || !groups) return [];
  if (!groups.some(({ id }) => id === rules.subject.id))
    return [markup`⚠️ Slack shows no such group now, so admins decide about the limits of its people.`];
  const present = leadsOf(rules, groups);
  const former = rules.leads.filter((lead) => !present.includes(lead)).map((lead) => mention(lead));
  return former.length === 0 ? [] : [markup`⚠️ Not in the group now, so they decide nothing: ${joinMarkup(former)}`];
}

export function policyRefusalText(reason: PolicyRefusal, { draftedBy, hold }: StoredPolicy): Markup {
  switch (reason) {
    case 'removed':
      return markup`This policy was deleted.`;
    case 'not_draft':
      return markup`This policy is no longer a draft. \`/limits policies\` shows its state.`;
    case 'no_back_test':
      return markup`Run the back-test of this version first.`;
    case 'own_draft':
      return markup`${mention(draftedBy)} wrote this version. Another admin has to activate it.`;
    case 'too_early':
      return markup`You wrote this version. As the only admin you can activate it 24 hours after that.`;
    case 'not_confirmed':
      return markup`You are the only admin. Press *Activate alone* or *Release alone* to confirm that no other admin checks it.`;
    case 'not_active':
      return markup`This policy is not active.`;
    case 'not_paused':
      return markup`This policy is not paused.`;
    case 'not_held':
      return markup`This policy holds nothing that could be released.`;
    case 'held_by_bot':
      return markup`Quartermaster paused this policy. Resume it, or delete it and let another admin release its people.`;
    case 'own_hold':
      return markup`${mention(hold?.by ?? '')} stopped this policy. Another admin has to release its people and caps.`;
    case 'release_too_early':
      return markup`You stopped this policy. As the only admin you can release its people 24 hours after that.`;
    case 'not_lead':
      return markup`You don’t lead this team now. Its leads, as members of the group, and admins can lower its pool.`;
    case 'leads_unknown':
      return markup`Slack doesn’t say now who is in the team. Try again later.`;
    case 'raised':
      return markup`Leads can keep or lower the pool and the highest limit. To raise them, two admins have to agree.`;
    case 'kept':
      return markup`Nothing changes: type a lower pool or a lower highest limit.`;
    default:
      return reason satisfies never;
  }
}
