import { shareOf, type Score } from '../reports/scores.ts';

/** A rise within one step of 10 % is not announced. */
const STEPS = 10;

// A share of 0.3 may be computed as 0.30000000000000004.
const step = (part: number) => Math.floor(part * STEPS + 1e-9);

export type Move = { kind: 'fell' | 'rose' } | { kind: 'nothing_to_tell'; reason: 'same' | 'within_step' };

/** A message is needed if the share of passing checks fell, or rose past a step of 10 %. */
export function decideMove(before: Score, now: Score): Move {
  const [from, to] = [shareOf(before), shareOf(now)];
  if (to < from) return { kind: 'fell' };
  if (to === from) return { kind: 'nothing_to_tell', reason: 'same' };
  return step(to) > step(from) ? { kind: 'rose' } : { kind: 'nothing_to_tell', reason: 'within_step' };
}
