import { pathsOf, readText } from './sources.ts';

/** The pages that people read. */
export const DOCUMENTS: readonly string[] = ['README.md', 'CHANGELOG.md', ...pathsOf('docs/**/*.md')];

/** The texts in backticks. */
export const codesIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The cells of a document's tables, row by row, with their heads and without the lines below those. */
export const tableRows = (path: string): string[][] =>
  readText(path)
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .map((line) => line.replace(/^\| /, '').replace(/ \|$/, '').split(' | '));

/** The codes in the first cells of its tables. */
export const firstCodes = (path: string): string[] => tableRows(path).flatMap(([first = '']) => codesIn(first));
