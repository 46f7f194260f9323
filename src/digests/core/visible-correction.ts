import type { ReadContents } from './contents.ts';
import type { Correction } from './payload.ts';

/**
 * A correction as the readers of a digest may see it: if it was put together for readers who may see single people, other
 * readers only learn that there was one. Pure.
 *
 * @param contents what these readers see of the digest
 */
export function visibleCorrection(
  correction: Correction,
  { isForNaming, isForEverybody }: Pick<ReadContents, 'isForNaming' | 'isForEverybody'>,
): Correction {
  if (isForNaming || isForEverybody || correction.isForNaming === false) return correction;
  const { at, isCompletion } = correction;
  return { at, isCompletion, moved: [], reordered: [] };
}
