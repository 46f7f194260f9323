import { z } from 'zod';
import { declareWatches } from '../../../core/watches/watch-kind.ts';
import { recentSchema } from './bursts.ts';
import { isBelow } from '../diff/paths.ts';
import { membersOf, type RevisionOutline } from './revisions.ts';

export interface WatchFilter {
  /** The watched settings; empty: all. */
  names: string[];
  /** Only changes that weaken, or that strengthen, a protection. */
  only?: Strength | undefined;
}

export const STRENGTHS = ['weaker', 'stronger'] as const;
export type Strength = (typeof STRENGTHS)[number];

export const EVERYTHING: WatchFilter = { names: [] };

/** A channel has one watch. A list of names alone means all their changes; earlier versions stored `onlyWeaker`. */
export const controlsWatches = declareWatches({
  kind: 'controls',
  options: z.union([
    z.array(z.string()).transform((names): WatchFilter => ({ names })),
    z
      .object({ names: z.array(z.string()), onlyWeaker: z.literal(true) })
      .transform(({ names }): WatchFilter => ({ names, only: 'weaker' })),
    z.object({ names: z.array(z.string()), only: z.literal('stronger') }),
  ]),
  recent: recentSchema,
});

export function matchesWatch({ names }: WatchFilter, member: string): boolean {
  return names.length === 0 || names.some((name) => isBelow(member, name));
}

/** A watch of everything also gets revisions without visible changes. */
export function isRelevant(row: Pick<RevisionOutline, 'members' | Strength>, filter: WatchFilter): boolean {
  if (filter.only && (row[filter.only] ?? 0) === 0) return false;
  return filter.names.length === 0 || membersOf(row).some((member) => matchesWatch(filter, member));
}
