import { partOf, type Score } from '../reports/scores.ts';

/** Steps of ten percent: a rise within one is no news. */
const STEPS = 10;

// What is 0.3 may be written 0.30000000000000004.
const step = (part: number) => Math.floor(part * STEPS + 1e-9);

export type Move = { kind: 'fell' | 'rose' } | { kind: 'nothing_to_tell'; reason: 'same' | 'within_step' };

/**
 * Whether a new report is worth a message: when the part of passing checks fell, or rose past a step of 10 %. Pure.
 *
 * @example decideMove({ numerator: 18, denominator: 20, … }, { numerator: 19, denominator: 20, … }) // rose within a step: nothing to tell
 */
export function decideMove(before: Score, now: Score): Move {
  const [from, to] = [partOf(before), partOf(now)];
  if (to < from) return { kind: 'fell' };
  if (to === from) return { kind: 'nothing_to_tell', reason: 'same' };
  return step(to) > step(from) ? { kind: 'rose' } : { kind: 'nothing_to_tell', reason: 'within_step' };
}
