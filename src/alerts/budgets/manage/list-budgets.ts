import { formatDay, formatPeriod } from '../../../base/time/calendar.ts';
import { channelMention, linesOf, markup, mention, readerTime, type Markup } from '../../../base/text/markup.ts';
import { barOf, countOf, formatCompact, formatNumber } from '../../../base/text/numbers.ts';
import type { Block, BlockMessage } from '../../../slack/blocks/blocks.ts';
import {
  blocksOf,
  buttonRow,
  drawing,
  messageOf,
  prose,
  smallPrint,
  type AnyParagraph,
} from '../../../slack/blocks/paragraphs.ts';
import type { AuditEntry } from '../../../store/audit.ts';
import { ruleWords, subjectWords, titleOf, type Budget } from '../core/budget.ts';
import { editButton, newButton, removeButton, showButton } from '../core/budget-buttons.ts';
import { reached } from '../core/decide.ts';
import type { Said } from '../core/budget-payload.ts';
import type { MarkRow, Members, StoredBudget } from '../core/budget-store.ts';
import {
  forecastWords,
  NOT_A_STOP,
  percentOf,
  periodNote,
  priceWords,
  STATES,
  stateOf,
  usedWords,
} from '../core/words.ts';
import type { Standing } from '../evaluate/budget-status.ts';

/** Each row takes two blocks of a message. */
const MAX_ROWS = 20;
/** App Home has other sections too. */
const MAX_ROWS_IN_HOME = 5;
export const SETTINGS_BUDGET = 'settings';

const NONE = markup`There are no budgets yet. Set one up, and Quartermaster warns before the credits run out.`;

/** Lists all budgets with their status, the most urgent first. */
export function listMessage(standings: readonly Standing[]): BlockMessage {
  const sorted = byUrgency(standings);
  const left = sorted.length - MAX_ROWS;
  return messageOf(
    prose(standings.length === 0 ? NONE : markup`*${countOf(standings.length, 'budget')}*`),
    ...sorted.slice(0, MAX_ROWS).flatMap((standing) => [prose(rowLines(standing)), buttonRow(...rowButtons(standing))]),
    prose(left > 0 ? [markup`${countOf(left, 'more budget')} didn’t fit here.`] : []),
    buttonRow(newButton()),
    smallPrint(markup`${NOT_A_STOP} Credits are published once a day.`),
  );
}

/** The section of App Home: the most urgent budgets in a line or two each. */
export function homeBlocks(standings: readonly Standing[]): Block[] {
  const sorted = byUrgency(standings);
  const left = sorted.length - MAX_ROWS_IN_HOME;
  return blocksOf([
    ...(sorted.length === 0
      ? [prose(NONE)]
      : sorted.slice(0, MAX_ROWS_IN_HOME).map((standing) => prose(rowLines(standing)))),
    prose(left > 0 ? [markup`${countOf(left, 'more budget')}: type \`/budget\`.`] : []),
  ]);
}

const URGENCY = { over: 0, at_risk: 1, within: 2 } as const;

function byUrgency(standings: readonly Standing[]): Standing[] {
  return standings.toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || shareOf(b) - shareOf(a));
}

const shareOf = (standing: Standing) => (standing.kind === 'known' ? standing.said.spent / standing.said.credits : 0);

const urgencyOf = (standing: Standing) =>
  standing.kind === 'known' ? URGENCY[stateOf(standing.said)] : URGENCY.within;

/** @example rowLines(standing) // ['⚠️ *Monthly budget of the organization*  `k7m2`', …] */
export function rowLines(standing: Standing): Markup[] {
  const { budget } = standing;
  const title = titleOf(budget);
  if (standing.kind !== 'known') return [markup`*${title}*  \`${budget.id}\``, markup`${openWords(standing)}`];
  const { said } = standing;
  const { icon, word } = STATES[stateOf(said)];
  return [
    markup`${icon} *${title}*  \`${budget.id}\``,
    markup`${barOf(said.spent, said.credits)} *${percentOf(said.spent, said.credits)}* · ${word} · ${leftWords(said)}`,
    markup`${shortForecast(said)}`,
  ];
}

