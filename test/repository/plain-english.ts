/**
 * `npm run check:english`: phrases that a reader has to read twice, in comments, texts and documents.
 * Their number may only fall: lower `LIMITS` after a rewrite.
 * `npm run check:english -- src/limits` lists every place below a folder with what to write instead.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSandbox, readText, ROOT, typeScriptFiles, type SourceFile } from './parsing/sources.ts';
import { parseNodes } from './parsing/syntax.ts';

interface Phrase {
  pattern: RegExp;
  instead: string;
}

/** How many sentences of each part may use a fixed phrase or a softer one. A change that adds one has to remove another. */
const LIMITS = {
  bot: { fixed: 0, soft: 11 },
  sandbox: { fixed: 0, soft: 0 },
  tests: { fixed: 0, soft: 23 },
  documents: { fixed: 0, soft: 1 },
};

const FIXED: readonly Phrase[] = [
  { pattern: /\bso (?:many|long|far) (?!as|ago|that)/i, instead: 'the number or the limit: "at most 30 minutes"' },
  { pattern: /\bbut for\b/i, instead: '"except"' },
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\b(?:is|are|was|were|be|been) told\b/i, instead: '"sees", "is notified", "reports" or "announces"' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: '"continues" or "resumes"' },
  {
    pattern: /\b(?:stands?|stood) (?:in|at|there|for|on|under|below|by)\b/i,
    instead: '"is in", "appears in", "represents"',
  },
  { pattern: /\b(?:was|is|were|are) so already\b/i, instead: '"already had this value"' },
];

