import type { Team } from '../../../core/slack/people/directory.ts';
import { LABELS } from '../../limits/core/limit-buttons.ts';
import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { periodName, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import {
  buttonRow,
  heading,
  messageOf,
  prose,
  smallPrint,
  table,
  type AnyParagraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { backTestColumn } from '../back-test/read-past.ts';
import { isTeamRules } from '../rules/policy-rules.ts';
import type { OnlyHere } from '../store/only-here.ts';
import type { StoredPolicy } from '../store/policy-store.ts';
import type { PolicyUsage } from '../store/policy-usage.ts';
import { backTestParagraphs } from './back-test-view.ts';
import {
  activateButton,
  editButton,
  newPolicyButton,
  openMenu,
  pauseButton,
  releaseButton,
  removeButton,
  resumeButton,
  stopButton,
  testButton,
} from './policy-buttons.ts';
import {
  holdLines,
  KIND_WORDS,
  leadlessLines,
  rulesSentences,
  stateMarkup,
  stateWord,
  subjectMarkup,
} from '../store/policy-words.ts';

export interface ScreenFacts {
  now: Date;
  areOn: boolean;
  onlyHere: OnlyHere | undefined;
  /** Whether the platform shows limits; the declaration is then not used. */
  isShown: boolean;
  /** Over which limits count. */
  period: LimitPeriod | undefined;
  usage: PolicyUsage;
  /** As they are now; undefined if Slack doesn’t say. */
  groups: readonly Team[] | undefined;
}

/** @param names of the people that policies are about, by Slack id */
export function listMessage(
  policies: readonly StoredPolicy[],
  facts: ScreenFacts,
  names: ReadonlyMap<string, string>,
  news?: Markup,
): BlockMessage {
  const { usage, now } = facts;
  const isAnyActive = policies.some(({ state }) => state === 'active');
  return messageOf(
    prose(news ? [news] : []),
    heading('Limit policies'),
    ...(policies.length === 0
      ? [
          prose(
            markup`There are no policies yet. A policy sets first limits, or approves raises, within caps that two admins agreed on.`,
          ),
        ]
      : [
          table({
            caption: 'Limit policies',
            columns: [
              { title: 'Name', cell: ({ name }: StoredPolicy) => name },
              { title: 'Kind', cell: ({ rules }) => KIND_WORDS[rules.kind] },
              { title: 'For', cell: ({ rules }) => subjectWord(rules.subject, names) },
              { title: 'State', cell: (policy) => stateWord(policy, now) },
              { title: 'Used of cap', cell: ({ rules }) => usedWords(rules, usage) },
              { title: 'Last 7 days', cell: ({ id }) => countOf(usage.inWeek.get(id) ?? 0, 'grant') },
            ],
            rows: policies,
          }),
        ]),
    ...conditions(facts),
    buttonRow(
      ...(policies.length === 0 ? [] : [openMenu('Open a policy', policies)]),
      newPolicyButton(),
      ...(isAnyActive ? [stopButton()] : []),
    ),
  );
}

function subjectWord(subject: StoredPolicy['rules']['subject'], names: ReadonlyMap<string, string>): string {
  if (subject.kind === 'everybody') return 'Everybody';
  return subject.kind === 'group' ? `@${subject.handle}` : (names.get(subject.slackId) ?? 'One person');
}

function usedWords(rules: StoredPolicy['rules'], usage: PolicyUsage): string {
  if (isTeamRules(rules)) return rules.pool === null ? 'no pool' : `pool of ${formatShortAmount(rules.pool)}`;
  const { grantsADay, creditsAPeriod } = rules;
  const credits = `${formatShortAmount(usage.creditsInPeriod)} of ${formatShortAmount(creditsAPeriod)}`;
  return `${usage.grantsInDay} of ${grantsADay} today, ${credits}`;
}

/** Its caps and its worst case were agreed on for another period. */
function periodLines({ state, agreedPeriod }: StoredPolicy, { period }: ScreenFacts): Markup[] {
  if (state !== 'active' || agreedPeriod === period) return [];
  const agreed =
    agreedPeriod === undefined ? 'while the period was not known' : `for limits over a ${periodName(agreedPeriod)}`;
  const now = period === undefined ? 'it is not known now' : `they count over a ${periodName(period)} now`;
  return [
    markup`⚠️ Two admins agreed on it ${agreed}, and ${now}: people decide. Edit it, and let another admin activate it.`,
  ];
}

/** What keeps every policy from acting alone. */
function conditions({ areOn, onlyHere, isShown, period }: ScreenFacts): AnyParagraph[] {
  const lines = [
    ...(areOn ? [] : [markup`⏹️ Policies are off: the server operator set \`LIMIT_POLICIES=off\`.`]),
    isShown
      ? markup`The platform shows limits, so active policies act alone.`
      : onlyHere
        ? markup`Limits are set only here, as ${mention(onlyHere.by)} declared ${readerTime(onlyHere.at)}. Active policies act alone.`
        : markup`Policies only prepare *${LABELS.approve}*: no admin has declared in \`/quartermaster\` that limits are set only here.`,
    ...(period
      ? []
      : [markup`⚠️ The period of limits is not known, so people decide every raise. Choose it in \`/quartermaster\`.`]),
  ];
  return [smallPrint(...lines)];
}

export interface Viewer {
  isOwnDraft: boolean;
  /** The admin paused, edited or deleted it. */
  isOwnHold: boolean;
  mayActAlone: boolean;
}

export function policyMessage(policy: StoredPolicy, facts: ScreenFacts, viewer: Viewer, news?: Markup): BlockMessage {
  return messageOf(
    prose(news ? [news] : []),
    ...policyParagraphs(policy, facts),
    buttonRow(...buttonsOf(policy, viewer), runCommandButton('All policies', '/limits', commandText`policies`)),
  );
}

export function policyParagraphs(policy: StoredPolicy, facts: ScreenFacts): AnyParagraph[] {
  const { rules, draftedBy, draftedAt, version, activatedBy, activatedAt } = policy;
  const alone = policy.isActivatedAlone ? markup` (alone)` : markup``;
  const backTest = backTestColumn.readIfKnown(policy.backTest);
  const activation =
    activatedBy === null || !activatedAt
      ? markup``
      : markup` Activated by ${mention(activatedBy)}${alone} ${readerTime(activatedAt)}.`;
  return [
    prose([
      markup`*${policy.name}* (version ${version}, \`${policy.id}\`): ${KIND_WORDS[rules.kind]} for ${subjectMarkup(rules.subject)}`,
      stateMarkup(policy, facts.now),
      ...holdLines(policy),
      ...periodLines(policy, facts),
      ...rulesSentences(rules).map((sentence) => markup`•  ${sentence}`),
      ...leadlessLines(rules, facts.groups),
      ...(isTeamRules(rules)
        ? []
        : [
            markup`•  Used: ${usedWords(rules, facts.usage)} credits; ${countOf(facts.usage.inWeek.get(policy.id) ?? 0, 'grant')} in the last 7 days.`,
          ]),
      markup`Written by ${mention(draftedBy)} ${readerTime(draftedAt)}.${activation}${loweredWords(rules)}`,
    ]),
    ...(backTest ? backTestParagraphs(backTest, rules) : []),
    ...conditions(facts),
  ];
}

const loweredWords = (rules: StoredPolicy['rules']): Markup =>
  isTeamRules(rules) && rules.lowered
    ? markup` Lowered by ${mention(rules.lowered.by)} ${readerTime(new Date(rules.lowered.at))}.`
    : markup``;

function buttonsOf(policy: StoredPolicy, viewer: Viewer): Button[] {
  const { isOwnDraft, mayActAlone } = viewer;
  const release = mayRelease(policy, viewer) ? [releaseButton(policy, viewer.isOwnHold)] : [];
  const isTested = policy.backTestedAt !== undefined;
  switch (policy.state) {
    case 'draft':
      return [
        ...(isTested ? [activateButton(policy, isOwnDraft && mayActAlone)] : []),
        testButton(policy, isTested),
        editButton(policy),
        removeButton(policy),
        ...release,
      ];
    case 'active':
      return [pauseButton(policy), editButton(policy), removeButton(policy)];
    case 'paused':
      return [resumeButton(policy), editButton(policy), removeButton(policy), ...release];
    case 'removed':
      return release;
    default:
      return policy.state satisfies never;
  }
}

const mayRelease = ({ held, hold }: StoredPolicy, { isOwnHold, mayActAlone }: Viewer): boolean =>
  held !== undefined && typeof hold?.by === 'string' && (!isOwnHold || mayActAlone);
