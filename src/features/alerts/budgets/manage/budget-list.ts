import { formatDate, formatDay, formatPeriod } from '../../../../core/base/time/calendar.ts';
import {
  channelMention,
  plainLines,
  markup,
  mention,
  readerTime,
  withRest,
  type Markup,
} from '../../../../core/base/text/markup.ts';
import { barOf, countOf, formatCompact, formatNumber } from '../../../../core/base/text/numbers.ts';
import type { Block, BlockMessage } from '../../../../core/slack/blocks/blocks.ts';
import {
  blocksOf,
  buttonRow,
  chartParagraph,
  messageOf,
  prose,
  smallPrint,
  type AnyParagraph,
} from '../../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton, sendRegularlyButtons } from '../../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../../core/slack/commands/command-text.ts';
import type { AttentionItem } from '../../../../core/slack/interactions/interactions.ts';
import type { AuditEntry } from '../../../../core/store/audit.ts';
import { ownerOf, ruleWords, subjectWords, titleOf, type Alert, type Budget } from '../core/budget.ts';
import {
  editButton,
  explainBudgetButton,
  newButton,
  pauseBudgetButton,
  removeButton,
  showButton,
} from '../core/budget-buttons.ts';
import { reachedThresholds } from '../core/decide.ts';
import type { MessageFigures } from '../core/budget-payload.ts';
import type { Members } from '../core/budget-marks.ts';
import type { MarkRow, StoredAlert } from '../core/budget-store.ts';
import {
  costWords,
  forecastWords,
  NOT_A_STOP,
  percentOf,
  periodNote,
  priceWords,
  STATES,
  stateOf,
  usedWords,
} from '../core/words.ts';
import type { Person } from '../../../../core/slack/people/people.ts';
import type { BudgetStatus } from '../evaluate/budget-status.ts';

/** Each row takes two blocks of a message. */
const MAX_ROWS = 20;
/** App Home has other sections too. */
const MAX_ROWS_IN_HOME = 5;
export const SETTINGS_BUDGET = 'settings';
export const GONE = 'This budget was removed.';

const NONE = markup`There are no budgets yet. Set one up, and Quartermaster warns before the credits run out.`;

const unfitRow = (count: number) => [prose(markup`${countOf(count, 'more budget')} didn’t fit here.`)];

export function listMessage(statuses: readonly BudgetStatus[], reader: Pick<Person, 'role'>): BlockMessage {
  const rows = byUrgency(statuses).map((status) => [prose(rowLines(status)), buttonRow(...rowButtons(status))]);
  return messageOf(
    prose(statuses.length === 0 ? NONE : markup`*${countOf(statuses.length, 'budget')}*`),
    ...withRest(rows, MAX_ROWS, unfitRow).flat(),
    buttonRow(
      newButton(),
      ...(statuses.length === 0 ? [] : sendRegularlyButtons(reader, commandText`new weekly budgets`)),
    ),
    smallPrint(markup`${NOT_A_STOP} Credits are published once a day.`),
  );
}

const unfitHomeRow = (count: number) => prose(markup`${countOf(count, 'more budget')}: type \`/budget\`.`);

export function homeBlocks(statuses: readonly BudgetStatus[]): Block[] {
  if (statuses.length === 0) return blocksOf([prose(NONE)]);
  const rows = byUrgency(statuses).map((status) => prose(rowLines(status)));
  return blocksOf(withRest(rows, MAX_ROWS_IN_HOME, unfitHomeRow));
}

/** The last period stays for days after its end, and says nothing about the present one. */
export function budgetAttention(statuses: readonly BudgetStatus[]): AttentionItem[] {
  const exceeded = statuses.flatMap((status) =>
    status.kind === 'known' && stateOf(status.figures) === 'over' ? [status.figures] : [],
  );
  const { over: past = [], open: current = [] } = Object.groupBy(exceeded, (one) => (isOver(one) ? 'over' : 'open'));
  const button = runCommandButton('Open', '/budget', commandText``);
  const linesOf = (figures: readonly MessageFigures[], words: string) =>
    figures.length === 0
      ? []
      : [{ line: markup`${STATES.over.icon} *${countOf(figures.length, 'budget')} ${words}.*`, button }];
  const periods = [...new Set(past.map(({ period, through }) => formatPeriod(period, through)))].join(', ');
  return [
    ...linesOf(current, current.length === 1 ? 'is used up' : 'are used up'),
    ...linesOf(past, `${past.length === 1 ? 'was' : 'were'} exceeded (${periods}, which is over)`),
  ];
}

