import { allowEverybodysAmounts } from '../../../core/figures/groups/admission.ts';
import { formatDay, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { plainLines, markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { button, type BlockMessage, type Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import { usualWords } from '../../../core/figures/measures/sentences.ts';
import type { WatchEntry, WatchMessage, WatchNote } from './unusual-day-payload.ts';
import { isUnusual } from './plan.ts';
import type { WatchDay } from './unusual-day-store.ts';

export const EXPECTED_ACTION = 'usage_watch_expected';
export const SNOOZE_DAY_ACTION = 'usage_watch_snooze_day';
export const SNOOZE_WEEK_ACTION = 'usage_watch_snooze_week';

const buttonsOf = (key: string): Button[] => [
  button({ text: 'Expected', actionId: EXPECTED_ACTION, value: key }),
  button({ text: 'Snooze 1 day', actionId: SNOOZE_DAY_ACTION, value: key }),
  button({ text: 'Snooze 1 week', actionId: SNOOZE_WEEK_ACTION, value: key }),
];

/** @param days the current state of the reported days, which `expectedBy` may have marked as expected */
export function watchMessage(
  key: string,
  { entries }: WatchMessage,
  days: readonly WatchDay[],
  expectedBy?: string,
): BlockMessage {
  const isAlert = entries.some(({ kind }) => kind === 'unusual');
  const isExpected = days.some((day) => day.isExpected === 1);
  const who = expectedBy === undefined ? markup`` : markup`, says ${mention(expectedBy)}`;
  return messageOf(
    ...entries.flatMap((entry) => entryParagraphs(entry, days)),
    prose(isExpected ? [markup`✅ Expected${who}. These days don’t count toward what’s usual.`] : []),
    smallPrint(markup`Credits by UTC day. \`/usage unwatch\` ends this.`),
    buttonRow(...(isAlert && !isExpected ? buttonsOf(key) : [])),
  );
}

function entryParagraphs(entry: WatchEntry, assessed: readonly WatchDay[]): AnyParagraph[] {
  const { about, kind, days, explained, happened } = entry;
  if (kind === 'too_little') {
    const words = markup`There are too few days of ${about} to say what’s usual. Alerts start once there are enough.`;
    return [prose(words)];
  }
  if (kind === 'back') {
    const last = days.at(-1);
    const on = last ? markup`, ${formatDay(last.day)}` : markup``;
    return [prose(markup`✅ *Back to usual: ${about}${on}.* ${last ? amountWords(last) : ''}`)];
  }
  const lines = days.map((day) => dayLine(about, day, correctionOf(entry, day, assessed)));
  return [
    prose(lines),
    prose(
      plainLines(
        explained.length === 0 ? undefined : `Mostly: ${explained.join(', ')}.`,
        happened.length === 0 ? undefined : `On that day: ${happened.join('; ')}.`,
      ),
    ),
  ];
}

type EntryDay = WatchEntry['days'][number];

function correctionOf({ subject }: WatchEntry, { day, judgement }: EntryDay, assessed: readonly WatchDay[]) {
  const row = assessed.find((one) => one.subject === subject && one.day === day);
  return row?.judgement === 'usual' && isUnusual(judgement) ? row : undefined;
}

function dayLine(about: string, day: EntryDay, corrected: WatchDay | undefined): Markup {
  const name = formatDay(day.day);
  if (corrected) {
    const now = markup`✏️ *Corrected: ${name} was usual for ${about}:* ${formatCompact(corrected.amount)} credits`;
    return corrected.amount === day.amount
      ? markup`${now}, because earlier days were revised.`
      : markup`${now}, after the platform revised it. This message said ${formatCompact(day.amount)}.`;
  }
  if (!isUnusual(day.judgement)) return markup`${name} was as usual: ${formatCompact(day.amount)} credits.`;
  return markup`⚠️ *${name} was unusually ${day.judgement} for ${about}.* ${amountWords(day)}`;
}

/** @example amountWords(day) // '12.4 M credits, above the usual 6.1–8.9 M for a Tuesday.' */
function amountWords({ day, amount, range }: EntryDay): string {
  const credits = `${formatCompact(amount)} credits`;
  return range ? `${credits}, ${usualWords(range, amount, day)}.` : `${credits}.`;
}

/** An invented day: it reveals no figure. */
export function exampleOfUnusualDay(subject: string, about: string, today: Day): BlockMessage {
  const { amount } = allowEverybodysAmounts();
  const range = { low: amount(6_000_000), usual: amount(7_500_000), high: amount(9_000_000) };
  const day = { day: plusDays(today, -1), judgement: 'high' as const, amount: amount(12_000_000), range };
  const entry = { subject, about, kind: 'unusual' as const, days: [day], explained: [], happened: [] };
  return watchMessage('', { entries: [entry] }, []);
}

export function noteMessage({ about, day, amount, before }: WatchNote): BlockMessage {
  const why =
    amount === before
      ? markup`${formatDay(day)} is usual for ${about} now, because earlier days were revised: ${formatCompact(amount)} credits.`
      : markup`The platform revised ${formatDay(day)}: ${formatCompact(amount)} instead of ${formatCompact(before)} credits, which is usual for ${about}.`;
  return messageOf(prose(markup`✏️ *Corrected.* ${why}`));
}
