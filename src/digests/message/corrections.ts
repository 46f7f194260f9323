import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { messageOf, note, prose } from '../../slack/blocks/paragraphs.ts';
import { markup } from '../../base/markup.ts';
import { formatNumber } from '../../base/numbers.ts';
import type { Ranking } from '../../feature.ts';
import type { Correction, MovedFigure } from '../core/payload.ts';

/** More than these are only counted. */
const MAX_MOVED = 6;

/** @example movedText({ moved: [{ name: 'Commits', before: 100, after: 110 }], reordered: [] }) // 'Commits 100 → 110' */
export function movedText({ moved, reordered }: Pick<Correction, 'moved' | 'reordered'>): string {
  const shown = moved.slice(0, MAX_MOVED).map((one) => oneMoved(one));
  const left = moved.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : []), ...reordered.map((one) => oneReordered(one))].join(', ');
}

/** The order itself stands in the digest. */
const oneReordered = ({ title }: Ranking) => `${title} in a new order`;

function oneMoved({ name, before, after }: MovedFigure): string {
  return `${name} ${formatNumber(before)} → ${formatNumber(after)}`;
}

const STALE = 'The details in this thread stay as they were posted.';

/**
 * What the thread is told when a digest was corrected.
 *
 * @param hasDetails the thread holds details, which stay as they were posted
 */
export function correctionNote({ moved, reordered, isCompletion }: Correction, hasDetails: boolean): BlockMessage {
  const opening = isCompletion
    ? 'The platform has published what was missing, and the digest above is complete now.'
    : 'The platform has changed figures of these days, and the digest above is corrected.';
  const lines = moved.slice(0, MAX_MOVED * 2).map((one) => oneMoved(one));
  const left = moved.length - lines.length;
  const orders = reordered.map(({ title, names }) => `${title}, now in this order: ${names.join(', ')}`);
  const all = [...lines, ...(left > 0 ? [`and ${left} more`] : []), ...orders];
  return messageOf(
    prose([markup`${opening}`, ...all.map((line) => markup`•  ${line}`)]),
    note(hasDetails ? STALE : ''),
  );
}
