/** `npm run measure`: the size of the sources, and the number of remaining patterns that they should not contain. */
import { basename, dirname } from 'node:path';
import { parseSync } from 'oxc-parser';
import { filesThatBreak, SHAPE_RULES } from './shape-rules.ts';
import { findPhrases, findRetiredWords } from './plain-english.ts';
import { typeScriptFiles, type SourceFile } from './parsing/sources.ts';
import { parseNodes } from './parsing/syntax.ts';

const DUPLICATE_LINES = 6;
const WIDTH = 58;

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

/** Characters of code, without comments and white space: longer lines do not help. */
const codeCharacters = (files: readonly SourceFile[]) =>
  files.reduce((sum, { path, text }) => {
    const bare = parseSync(path, text).comments.reduceRight(
      (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
      text,
    );
    return sum + bare.replaceAll(/\s/g, '').length;
  }, 0);

const commentLines = (files: readonly SourceFile[]) =>
  files.reduce(
    (sum, { path, text }) =>
      sum + parseSync(path, text).comments.reduce((lines, { value }) => lines + value.split('\n').length, 0),
    0,
  );

// Each feature, and each program, has one of these.
const ENTRY_POINTS = new Set(['index.ts', 'main.ts']);

/** The names that more than three files share, with the number of files. */
function sharedNames(files: readonly SourceFile[]): string {
  const byName = [...Map.groupBy(files, ({ path }) => basename(path))]
    .filter(([name, { length }]) => length > 3 && !ENTRY_POINTS.has(name))
    .toSorted(([, a], [, b]) => b.length - a.length);
  return byName.length === 0 ? 'none' : `${byName.length}, ${byName[0]?.[1].length} ${byName[0]?.[0]}`;
}

/** How many runs of six lines or more, blank lines and imports aside, appear in two places. */
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

const rows: [string, (files: SourceFile[]) => string | number][] = [
  ['files', (files) => files.length],
  ['lines', (files) => files.reduce((sum, { text }) => sum + linesOf(text), 0)],
  ['characters of code', codeCharacters],
  ['lines of comments', commentLines],
  ['lines of a file', (files) => spread(files.map(({ text }) => linesOf(text)))],
  ['functions', (files) => files.flatMap(functionLines).length],
  ['lines of a function', (files) => spread(files.flatMap(functionLines))],
  ['files in the fullest folder', fullestFolder],
  ['names that more than three files share', sharedNames],
  ['duplicated blocks of six lines', duplicatedBlocks],
  ['places that break a shape rule', (files) => SHAPE_RULES.flatMap((rule) => filesThatBreak(rule, files)).length],
  ['uses of retired words', (files) => findRetiredWords(files).length],
];

/** The promises of the bot, each with its folders; of several that fit a file, the longest path counts. */
const PROMISES: readonly [promise: string, ...paths: string[]][] = [
  ['figures on request, compared, forecast and as files', 'src/usage/', 'src/figures/', 'src/analytics/'],
  ['figures of small groups stay private; who saw whose', 'src/figures/groups/', 'src/usage/teams/', 'src/disclosure/'],
  ['digests that are corrected', 'src/digests/', 'src/usage/digest/'],
  ['budgets', 'src/alerts/budgets/'],
  ['personal warnings', 'src/alerts/heads-ups/'],
  ['unusual days', 'src/alerts/'],
  ['limits: requests, decisions, and what the platform did', 'src/limits/'],
  ['limits: granted by policies that were tried first', 'src/limits/policies/'],
  ['limits: handed on, and approved twice', 'src/limits/approvers/'],
  [
    'limits: lists, questions, simulation, ends',
    'src/limits/import/',
    'src/limits/question/',
    'src/limits/simulate/',
    'src/limits/ending/',
  ],
  ['each revision of the controls once, without secrets', 'src/controls/', 'src/platform/redaction/'],
  ['readiness', 'src/readiness/'],
  ['computers', 'src/computers/'],
  ['questions by tools and in words', 'src/ask/'],
  ['sessions on request', 'src/sessions/'],
  ['events of people’s own agents', 'src/sessions/hooks/'],
  ['erasure on request', 'src/erasure/', 'src/base/privacy/'],
  ['files for analysts', 'src/exports/'],
  ['deletion of old data', 'src/retention/'],
  ['backups, and a move between engines', 'src/backup/'],
  ['each message once, on time', 'src/outbox/', 'src/schedule/', 'src/watches/'],
  ['two engines, replicas, upgrades', 'src/store/'],
  ['commands and clicks answered in time, over two transports', 'src/slack/'],
  ['messages that Slack accepts', 'src/slack/blocks/'],
  ['a platform that may fail', 'src/platform/'],
  [
    'an operator who can see why',
    'src/app/',
    'src/http/',
    'src/status/',
    'src/doctor/',
    'src/manifest/',
    'src/bundle/',
    'src/release/',
  ],
  ['the ground of all', 'src/'],
];

function linesByPromise(files: readonly SourceFile[]): [promise: string, lines: number][] {
  const paths = PROMISES.flatMap(([promise, ...folders]) => folders.map((folder) => ({ promise, folder }))).toSorted(
    (a, b) => b.folder.length - a.folder.length,
  );
  const lines = Map.groupBy(files, ({ path }) => paths.find(({ folder }) => path.startsWith(folder))?.promise);
  return PROMISES.map(([promise]) => [
    promise,
    (lines.get(promise) ?? []).reduce((sum, { text }) => sum + linesOf(text), 0),
  ]);
}

const print = (cells: readonly (string | number)[]) =>
  process.stdout.write(
    `${cells
      .map((cell) => String(cell).padEnd(WIDTH))
      .join('')
      .trimEnd()}\n`,
  );

print(['', ...Object.keys(parts)]);
for (const [title, measure] of rows) print([title, ...Object.values(parts).map(measure)]);
for (const { part, fixed, soft } of findPhrases()) {
  print([`phrases of ${part}: fixed, softer`, `${fixed.length}, ${soft.length}`]);
}
for (const [promise, lines] of linesByPromise(parts['bot'] ?? [])) print([promise, lines]);
