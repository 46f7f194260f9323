import type { ReadContents } from './contents.ts';
import type { Correction } from './digest-payload.ts';

/**
 * Returns a correction as the readers of a digest may see it. If it was written for readers who may see single people,
 * other readers only learn that it exists. Pure.
 *
 * @param contents the content of the digest for these readers
 */
export function visibleCorrection(
  correction: Correction,
  { isForNaming, isForEverybody }: Pick<ReadContents, 'isForNaming' | 'isForEverybody'>,
): Correction {
  if (isForNaming || isForEverybody || correction.isForNaming === false) return correction;
  const { at, isCompletion } = correction;
  return { at, isCompletion, moved: [], reordered: [] };
}
