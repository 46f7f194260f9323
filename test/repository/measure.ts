/** `npm run measure`: the size of the sources. */
import { parseSync } from 'oxc-parser';
import { botFiles, parseNodes, typeScriptFiles, type SourceFile } from './parsing/sources.ts';

const DUPLICATE_LINES = 6;
const WIDTH = 58;

const parts = { bot: botFiles(), sandbox: typeScriptFiles('src/sandbox'), tests: typeScriptFiles('test') };

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const linesOf = (text: string) => text.split('\n').length - 1;
const totalLines = (files: readonly SourceFile[]) => sum(files.map(({ text }) => linesOf(text)));
const comments = ({ path, text }: SourceFile) => parseSync(path, text).comments;

/** The lengths of all functions in lines. */
const functionLines = (file: SourceFile): number[] =>
  parseNodes(file)
    .filter(({ type }) => /^(?:Function|ArrowFunction)(?:Declaration|Expression)$/.test(type))
    .map(({ start, end }) => file.text.slice(start, end).split('\n').length);

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return `median ${at(0.5)}, 90 % ${at(0.9)}, longest ${at(1)}`;
}

/** Characters of code, without comments and white space: longer lines do not help. */
const codeCharacters = (file: SourceFile) =>
  file.text.replaceAll(/\s/g, '').length -
  sum(comments(file).map(({ start, end }) => file.text.slice(start, end).replaceAll(/\s/g, '').length));

/** How many runs of six lines or more, blank lines and imports aside, appear in two places. */
function duplicatedBlocks(files: readonly SourceFile[]): number {
  const seen = new Set<string>();
  return sum(
    files.map(({ text }) => {
      const lines = text
        .replaceAll(/^import [^;]*;$/gm, '')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      const blocks = lines
        .map((_, index) => lines.slice(index, index + DUPLICATE_LINES).join('\n'))
        .slice(0, 1 - DUPLICATE_LINES);
      // A set that does not grow held the block already.
      const isRepeated = blocks.map((block) => seen.size === seen.add(block).size);
      return isRepeated.filter((repeated, index) => repeated && !isRepeated[index - 1]).length;
    }),
  );
}

const rows: [string, (files: SourceFile[]) => string | number][] = [
  ['files', (files) => files.length],
  ['lines', totalLines],
  ['characters of code', (files) => sum(files.map(codeCharacters))],
  ['lines of comments', (files) => sum(files.flatMap(comments).map(({ value }) => linesOf(value) + 1))],
  ['lines of a file', (files) => spread(files.map(({ text }) => linesOf(text)))],
  ['functions', (files) => files.flatMap(functionLines).length],
  ['lines of a function', (files) => spread(files.flatMap(functionLines))],
  ['duplicated blocks of six lines', duplicatedBlocks],
];

/** What each room costs: each feature, and each part of the core. */
function roomLines(files: readonly SourceFile[]): [room: string, lines: number][] {
  const rooms = Map.groupBy(files, ({ path }) => path.split('/').slice(1, -1).slice(0, 2).join('/') || 'src');
  return [...rooms].map(([room, own]): [string, number] => [room, totalLines(own)]).toSorted((a, b) => b[1] - a[1]);
}

function print(cells: readonly (string | number)[]): void {
  const line = cells.map((cell) => String(cell).padEnd(WIDTH)).join('');
  process.stdout.write(`${line.trimEnd()}\n`);
}

print(['', ...Object.keys(parts)]);
for (const [title, measure] of rows) print([title, ...Object.values(parts).map(measure)]);
print(['', 'lines']);
for (const row of roomLines(parts.bot)) print(row);
