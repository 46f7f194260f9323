import pLimit from 'p-limit';
import type { DailyCreditsRow, Part } from '../analytics/day-facts.ts';
import { createCache } from '../base/cache.ts';
import { markup, readerTime, type Markup } from '../base/text/markup.ts';
import { countOf, formatCompact } from '../base/text/numbers.ts';
import { formatDay, formatPeriod, type Day, type Period } from '../base/time/calendar.ts';
import { splitWords } from '../slack/commands/command-words.ts';
import type { BlockMessage } from '../slack/blocks/blocks.ts';
import { oldButtonSentence, plainMessage } from '../slack/blocks/messages.ts';
import { messageOf, prose } from '../slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../slack/interactions.ts';
import { sumOf } from '../figures/measures/figures.ts';
import { todayOf } from '../analytics/period.ts';
import { decideQuestion } from './answer.ts';
import { CHECK_ACTION, checkButtons, MAX_CHECKED_DAYS } from './answer-actions.ts';
import { parseUsage } from './usage-command.ts';
import type { UsageDeps } from './usage-deps.ts';

/** One check of a period in this time, shared by everyone who asks. */
const EVERY_MS = 10 * 60_000;
const MAX_LINES = 10;

export interface DayChange {
  day: Day;
  before: number | undefined;
  after: number | undefined;
}

/** The days whose credits differ between two readings, oldest first. Pure. */
export function changedDays(before: readonly DailyCreditsRow[], after: readonly DailyCreditsRow[]): DayChange[] {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [row.date, row.billable_tokens])));
  const days = [...new Set([...before, ...after].map(({ date }) => date))].toSorted();
  return days
    .map((day) => ({ day, before: old?.get(day), after: now?.get(day) }))
    .filter((change) => change.before !== change.after);
}

/** *Check now*: reads the days of an answer from the platform again, past the store, and says whether they still hold. */
export function checkNowAction(deps: UsageDeps): ClickAction {
  // Different periods are checked one after another, since each reads up to a month of people.
  const inTurn = pLimit(1);
  const checks = createCache(deps.clock, EVERY_MS, (period: Period) => inTurn(() => checkPeriod(deps, period)), {
    idOf: ({ first, last }) => `${first}..${last}`,
    maxEntries: 100,
  });
  return { actionId: CHECK_ACTION, role: 'member', run: (click) => checkNow(deps, checks, click) };
}

async function checkNow(deps: UsageDeps, checks: { get(period: Period): Promise<Check> }, click: Click): Promise<void> {
  const parsed = parseUsage(splitWords(click.value), deps.clock.now());
  if (parsed.kind !== 'run') return click.reply.add(plainMessage(oldButtonSentence('/usage')));
  const decision = await decideQuestion(deps, parsed.request, click.person);
  if (decision.kind === 'refused') return click.reply.add(await click.refusal(decision.why));
  const { period } = decision;
  if (checkButtons(parsed.request, period).length === 0)
    return click.reply.add(plainMessage(`Only totals of up to ${MAX_CHECKED_DAYS} days can be checked.`));
  await click.reply.add(checkMessage(await checks.get(period), period, todayOf(deps)));
}

interface Check {
  before: readonly DailyCreditsRow[];
  after: readonly DailyCreditsRow[];
  readAt: Date;
}

async function checkPeriod({ days }: UsageDeps, period: Period): Promise<Check> {
  const before = rowsOf(await days.credits(period, { maxAgeMs: Number.POSITIVE_INFINITY }));
  const again = await days.credits(period, { isForced: true });
  return { before, after: rowsOf(again), readAt: again.kind === 'read' ? again.readAt : new Date(0) };
}

/** @throws PlatformError if the days cannot be read */
function rowsOf(part: Part<DailyCreditsRow>): readonly DailyCreditsRow[] {
  if (part.kind === 'unreadable') throw part.fault;
  return part.rows;
}

function checkMessage({ before, after, readAt }: Check, period: Period, today: Day): BlockMessage {
  const changes = changedDays(before, after);
  const total = formatCompact(sumOf(after, (row) => row.billable_tokens));
  const when = markup`${formatPeriod(period, today)}, read from the platform again ${readerTime(readAt)}.`;
  if (changes.length === 0) return messageOf(prose(markup`✅ *Unchanged: ${total} credits* on ${when}`));
  const was = formatCompact(sumOf(before, (row) => row.billable_tokens));
  const lines = changes.slice(0, MAX_LINES).map(changeLine);
  const hidden = changes.length > MAX_LINES ? [markup`and ${countOf(changes.length - MAX_LINES, 'other day')}`] : [];
  return messageOf(prose([markup`✏️ *Changed: ${total} credits* (was ${was}) on ${when}`, ...lines, ...hidden]));
}

const amountWords = (amount: number | undefined) => (amount === undefined ? 'not published' : formatCompact(amount));

const changeLine = ({ day, before, after }: DayChange): Markup =>
  markup`•  ${formatDay(day)}: ${amountWords(before)} → ${amountWords(after)}`;
