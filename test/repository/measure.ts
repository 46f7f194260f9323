/** `npm run measure`: the size of the sources, and of each promise. */
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

/** The promises of the bot, each with its folders in `src`; of several that fit a file, the longest path counts. */
const PROMISES = Object.entries({
  'figures on request, compared, forecast and as files': 'usage/ own/ figures/ analytics/',
  'figures of small groups stay private; who saw whose': 'figures/groups/ teams/ disclosure/',
  'digests that are corrected': 'digests/ usage/digest/',
  budgets: 'alerts/budgets/',
  'personal warnings': 'alerts/heads-ups/',
  'unusual days': 'alerts/',
  'limits: requests, decisions, and what the platform did': 'limits/',
  'limits: granted by policies that were tried first': 'limits/policies/',
  'limits: handed on, and approved twice': 'limits/approvers/',
  'limits: lists, questions, simulation, ends': 'limits/import/ limits/question/ limits/simulate/ limits/ending/',
  'each revision of the controls once, without secrets': 'controls/ platform/redaction/',
  readiness: 'readiness/',
  computers: 'computers/',
  'questions by tools and in words': 'ask/',
  'sessions on request': 'sessions/',
  'events of people’s own agents': 'sessions/hooks/',
  'erasure on request': 'erasure/ base/privacy/',
  'files for analysts': 'exports/',
  'deletion of old data': 'retention/',
  'backups, and a move between engines': 'backup/',
  'each message once, on time': 'outbox/ schedule/ watches/',
  'two engines, replicas, upgrades': 'store/',
  'commands and clicks answered in time, over two transports': 'slack/',
  'messages that Slack accepts': 'slack/blocks/',
  'a platform that may fail': 'platform/',
  'an operator who can see why': 'app/ http/ status/ doctor/ manifest/ bundle/ release/',
  // An empty path fits every file.
  'the ground of all': '',
});

function linesByPromise(files: readonly SourceFile[]): [promise: string, lines: number][] {
  const paths = PROMISES.flatMap(([promise, folders]) =>
    folders.split(' ').map((folder) => ({ promise, folder: `src/${folder}` })),
  ).toSorted((a, b) => b.folder.length - a.folder.length);
  const byPromise = Map.groupBy(files, ({ path }) => paths.find(({ folder }) => path.startsWith(folder))?.promise);
  return PROMISES.map(([promise]) => [promise, totalLines(byPromise.get(promise) ?? [])]);
}

function print(cells: readonly (string | number)[]): void {
  const line = cells.map((cell) => String(cell).padEnd(WIDTH)).join('');
  process.stdout.write(`${line.trimEnd()}\n`);
}

print(['', ...Object.keys(parts)]);
for (const [title, measure] of rows) print([title, ...Object.values(parts).map(measure)]);
for (const [promise, lines] of linesByPromise(parts.bot)) print([promise, lines]);
