import { channelMention, joinMarkup, plainLines, markup, type Markup } from '../../../../core/base/text/markup.ts';
import { formatDay, formatPeriod, formatDate } from '../../../../core/base/time/calendar.ts';
import { formatCompact } from '../../../../core/base/text/numbers.ts';
import type { BlockMessage, Button } from '../../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../../core/slack/blocks/paragraphs.ts';
import { editButton, showButton } from '../core/budget-buttons.ts';
import { highest, type Threshold } from '../core/decide.ts';
import type { Correction, Notice, MessageFigures, Summary } from '../core/budget-payload.ts';
import {
  forecastWords,
  percentOf,
  periodNote,
  priceWords,
  STATES,
  stateOf,
  usedPoint,
  usedWords,
} from '../core/words.ts';

export function noticeMessage(
  { budgetId, thresholds, haveMembersChanged, said: figures, withheldFrom }: Notice,
  more: readonly Button[],
): BlockMessage {
  const { icon } = STATES[stateOf(figures)];
  return messageOf(
    prose([
      markup`${icon === STATES.within.icon ? STATES.at_risk.icon : icon} *${figures.title}: ${pointOf(thresholds, figures)}*`,
      ...plainLines(
        haveMembersChanged ? MEMBERS_CHANGED : undefined,
        usedWords(figures),
        forecastWords(figures),
        priceWords(figures),
        explainedWords(figures.explained),
      ),
    ]),
    smallPrint(...withheldLines(withheldFrom), markup`${periodNote(figures)}`),
    buttonRow(showButton(budgetId), editButton(budgetId), ...more),
  );
}

const MEMBERS_CHANGED = 'Its members changed: the present ones count for the whole period.';

const withheldLines = (channel: string | undefined): Markup[] =>
  channel === undefined
    ? []
    : [
        markup`Only you get this: in ${channelMention(channel)}, it would show what a few people used. Include names in the budget to have it posted there.`,
      ];

/** @example pointOf([{ basis: 'actual', percent: 50 }, { basis: 'actual', percent: 80 }], said) // '83% used, past 80%' */
function pointOf(thresholds: readonly Threshold[], figures: Notice['said']): string {
  const named = highest(thresholds);
  if (named?.basis === 'forecast')
    return `on track for ${percentOf(figures.expected ?? figures.spent, figures.credits)}`;
  return usedPoint(named?.percent ?? 0, figures);
}

const explainedWords = (explained: readonly string[]) =>
  explained.length === 0 ? undefined : `Mostly: ${explained.join(', ')}.`;

export function summaryMessage(summary: Summary): BlockMessage {
  return messageOf(
    summaryParagraph(summary),
    ...withheldLines(summary.withheldFrom).map((line) => smallPrint(line)),
    buttonRow(showButton(summary.budgetId)),
  );
}

function summaryParagraph({ said: figures, halfway }: Summary) {
  const { spent, credits, title, period } = figures;
  const icon = spent > credits ? STATES.over.icon : STATES.within.icon;
  const forecast = halfway
    ? `Halfway, on ${formatDate(halfway.day)}, the forecast was ${formatCompact(halfway.expected)}.`
    : undefined;
  const used = `${formatCompact(spent)} of ${formatCompact(credits)} credits used (${percentOf(spent, credits)})`;
  const sentences = [
    markup`${icon} *${title}, ${formatPeriod(period, figures.through)}: ${used}.*`,
    ...plainLines(forecast, priceWords(figures)),
  ];
  return prose(joinMarkup(sentences, ' '));
}

export function correctedMessage(correction: Correction, more: readonly Button[]): BlockMessage {
  const { after, before } = correction;
  if (after.kind === 'summary') {
    const note = markup`✏️ Corrected: this said ${formatCompact(before.said.spent)} before the platform revised its figures.`;
    return messageOf(summaryParagraph(after), smallPrint(note), buttonRow(showButton(after.budgetId)));
  }
  return messageOf(
    prose([
      markup`✏️ *Corrected: ${after.said.title} ${crossedWords(correction)}*`,
      ...plainLines(restatedWords(correction), forecastWords(after.said)),
    ]),
    smallPrint(markup`${periodNote(after.said)}`),
    buttonRow(showButton(after.budgetId), editButton(after.budgetId), ...more),
  );
}

function crossedWords(correction: Correction): string {
  const named = highest(correction.standing);
  if (!named) return nothingCrossedWords(correction);
  return named.basis === 'forecast' ? `is on track for ${named.percent}%` : `is only past ${named.percent}%`;
}

const isOfForecast = ({ before }: Correction) =>
  before.kind === 'crossed' && highest(before.thresholds)?.basis === 'forecast';

function nothingCrossedWords(correction: Correction): string {
  const { after, before } = correction;
  const isForecast = isOfForecast(correction);
  const shareOf = ({ spent, expected = spent, credits }: MessageFigures) =>
    percentOf(isForecast ? expected : spent, credits);
  const [now, was] = [shareOf(after.said), shareOf(before.said)];
  return isForecast ? `is on track for ${now}, not ${was}` : `is at ${now}, not ${was}`;
}

function restatedWords(correction: Correction): string {
  const { after, before } = correction;
  const as = `As of ${formatDay(after.said.through)}`;
  const { spent, credits, expected } = after.said;
  if (isOfForecast(correction) && before.said.expected !== undefined) {
    const now = expected === undefined ? 'unknown' : `${formatCompact(expected)} (${percentOf(expected, credits)})`;
    return `The platform revised its figures. ${as}, the forecast is ${now}, not ${formatCompact(before.said.expected)}.`;
  }
  const was = `${formatCompact(before.said.spent)} (${percentOf(before.said.spent, before.said.credits)})`;
  return `The platform revised its figures. ${as}, ${formatCompact(spent)} of ${formatCompact(credits)} credits were used (${percentOf(spent, credits)}), not ${was}.`;
}

export function correctionNote(correction: Correction): BlockMessage {
  return messageOf(prose(markup`✏️ *Corrected.* ${restatedWords(correction)}`));
}
