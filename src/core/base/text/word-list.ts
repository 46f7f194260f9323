/** The words of a list that is written as lines of text. @example wordsIn('a b', 'c') // Set { 'a', 'b', 'c' } */
export const wordsIn = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));