const SOFT: readonly Phrase[] = [
  { pattern: /\b(?:told|tells?|telling)\b/i, instead: '"shows", "reports", "notifies", "says"' },
  { pattern: /\b(?:stands?|stood)\b/i, instead: '"is", "appears", "remains"' },
  { pattern: /\bwhom(?:ever)?\b|\bwhoever\b/i, instead: 'name the person: "the requester", "the recipient"' },
  {
    pattern:
      /(?:^|[.:;] )what (?!is not\?)[a-z ']{1,60}\b(?:is|was|are|were|has|may|must|can|does|comes|ends|goes)\b(?![^.]*\?)/i,
    instead: 'a noun as the subject: "A deleted delivery is …"',
  },
  {
    pattern: /\b(?:somebody|nobody|anybody)\b/i,
    instead: 'the role ("a user", "the admin") or a passive without an agent',
  },
  { pattern: /\bwhere (?=it\b|they\b|there\b|nothing\b|nobody\b|no\b|one\b|that\b)/i, instead: '"if" or "when"' },
  { pattern: /\bby now\b|\bno more\b|\bmeanwhile\b/i, instead: '"already", "no longer", "in the meantime"' },
];

type Part = keyof typeof LIMITS;

/** Words that the bot does not use, in names either: each had a plain word in the field already, or several meanings. */
const RETIRED: readonly Phrase[] = [
  { pattern: /[wW]ish|\bWanted\b/g, instead: '"request"' },
  { pattern: /\bdeeds?\b|[a-z]Deeds?\b|\bdeed[A-Z]/g, instead: '"action"' },
  {
    pattern: /[a-z]Told\b|\btold[A-Z]\w*|\bTold[A-Z]\w*|\b(?:const|let|type|interface) [tT]old\b/g,
    instead: '"notified"',
  },
  { pattern: /\b(?:tell|news)[A-Z]|\bTelling\b|\bNews\b/g, instead: '"notify"' },
  { pattern: /happening|\bincident|unheard|heardOf|hearsOf|hears of/gi, instead: '"event"' },
  { pattern: /overtaken/gi, instead: '"replaced" or "superseded"' },
  { pattern: /letGo|\badopt[A-Z(]/g, instead: '"release" or "take"' },
  { pattern: /followTrouble|\btrouble\b/gi, instead: '"fault"' },
  { pattern: /\bJudged\b|\bPrepared\b|\bSIGNS\b/g, instead: 'a noun of the field' },
  { pattern: /\bPassages?\b|[a-z]Passages?\b|\bpassages?[A-Z.(]/g, instead: '"paragraph"' },
  { pattern: /\banew\b|\bany more\b/gi, instead: '"again", "no longer"' },
  { pattern: /\bmend(?:s|ed)?\b/gi, instead: '"fix"' },
  { pattern: /\bstor(?:y|ies)\b|[a-z]Stor(?:y|ies)\b|\bstor(?:y|ies)[A-Z]/g, instead: '"history" or "timeline"' },
  { pattern: /\b(?:MOST|LONGEST)_[A-Z]/g, instead: '`MAX_…`' },
];

/** A piece of text that people read, with the line where it begins. */
interface Prose {
  path: string;
  line: number;
  text: string;
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** Comments, and literals that hold more than one word. */
function proseOfSource({ path, text }: SourceFile): Prose[] {
  const comments = parseSync(path, text).comments.map(({ value, start }) => ({
    path,
    line: lineOf(text, start),
    text: value.replaceAll(/^\s*\*+ ?/gm, ' '),
  }));
  const literals = parseNodes(path, text).flatMap((node) => {
    const value = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? node.value.raw : '';
    return typeof value === 'string' && /\S \S/.test(value)
      ? [{ path, line: lineOf(text, node.start), text: value }]
      : [];
  });
  return [...comments, ...literals];
}

/** The first cells of its tables quote the program, whose sentences are counted in the sources. */
const RUNBOOK = 'docs/runbook.md';

/** The paragraphs, list items and cells of a document, code aside. */
function proseOfDocument({ path, text }: SourceFile): Prose[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode
      ? []
      : line
          .split(' | ')
          .slice(path === RUNBOOK && line.startsWith('| ') ? 1 : 0)
          .map((cell) => ({ path, line: index + 1, text: cell.replaceAll(/`[^`]*`/g, '…') }));
  });
}

const sentencesOf = ({ path, line, text }: Prose): Prose[] =>
  text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => ({ path, line, text: sentence.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text: sentence }) => sentence !== '');

interface Use extends Prose {
  phrase: string;
  instead: string;
}

/** The sentences that use one of the phrases, each once. */
function usesOf(prose: readonly Prose[], phrases: readonly Phrase[]): Use[] {
  return prose.flatMap(sentencesOf).flatMap((sentence) => {
    for (const { pattern, instead } of phrases) {
      const [phrase] = pattern.exec(sentence.text) ?? [];
      if (phrase !== undefined) return [{ ...sentence, phrase: phrase.trim(), instead }];
    }
    return [];
  });
}

// It names the phrases in order to find them.
const isAboutPhrases = ({ path }: SourceFile) => path === 'test/repository/plain-english.ts';

/** The words that users type, which the bot reads and never writes. */
const isOfUsers = ({ path }: SourceFile) => /^src\/ask\/words\/(?:lexicon|periods)\//.test(path);

/** Comments, literals and documents of this repository, by part. */
function readProse(): Record<Part, Prose[]> {
  const sources = typeScriptFiles('src').filter((file) => !isOfUsers(file));
  const tests = typeScriptFiles('test').filter((file) => !isAboutPhrases(file));
  const documents = ['.', 'docs', 'docs/commands']
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.md') || path === '.env.example');
  return {
    bot: sources.filter((file) => !isSandbox(file)).flatMap(proseOfSource),
    sandbox: sources.filter(isSandbox).flatMap(proseOfSource),
    tests: tests.flatMap(proseOfSource),
    documents: documents.map((path) => ({ path, text: readText(path) })).flatMap(proseOfDocument),
  };
}

/** The sentences of each part that use a fixed phrase, and those that use a softer one. */
export function findPhrases(): { part: Part; fixed: Use[]; soft: Use[] }[] {
  const prose = readProse();
  const parts: Part[] = ['bot', 'sandbox', 'tests', 'documents'];
  return parts.map((part) => ({ part, fixed: usesOf(prose[part], FIXED), soft: usesOf(prose[part], SOFT) }));
}

/** Where the bot uses a word that was retired, by file. */
export const findRetiredWords = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    RETIRED.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(([word]) => `${path}: “${word}”: write ${instead}\n`),
    ),
  );

const line = ({ path, line: number, phrase, instead, text }: Use) =>
  `${path}:${number}: “${phrase}”: write ${instead}\n    ${text}\n`;

function main(folder: string | undefined): void {
  const isListed = ({ path }: Use) => folder !== undefined && path.startsWith(folder);
  for (const { part, fixed, soft } of findPhrases()) {
    const limits = LIMITS[part];
    const isOver = fixed.length > limits.fixed || soft.length > limits.soft;
    const uses = [...fixed, ...soft];
    process.stdout.write(
      uses
        .filter((use) => isListed(use))
        .map(line)
        .join(''),
    );
    process.stdout.write(
      `${part}: ${fixed.length} fixed phrases of at most ${limits.fixed}, ${soft.length} softer ones of at most ${limits.soft}\n`,
    );
    if (isOver) process.exitCode = 1;
  }
  const retired = findRetiredWords(typeScriptFiles('src').filter((file) => !isSandbox(file) && !isOfUsers(file)));
  process.stdout.write(retired.join(''));
  if (retired.length > 0) process.exitCode = 1;
}

if (import.meta.main) main(process.argv[2]);