const isOver = ({ period, through }: MessageFigures): boolean => through >= period.last;

const URGENCY = { over: 0, at_risk: 1, within: 2 } as const;

function byUrgency(statuses: readonly BudgetStatus[]): BudgetStatus[] {
  return statuses.toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || shareOf(b) - shareOf(a));
}

const shareOf = (status: BudgetStatus) => (status.kind === 'known' ? status.figures.spent / status.figures.credits : 0);

const urgencyOf = (status: BudgetStatus) =>
  status.kind === 'known' ? URGENCY[stateOf(status.figures)] : URGENCY.within;

/** @example rowLines(standing) // ['⚠️ *Monthly budget of the organization*  `k7m2`', …] */
export function rowLines(status: BudgetStatus): Markup[] {
  const { budget } = status;
  const title = titleOf(budget);
  const paused = pausedLines(budget);
  if (status.kind !== 'known') return [markup`*${title}*  \`${budget.id}\``, markup`${statusWords(status)}`, ...paused];
  const { figures } = status;
  const { icon, word } = STATES[stateOf(figures)];
  return [
    markup`${icon} *${title}*  \`${budget.id}\``,
    markup`${barOf(figures.spent, figures.credits)} *${percentOf(figures.spent, figures.credits)}* · ${word} · ${remainingWords(figures)}`,
    markup`${shortForecast(figures)}`,
    ...membersLines(status),
    ...paused,
  ];
}

const membersLines = ({ membersChangedOn: day }: Extract<BudgetStatus, { kind: 'known' }>): Markup[] =>
  day === undefined
    ? []
    : [
        markup`Its members changed on ${formatDay(day)}: this counts the present ones, and earlier warnings counted those of their time.`,
      ];

export const pausedLines = ({ state }: Pick<StoredAlert, 'state'>): Markup[] =>
  state === 'paused' ? [markup`⏸️ *Paused.* No warnings come until it is resumed.`] : [];

function remainingWords({ spent, credits }: MessageFigures): string {
  const remaining = credits - spent;
  return remaining >= 0
    ? `${formatCompact(remaining)} of ${formatCompact(credits)} left`
    : `${formatCompact(-remaining)} over ${formatCompact(credits)}`;
}

function shortForecast(figures: MessageFigures): string {
  const { expected, credits } = figures;
  const cost = figures.cost ? ` · ${costWords(figures.cost)}` : '';
  if (isOver(figures)) return `${formatPeriod(figures.period, figures.through)}, which is over${cost}`;
  if (expected === undefined) return `As of ${formatDay(figures.through)}${cost}`;
  return `On track for ${formatCompact(expected)} (${percentOf(expected, credits)}) · as of ${formatDay(figures.through)}${cost}`;
}

export function statusWords(status: Exclude<BudgetStatus, { kind: 'known' }>): string {
  const credits = `${formatCompact(status.budget.credits)} credits`;
  switch (status.kind) {
    case 'open':
      return status.period
        ? `${credits} for ${formatPeriod(status.period)}; no day of it is published yet.`
        : `${credits}; it has not begun.`;
    case 'unreadable':
      return `${credits}. How much is used could not be read from the platform just now.`;
    case 'not_counted':
      return `${credits}. ⚠️ Not counted. ${status.sentence}`;
    case 'nobody':
      return `${credits}. Slack doesn’t say just now who belongs to ${subjectWords(status.budget.subject)}.`;
    case 'hidden':
      return `${credits}. How much is used isn’t shown: in these days, it would show what a few people used.`;
    default:
      return status satisfies never;
  }
}

