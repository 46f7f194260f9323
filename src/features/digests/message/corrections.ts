import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { messageOf, note, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { withRest, markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { formatNumber } from '../../../core/base/text/numbers.ts';
import type { Correction, ChangedFigure } from '../core/digest-payload.ts';

const MAX_CHANGED = 12;
/** The figure that readers look at first. */
const FIRST_FIGURE = 'Standard Credits';

/** @example correctedMark(correction) // ✏️ Corrected today at 10:00 AM: 985,856 → 1,399,626 credits (…) */
export function correctedMark({ at, moved: changedFigures, reordered, isCompletion }: Correction): Markup {
  const time = readerTime(new Date(at));
  if (isCompletion) return markup`✅ Completed ${time}`;
  const first = changedFigures.find(({ name }) => name === FIRST_FIGURE) ?? changedFigures[0];
  const [order] = reordered;
  const what = first ? changedPoint(first) : order ? `${order.title} in a new order` : 'small changes';
  return markup`✏️ Corrected ${time}: ${what} (details in thread)`;
}

/** All digits, so that the difference is visible. */
function changedPoint({ name, before, after }: ChangedFigure): string {
  const change = `${formatNumber(before)} → ${formatNumber(after)}`;
  return name === FIRST_FIGURE ? `${change} credits` : `${name} ${change}`;
}

function changeLine({ name, before, after }: ChangedFigure): string {
  return `${name} ${formatNumber(before)} → ${formatNumber(after)}`;
}

const STALE = 'Earlier details in this thread show the old figures.';

/** @param hasDetails whether the thread holds details, which are not edited */
export function correctionNote(
  { moved: changedFigures, reordered, isCompletion }: Correction,
  hasDetails: boolean,
): BlockMessage {
  const opening = isCompletion
    ? '✅ The missing figures are out; the digest above is complete now.'
    : '✏️ The platform revised these figures; the digest above is updated.';
  const lines = changedFigures.map((one) => changeLine(one));
  const orders = reordered.map(({ title, names }) => `${title}, in the new order: ${names.join(', ')}`);
  const all = [...withRest(lines, MAX_CHANGED, (hiddenCount) => `and ${hiddenCount} more`), ...orders];
  return messageOf(
    prose([markup`${opening}`, ...all.map((line) => markup`•  ${line}`)]),
    note(hasDetails ? STALE : ''),
  );
}
