/** The readability of a text in numbers that can be compared with an earlier version. */
export interface Readability {
  words: number;
  wordsPerSentence: number;
  /** Flesch and Kincaid’s grade: the years of school after which most people read it with ease. */
  grade: number;
}

const WORD = /[\p{L}’']+/gu;
const SENTENCE_END = /[.!?…:](?:\s|$)|\n/;

/**
 * Measures the length of sentences and words. Figures, code and ids are not counted as words.
 *
 * @example readabilityOf(['The cat sat on the mat.']).wordsPerSentence // 6
 */
export function readabilityOf(lines: readonly string[]): Readability {
  const sentences = lines
    .map((line) => withoutSigns(line))
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.match(WORD) ?? [])
    // A label or a button is no sentence.
    .filter((words) => words.length >= 4);
  const words = sentences.flat();
  if (words.length === 0) return { words: 0, wordsPerSentence: 0, grade: 0 };
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  const wordsPerSentence = words.length / sentences.length;
  const grade = 0.39 * wordsPerSentence + 11.8 * (syllables / words.length) - 15.59;
  return { words: words.length, wordsPerSentence, grade };
}

/** Removes code, mentions, addresses and ids. */
function withoutSigns(line: string): string {
  const plain = line
    .split('`')
    .filter((_, index) => index % 2 === 0)
    .join(' ');
  return plain
    .split(' ')
    .filter((word) => !/[@/_<>]/.test(word))
    .join(' ');
}

/** @example syllablesOf('credits') // 2 */
export function syllablesOf(word: string): number {
  const plain = word
    .toLowerCase()
    .replace(/(?:[^l]e|ed|es)$/, (end) => (end.length === 2 && end[0] !== 'e' ? (end[0] ?? '') : ''));
  return Math.max(1, plain.match(/[aeiouy]+/g)?.length ?? 1);
}
