import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync, type Node } from 'oxc-parser';

export const ROOT = join(import.meta.dirname, '../../..');

/** A file of this repository, by its path from the root, with `/` between folders. */
export interface SourceFile {
  path: string;
  text: string;
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
export const exists = (path: string): boolean => existsSync(join(ROOT, path));
export const pathsOf = (pattern: string | string[]): string[] => globSync(pattern, { cwd: ROOT }).toSorted();

/** All TypeScript files below a folder. */
export const typeScriptFiles = (folder: string): SourceFile[] =>
  pathsOf(`${folder}/**/*.ts`).map((path) => ({ path, text: readText(path) }));

/** All sources except for those of the sandbox. */
export const botFiles = (): SourceFile[] =>
  typeScriptFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));

const IMPORT = /^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** The files of this repository that a file imports, types included, by their paths from the root. */
export function localImports({ path, text }: SourceFile): string[] {
  const names = [...text.matchAll(IMPORT), ...text.matchAll(DYNAMIC_IMPORT)].map((match) => match[1] ?? match[2] ?? '');
  return names.filter((name) => name.startsWith('.')).map((name) => relative(ROOT, join(ROOT, dirname(path), name)));
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(nodesOf)
    : isNode(value)
      ? [value, ...Object.values(value).flatMap(nodesOf)]
      : [];

/** Every node of a file, parents first. */
export const parseNodes = ({ path, text }: SourceFile): Node[] => nodesOf(parseSync(path, text).program);

/** The pages that people read. */
export const DOCUMENTS: readonly string[] = ['README.md', 'CHANGELOG.md', ...pathsOf('docs/**/*.md')];

/** What each room of the sources says of itself. */
export const ROOM_READMES: readonly string[] = pathsOf('src/**/README.md');

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
