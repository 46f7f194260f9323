import type { Ranking, SectionReading } from '../../../core/feature.ts';
import type { Figures, ChangedFigure, Rankings } from '../core/digest-payload.ts';

/** A smaller relative change does not cause a correction. */
const SMALLEST_CHANGE = 0.005;

export function figuresOf(sections: readonly { id: string; reading: SectionReading }[]): Figures {
  return Object.fromEntries(
    sections.flatMap(({ id, reading }) => (reading.kind === 'unreadable' ? [] : [[id, { ...reading.figures }]])),
  );
}

/** Includes changes from or to zero, but no figure that is missing before or after; lists each name once. */
export function changedFigures(before: Figures, after: Figures): ChangedFigure[] {
  const changed = Object.entries(before).flatMap(([section, figures]) =>
    Object.entries(figures).flatMap(([name, value]) => {
      const now = after[section]?.[name];
      return now !== undefined && hasChanged(value, now) ? [{ name, before: value, after: now }] : [];
    }),
  );
  return changed.filter((one, index) => changed.findIndex((other) => isSame(one, other)) === index);
}

const isSame = (one: ChangedFigure, other: ChangedFigure) =>
  one.name === other.name && one.before === other.before && one.after === other.after;

function hasChanged(before: number, after: number): boolean {
  if (before === after) return false;
  if (before === 0 || after === 0) return true;
  return Math.abs(after - before) > Math.abs(before) * SMALLEST_CHANGE;
}

export function rankingsOf(sections: readonly { id: string; reading: SectionReading }[]): Rankings {
  return Object.fromEntries(
    sections.flatMap(({ id, reading }) =>
      reading.kind === 'unreadable' || !reading.ranking ? [] : [[id, { ...reading.ranking }]],
    ),
  );
}

/** Returns the rankings whose order changed since a digest was sent, as they are now. Pure. */
export function reorderedRankings(before: Rankings, after: Rankings): Ranking[] {
  return Object.entries(before).flatMap(([section, { names }]) => {
    const now = after[section];
    return now && JSON.stringify(now.names) !== JSON.stringify(names) ? [now] : [];
  });
}
