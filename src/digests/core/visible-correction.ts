import type { ReadContents } from './contents.ts';
import type { Correction } from './digest-payload.ts';

/** If a correction was written for readers who may see single people, other readers only learn that it exists. */
export function visibleCorrection(
  correction: Correction,
  { isForNaming, isForEverybody }: Pick<ReadContents, 'isForNaming' | 'isForEverybody'>,
): Correction {
  if (isForNaming || isForEverybody || correction.isForNaming === false) return correction;
  const { at, isCompletion } = correction;
  return { at, isCompletion, moved: [], reordered: [] };
}
