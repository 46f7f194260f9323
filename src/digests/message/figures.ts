import type { Ranking, SectionReading } from '../../feature.ts';
import type { Figures, MovedFigure, Rankings } from '../core/payload.ts';

/** A figure that moved by no more than this is not worth a correction. */
const SMALLEST_MOVE = 0.005;

export function figuresOf(sections: readonly { id: string; reading: SectionReading }[]): Figures {
  return Object.fromEntries(
    sections.flatMap(({ id, reading }) => (reading.kind === 'unreadable' ? [] : [[id, { ...reading.figures }]])),
  );
}

/**
 * Which figures are others now than a digest said: by more than half a percent, or from or to zero. A figure that only one
 * of the two has did not move, and one that several sections hold is named once. Pure.
 *
 * @example movedFigures({ summary: { Commits: 100 } }, { summary: { Commits: 101 } }) // [{ name: 'Commits', before: 100, after: 101 }]
 */
export function movedFigures(before: Figures, after: Figures): MovedFigure[] {
  const moved = Object.entries(before).flatMap(([section, figures]) =>
    Object.entries(figures).flatMap(([name, value]) => {
      const now = after[section]?.[name];
      return now !== undefined && hasMoved(value, now) ? [{ name, before: value, after: now }] : [];
    }),
  );
  return moved.filter((one, index) => moved.findIndex((other) => isSame(one, other)) === index);
}

const isSame = (one: MovedFigure, other: MovedFigure) =>
  one.name === other.name && one.before === other.before && one.after === other.after;

function hasMoved(before: number, after: number): boolean {
  if (before === after) return false;
  if (before === 0 || after === 0) return true;
  return Math.abs(after - before) > Math.abs(before) * SMALLEST_MOVE;
}

export function rankingsOf(sections: readonly { id: string; reading: SectionReading }[]): Rankings {
  return Object.fromEntries(
    sections.flatMap(({ id, reading }) =>
      reading.kind === 'unreadable' || !reading.ranking ? [] : [[id, { ...reading.ranking }]],
    ),
  );
}

/** The rankings whose names stand in another order than a digest said, as they are now. Pure. */
export function reorderedRankings(before: Rankings, after: Rankings): Ranking[] {
  return Object.entries(before).flatMap(([section, { names }]) => {
    const now = after[section];
    return now && JSON.stringify(now.names) !== JSON.stringify(names) ? [now] : [];
  });
}
