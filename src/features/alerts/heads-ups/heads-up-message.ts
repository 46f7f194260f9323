import { plainLines, markup } from '../../../core/base/text/markup.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { nextOccurrence, EVERY_DAY } from '../../../core/schedule/occurrences.ts';
import { button, type BlockMessage, type Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { highest } from '../budgets/core/decide.ts';
import type { Correction, Notice } from '../budgets/core/budget-payload.ts';
import { forecastWords, percentOf, periodNote, usedPoint, usedWords } from '../budgets/core/words.ts';
import { NOTIFY_ACTION } from './heads-up-form.ts';

const MORNING = '08:00';
const EVENING_HOUR = 18;
const MORNING_HOUR = 8;

/** Returns the next morning if it is evening or night in this zone; undefined if a message may be sent now. Pure. */
export function morningFor(zone: string, now: Date): Date | undefined {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  );
  if (hour >= MORNING_HOUR && hour < EVENING_HOUR) return undefined;
  return nextOccurrence({ days: EVERY_DAY, at: MORNING, zone }, now).at;
}

const changeButton = (): Button => button({ text: 'Edit', actionId: NOTIFY_ACTION });

export function headsUpView({ thresholds, said: figures }: Notice, more: readonly Button[]): BlockMessage {
  const percent = highest(thresholds)?.percent ?? 0;
  return messageOf(
    prose([
      markup`${percent >= 100 ? '🛑' : '⚠️'} *${figures.title}: ${usedPoint(percent, figures)}*`,
      ...plainLines(usedWords(figures), forecastWords(figures, formatCompact(figures.credits))),
    ]),
    buttonRow(...more, changeButton()),
    smallPrint(markup`Only you see this. ${periodNote(figures)}`),
  );
}

export function correctedHeadsUp({ after, before }: Correction, more: readonly Button[]): BlockMessage {
  const { spent, credits, title } = after.said;
  return messageOf(
    prose([
      markup`✏️ *Corrected: ${title} ${title.endsWith('s') ? 'are' : 'is'} at ${percentOf(spent, credits)}, not ${percentOf(before.said.spent, before.said.credits)}*`,
      markup`The platform revised its figures. ${usedWords(after.said)}`,
    ]),
    buttonRow(...more, changeButton()),
    smallPrint(markup`Only you see this. ${periodNote(after.said)}`),
  );
}