function leftWords({ spent, credits }: Said): string {
  const left = credits - spent;
  return left >= 0
    ? `${formatCompact(left)} of ${formatCompact(credits)} left`
    : `${formatCompact(-left)} over ${formatCompact(credits)}`;
}

function shortForecast(said: Said): string {
  const { expected, credits } = said;
  if (expected === undefined) return `As of ${formatDay(said.through)}`;
  return `On track for ${formatCompact(expected)} (${percentOf(expected, credits)}) · as of ${formatDay(said.through)}`;
}

function openWords(standing: Exclude<Standing, { kind: 'known' }>): string {
  const credits = `${formatCompact(standing.budget.credits)} credits`;
  switch (standing.kind) {
    case 'open':
      return standing.period
        ? `${credits} for ${formatPeriod(standing.period)}; no day of it is published yet.`
        : `${credits}; it has not begun.`;
    case 'unreadable':
      return `${credits}. How much is used could not be read from the platform just now.`;
    case 'not_counted':
      return `${credits}. ⚠️ Not counted. ${standing.sentence}`;
    case 'nobody':
      return `${credits}. Slack doesn’t say just now who belongs to ${subjectWords(standing.budget.subject)}.`;
    case 'hidden':
      return `${credits}. How much is used isn’t shown: in these days, it would show what a few people used.`;
    default:
      return standing satisfies never;
  }
}

function rowButtons({ budget }: Standing) {
  const isFromSettings = budget.id === SETTINGS_BUDGET;
  return [
    showButton(budget.id),
    ...(isFromSettings ? [] : [editButton(budget.id, 'Change'), removeButton(budget.id, titleOf(budget))]),
  ];
}

export interface MarkWithPlace extends MarkRow {
  /** Whether the message went to the owner of the budget, because its channel may not see it. */
  isToOwner: boolean;
}

const MAX_HISTORY = 8;
const MAX_POINTS = 20;

interface History {
  /** The marks that the reader may see: details must not reveal a message that was withheld from them. */
  marks: readonly MarkWithPlace[];
  members: readonly Members[];
  audit: readonly AuditEntry[];
}

export function detailMessage(standing: Standing, history: History): BlockMessage {
  const { budget } = standing;
  return messageOf(
    prose(rowLines(standing).slice(0, 2)),
    ...(standing.kind === 'known' ? knownParagraphs(standing) : []),
    prose(termsLines(budget)),
    prose(historyLines(budget, history)),
    buttonRow(...rowButtons(standing).slice(1)),
    smallPrint(markup`${standing.kind === 'known' ? periodNote(standing.said) : NOT_A_STOP}`),
  );
}

function knownParagraphs({ said, rows }: Extract<Standing, { kind: 'known' }>): AnyParagraph[] {
  let sum = 0;
  const sums = thinned(rows.map(({ date, billable_tokens: credits }) => ({ date, used: (sum += credits) })));
  return [
    prose(linesOf(usedWords(said), forecastWords(said), priceWords(said))),
    drawing({
      kind: 'line',
      title: `Credits since ${formatDay(said.period.first)}`,
      categories: sums.map(({ date }) => date),
      series: [
        { name: 'Used', values: sums.map(({ used }) => used) },
        { name: 'Budget', values: sums.map(() => said.credits) },
      ],
      yLabel: 'Credits',
    }),
  ];
}

/** Reduces the items to as many points as Slack draws; the last one is kept. */
function thinned<Item>(items: readonly Item[]): Item[] {
  const step = Math.ceil(items.length / MAX_POINTS);
  return items.filter((_, index) => (items.length - 1 - index) % step === 0);
}

