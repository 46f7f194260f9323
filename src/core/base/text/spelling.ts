import { distance } from 'fastest-levenshtein';

const SHORTEST = 4;
const LONGEST = 16;

export interface Spelling {
  learn: (word: string) => void;
  knows: (word: string) => boolean;
  /** The known word that a word was meant to be; undefined for a known word, and for one that is like none. */
  correct: (word: string) => string | undefined;
}

/**
 * Corrects one slip: a letter that is wrong, missing or too many, or two letters that are swapped. In a word of four
 * letters only a swap counts, because most of them differ from another word by one letter.
 */
export function createSpelling(): Spelling {
  const known = new Set<string>();
  /** By first letter and length, so that a text of unknown words is read quickly, too. */
  const alike = new Map<string, string[]>();
  return {
    learn: (word) => {
      if (known.has(word) || word.length < SHORTEST || !/^[a-z]+$/.test(word)) return;
      known.add(word);
      const key = `${word[0]}${word.length}`;
      const words = alike.get(key);
      if (words) words.push(word);
      else alike.set(key, [word]);
    },
    knows: (word) => known.has(word),
    correct: (word) => {
      if (known.has(word) || word.length < SHORTEST || word.length > LONGEST || !/^[a-z]+$/.test(word))
        return undefined;
      return [-1, 0, 1]
        .flatMap((more) => alike.get(`${word[0]}${word.length + more}`) ?? [])
        .find((one) => isSwap(word, one) || (one.length > SHORTEST && distance(word, one) === 1));
    },
  };
}

function isSwap(word: string, meant: string): boolean {
  if (word.length !== meant.length || distance(word, meant) !== 2) return false;
  let at = 0;
  while (word[at] === meant[at]) at += 1;
  return word[at] === meant[at + 1] && word[at + 1] === meant[at] && word.slice(at + 2) === meant.slice(at + 2);
}
