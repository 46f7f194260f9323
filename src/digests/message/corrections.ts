import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { messageOf, note, prose } from '../../slack/blocks/paragraphs.ts';
import { firstOf, markup, readerTime, type Markup } from '../../base/text/markup.ts';
import { formatNumber } from '../../base/text/numbers.ts';
import type { Correction, MovedFigure } from '../core/digest-payload.ts';

const MAX_MOVED = 12;
/** The figure that readers look at first. */
const FIRST_FIGURE = 'Standard Credits';

/**
 * Describes the last correction by its most important figure, with both values; the thread has all of them.
 *
 * @example correctedMark(correction) // ✏️ Corrected today at 10:00 AM: 985,856 → 1,399,626 credits (…)
 */
export function correctedMark({ at, moved, reordered, isCompletion }: Correction): Markup {
  const time = readerTime(new Date(at));
  if (isCompletion) return markup`✅ Completed ${time}`;
  const first = moved.find(({ name }) => name === FIRST_FIGURE) ?? moved[0];
  const [order] = reordered;
  const what = first ? movedPoint(first) : order ? `${order.title} in a new order` : 'small changes';
  return markup`✏️ Corrected ${time}: ${what} (details in thread)`;
}

/** All digits, so that the difference is visible. */
function movedPoint({ name, before, after }: MovedFigure): string {
  const change = `${formatNumber(before)} → ${formatNumber(after)}`;
  return name === FIRST_FIGURE ? `${change} credits` : `${name} ${change}`;
}

function oneMoved({ name, before, after }: MovedFigure): string {
  return `${name} ${formatNumber(before)} → ${formatNumber(after)}`;
}

const STALE = 'Earlier details in this thread show the old figures.';

/** @param hasDetails whether the thread holds details, which are not edited */
export function correctionNote({ moved, reordered, isCompletion }: Correction, hasDetails: boolean): BlockMessage {
  const opening = isCompletion
    ? '✅ The missing figures are out; the digest above is complete now.'
    : '✏️ The platform revised these figures; the digest above is updated.';
  const lines = moved.map((one) => oneMoved(one));
  const orders = reordered.map(({ title, names }) => `${title}, in the new order: ${names.join(', ')}`);
  const all = [...firstOf(lines, MAX_MOVED, (left) => `and ${left} more`), ...orders];
  return messageOf(
    prose([markup`${opening}`, ...all.map((line) => markup`•  ${line}`)]),
    note(hasDetails ? STALE : ''),
  );
}