export function termsLines(budget: Budget): Markup[] {
  const { credits, period, subject, thresholds, channel, owner, namesPeople } = budget;
  const by = owner === undefined ? markup`from the server settings` : markup`set up by ${mention(owner)}`;
  const names = namesPeople ? ', with names' : '';
  return [
    markup`*${formatCompact(credits)} credits* ${ruleWords(period)} for ${subjectWords(subject)}, ${by}`,
    markup`Warns ${placeMarkup(channel)} at ${warningWords(thresholds)}${names}`,
  ];
}

export const placeMarkup = (channel: string): Markup =>
  /^[UW]/.test(channel) ? markup`${mention(channel)} by direct message` : channelMention(channel);

/** @example warningWords({ actual: [50, 80], forecast: [100] }) // '50% and 80% used, and when on track for 100%' */
function warningWords({ actual, forecast }: Budget['thresholds']): string {
  const used = actual.length === 0 ? [] : [`${percents(actual)} used`];
  const expected = forecast.length === 0 ? [] : [`when on track for ${percents(forecast)}`];
  return [...used, ...expected].join(', and ');
}

export const auditWords = ({ credits, thresholds }: Pick<Budget, 'credits' | 'thresholds'>) =>
  `${formatNumber(credits)} credits, ${warningWords(thresholds)}`;

function percents(numbers: readonly number[]): string {
  const words = numbers.map((number) => `${number}%`);
  const last = words.at(-1) ?? '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function historyLines(budget: Budget, { marks, members, audit }: History): Markup[] {
  const entries = [
    ...marks.map((mark) => ({ at: mark.at, line: markWords(budget, mark) })),
    ...members.slice(1).map(({ at, emails }) => ({
      at,
      line: markup`members changed: now ${countOf(emails.length, 'person', 'people')}`,
    })),
    ...audit.map(({ at, actor, action, detail }) => ({
      at,
      line: markup`${/^[UW]/.test(actor) ? mention(actor) : 'Quartermaster'} ${action}${detail === null ? '' : `: ${detail}`}`,
    })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  if (entries.length === 0) return [];
  const left = entries.length - MAX_HISTORY;
  return [
    markup`*What happened*`,
    ...entries.slice(0, MAX_HISTORY).map(({ at, line }) => markup`•  ${readerTime(new Date(at))}: ${line}`),
    ...(left > 0 ? [markup`•  ${countOf(left, 'earlier entry', 'earlier entries')}`] : []),
  ];
}

function markWords({ channel, owner }: Budget, mark: MarkWithPlace): Markup {
  const { basis, percent, state, through, credits, isToOwner } = mark;
  const figure =
    basis === 'actual'
      ? markup`${percent}% of ${formatCompact(credits)} used`
      : markup`on track for ${percent}% of ${formatCompact(credits)}`;
  const what = basis === 'summary' ? markup`the period was summed up` : markup`${figure}, as of ${formatDay(through)}`;
  switch (state) {
    case 'passed':
      return markup`${what}; it was so already, so nobody was warned`;
    case 'withheld':
      return markup`${what}: withheld from ${placeMarkup(channel)}. ${WITHHELD}`;
    case 'withdrawn':
      return markup`${figure} was told, and corrected when the platform restated days`;
    case 'told':
      if (isToOwner && owner !== undefined)
        return markup`${what}: told to ${mention(owner)} alone, not to ${placeMarkup(channel)}. ${WITHHELD}`;
      return basis === 'summary' ? what : markup`${what}: told`;
    default:
      return state satisfies never;
  }
}

const WITHHELD = 'It would have shown there what a few people used.';

/** Names the thresholds that are already reached, for a confirmation. */
export function passedWords(budget: Pick<StoredBudget, 'credits' | 'thresholds'>, said: Said): string | undefined {
  const { spent, period, through, expected, range } = said;
  const passed = reached(budget.thresholds, budget.credits, { period, through, spent, expected, range });
  if (passed.length === 0) return undefined;
  const words = passed.map(({ basis, percent }) =>
    basis === 'actual' ? `${percent}% used` : `on track for ${percent}%`,
  );
  return `Already so, and not told again: ${words.join(', ')}.`;
}
