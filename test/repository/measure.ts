/** `npm run measure`: how large the house is, and how much of what it should not hold is left. */
import { dirname } from 'node:path';
import { doorUses } from './door-uses.ts';
import { importCircles } from './parsing/circles.ts';
import { RETIRED_WORDS } from './retired-words.ts';
import { typeScriptFiles, type SourceFile } from './parsing/sources.ts';
import { parseNodes } from './parsing/syntax.ts';

const DUPLICATE_LINES = 6;
const WIDTH = 50;

const all = typeScriptFiles('src');
const isSandbox = ({ path }: SourceFile) => path.startsWith('src/sandbox/');
const parts: Record<string, SourceFile[]> = {
  bot: all.filter((file) => !isSandbox(file)),
  sandbox: all.filter(isSandbox),
  tests: typeScriptFiles('test'),
};

const linesOf = (text: string) => text.split('\n').length - 1;

/** The lengths of all functions in lines. */
function functionLines({ path, text }: SourceFile): number[] {
  const kinds = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
  return parseNodes(path, text)
    .filter(({ type }) => kinds.has(type))
    .map(({ start, end }) => text.slice(Number(start), Number(end)).split('\n').length);
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return `median ${at(0.5)}, 90 % ${at(0.9)}, longest ${at(1)}`;
}

function fullestFolder(files: readonly SourceFile[]): string {
  const folders = [...Map.groupBy(files, ({ path }) => dirname(path))].toSorted(([, a], [, b]) => b.length - a.length);
  const [name = '', inside = []] = folders[0] ?? [];
  return `${inside.length} in ${name}`;
}

/** How many runs of six lines or more, blank lines and imports aside, stand in two places. */
function duplicatedBlocks(files: readonly SourceFile[]): number {
  const seen = new Set<string>();
  let blocks = 0;
  for (const { text } of files) {
    const lines = text
      .replaceAll(/^import [^;]*;$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    let isInside = false;
    for (let index = 0; index + DUPLICATE_LINES <= lines.length; index += 1) {
      const block = lines.slice(index, index + DUPLICATE_LINES).join('\n');
      const isRepeated = seen.has(block);
      if (isRepeated && !isInside) blocks += 1;
      isInside = isRepeated;
      seen.add(block);
    }
  }
  return blocks;
}

function countRetired(files: readonly SourceFile[]): number {
  return files.reduce(
    (sum, { text }) => sum + RETIRED_WORDS.reduce((words, word) => words + [...text.matchAll(word)].length, 0),
    0,
  );
}

const rows: [string, (files: SourceFile[]) => string | number][] = [
  ['files', (files) => files.length],
  ['lines', (files) => files.reduce((sum, { text }) => sum + linesOf(text), 0)],
  ['lines of a file', (files) => spread(files.map(({ text }) => linesOf(text)))],
  ['functions', (files) => files.flatMap(functionLines).length],
  ['lines of a function', (files) => spread(files.flatMap(functionLines))],
  ['files in the fullest folder', fullestFolder],
  ['circles of imports', (files) => importCircles(files).length],
  ['duplicated blocks of six lines', duplicatedBlocks],
  ['uses of retired words', countRetired],
];

const doorRows = doorUses(parts['bot'] ?? []).map(({ name, files, maxFiles }) => [
  name,
  `${files.length} of ${maxFiles}`,
]);

const print = (cells: readonly (string | number)[]) =>
  process.stdout.write(
    `${cells
      .map((cell) => String(cell).padEnd(WIDTH))
      .join('')
      .trimEnd()}\n`,
  );

print(['', ...Object.keys(parts)]);
for (const [title, measure] of rows) print([title, ...Object.values(parts).map(measure)]);
for (const row of doorRows) print(row);