function rowButtons({ budget }: BudgetStatus) {
  const isFromSettings = budget.id === SETTINGS_BUDGET;
  return [
    showButton(budget.id),
    ...(isFromSettings
      ? []
      : [editButton(budget.id, 'Edit'), pauseBudgetButton(budget), removeButton(budget.id, titleOf(budget))]),
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

export function detailMessage(status: BudgetStatus, history: History): BlockMessage {
  const { budget } = status;
  return messageOf(
    prose(rowLines(status).slice(0, 2)),
    ...(status.kind === 'known' ? knownParagraphs(status) : []),
    prose([...termsLines(budget), ...pausedLines(budget)]),
    prose(historyLines(budget, history)),
    buttonRow(...rowButtons(status).slice(1), ...(status.kind === 'known' ? [explainBudgetButton(budget.id)] : [])),
    smallPrint(markup`${status.kind === 'known' ? periodNote(status.figures) : NOT_A_STOP}`),
  );
}

function knownParagraphs({ figures, rows }: Extract<BudgetStatus, { kind: 'known' }>): AnyParagraph[] {
  let sum = 0;
  const sums = thinned(rows.map(({ date, billable_tokens: credits }) => ({ date, used: (sum += credits) })));
  return [
    prose(plainLines(usedWords(figures), forecastWords(figures), priceWords(figures))),
    chartParagraph({
      kind: 'line',
      title: `Credits since ${formatDay(figures.period.first)}`,
      categories: sums.map(({ date }) => formatDate(date)),
      series: [
        { name: 'Used', values: sums.map(({ used }) => used) },
        { name: 'Budget', values: sums.map(() => figures.credits) },
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

export function termsLines(alert: Alert): Markup[] {
  const { credits, period, subject, thresholds, channel } = alert;
  const owner = ownerOf(alert);
  const by = owner === undefined ? markup`from the server settings` : markup`set up by ${mention(owner)}`;
  return [
    markup`*${formatCompact(credits)} credits* ${ruleWords(period)} for ${subjectWords(subject)}, ${by}`,
    markup`Warns ${warningPlace(channel)} at ${warningWords(thresholds)}${alert.kind === 'budget' && alert.namesPeople ? ', with names' : ''}`,
  ];
}

export const warningPlace = (channel: string): Markup =>
  /^[UW]/.test(channel) ? markup`${mention(channel)} by direct message` : channelMention(channel);

/** @example warningWords({ actual: [50, 80], forecast: [100] }) // '50% and 80% used, and when on track for 100%' */
function warningWords({ actual, forecast }: Budget['thresholds']): string {
  const used = actual.length === 0 ? [] : [`${percents(actual)} used`];
  const expected = forecast.length === 0 ? [] : [`when on track for ${percents(forecast)}`];
  return [...used, ...expected].join(', and ');
}

export const auditWords = ({ credits, thresholds }: Pick<Budget, 'credits' | 'thresholds'>) =>
  `${formatNumber(credits)} credits, ${warningWords(thresholds)}`;

const percents = (numbers: readonly number[]): string =>
  new Intl.ListFormat('en-GB').format(numbers.map((percent) => `${percent}%`));

const earlierEntries = (count: number) => markup`•  ${countOf(count, 'earlier entry', 'earlier entries')}`;

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
  const lines = entries.map(({ at, line }) => markup`•  ${readerTime(new Date(at))}: ${line}`);
  return [markup`*What happened*`, ...withRest(lines, MAX_HISTORY, earlierEntries)];
}

function markWords({ channel, owner }: Budget, mark: MarkWithPlace): Markup {
  const { basis, percent, state, through, credits, isToOwner } = mark;
  const figure =
    basis === 'actual'
      ? markup`${percent}% of ${formatCompact(credits)} used`
      : markup`on track for ${percent}% of ${formatCompact(credits)}`;
  const what =
    basis === 'summary' ? markup`summary of the period sent` : markup`${figure} (as of ${formatDay(through)})`;
  switch (state) {
    case 'passed':
      return markup`already ${figure} when this was set up, so no warning was sent`;
    case 'withheld':
      return markup`no warning for ${warningPlace(channel)}: ${what}. ${WITHHELD}`;
    case 'withdrawn':
      return markup`warning corrected after the platform revised its figures: ${figure}`;
    case 'told':
      if (isToOwner && owner !== undefined)
        return markup`warned only ${mention(owner)}, not ${warningPlace(channel)}: ${what}. ${WITHHELD}`;
      return basis === 'summary' ? what : markup`warned ${warningPlace(channel)}: ${what}`;
    default:
      return state satisfies never;
  }
}

const WITHHELD = 'In the channel, it would have shown what a few people used.';

export function alreadyReachedWords(
  budget: Pick<Alert, 'credits' | 'thresholds'>,
  figures: MessageFigures,
): string | undefined {
  const alreadyReached = reachedThresholds(budget.thresholds, budget.credits, figures);
  if (alreadyReached.length === 0) return undefined;
  const words = alreadyReached.map(({ basis, percent }) =>
    basis === 'actual' ? `${percent}% used` : `on track for ${percent}%`,
  );
  const next = budget.thresholds.actual.find(
    (percent) => !alreadyReached.some((one) => one.basis === 'actual' && one.percent === percent),
  );
  const nextWords = next === undefined ? '' : ` The next warning is at ${next}% used.`;
  return `Already reached: ${words.join(', ')}.${nextWords}`;
}
