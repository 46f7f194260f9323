/**
 * `npm run check:english`: phrases that a reader has to read twice, in comments, texts and documents.
 * Their number may only fall: lower `PARTS` after a rewrite.
 * `npm run check:english -- src/limits` lists every place below a folder with what to write instead.
 */
import { parseSync } from 'oxc-parser';
import { botFiles, parseNodes, pathsOf, readText, typeScriptFiles, type SourceFile } from './parsing/sources.ts';

/** A phrase, and what to write instead. */
type Phrase = readonly [pattern: RegExp, instead: string];

const FIXED: readonly Phrase[] = [
  [/\bso (?:many|long|far) (?!as|ago|that)/i, 'the number or the limit: "at most 30 minutes"'],
  [/\bbut for\b/i, '"except"'],
  [/\banew\b/i, '"again"'],
  [/\b(?:is|are|was|were|be|been) told\b/i, '"sees", "is notified", "reports" or "announces"'],
  [/\b(?:go|goes|going|went) on\b/i, '"continues" or "resumes"'],
  [/\b(?:stands?|stood) (?:in|at|there|for|on|under|below|by)\b/i, '"is in", "appears in", "represents"'],
  [/\b(?:was|is|were|are) so already\b/i, '"already had this value"'],
];

const SOFT: readonly Phrase[] = [
  [/\b(?:told|tells?|telling)\b/i, '"shows", "reports", "notifies", "says"'],
  [/\b(?:stands?|stood)\b/i, '"is", "appears", "remains"'],
  [/\bwhom(?:ever)?\b|\bwhoever\b/i, 'name the person: "the requester", "the recipient"'],
  [
    /(?:^|[.:;] )what (?!is not\?)[a-z ']{1,60}\b(?:is|was|are|were|has|may|must|can|does|comes|ends|goes)\b(?![^.]*\?)/i,
    'a noun as the subject: "A deleted delivery is …"',
  ],
  [/\b(?:somebody|nobody|anybody)\b/i, 'the role ("a user", "the admin") or a passive without an agent'],
  [/\bwhere (?=it\b|they\b|there\b|nothing\b|nobody\b|no\b|one\b|that\b)/i, '"if" or "when"'],
  [/\bby now\b|\bno more\b|\bmeanwhile\b/i, '"already", "no longer", "in the meantime"'],
];

/** Words that the bot does not use, in names either: each had a plain word in the field already, or several meanings. */
const RETIRED: readonly Phrase[] = [
  [/[wW]ish|\bWanted\b/g, '"request"'],
  [/\bdeeds?\b|[a-z]Deeds?\b|\bdeed[A-Z]/g, '"action"'],
  [/[a-z]Told\b|\btold[A-Z]\w*|\bTold[A-Z]\w*|\b(?:const|let|type|interface) [tT]old\b/g, '"notified"'],
  [/\b(?:tell|news)[A-Z]|\bTelling\b|\bNews\b/g, '"notify"'],
  [/happening|\bincident|unheard|heardOf|hearsOf|hears of/gi, '"event"'],
  [/overtaken/gi, '"replaced" or "superseded"'],
  [/letGo|\badopt[A-Z(]/g, '"release" or "take"'],
  [/followTrouble|\btrouble\b/gi, '"fault"'],
  [/\bJudged\b|\bPrepared\b|\bSIGNS\b/g, 'a noun of the field'],
  [/\bPassages?\b|[a-z]Passages?\b|\bpassages?[A-Z.(]/g, '"paragraph"'],
  [/\banew\b|\bany more\b/gi, '"again", "no longer"'],
  [/\bmend(?:s|ed)?\b/gi, '"fix"'],
  [/\bstor(?:y|ies)\b|[a-z]Stor(?:y|ies)\b|\bstor(?:y|ies)[A-Z]/g, '"history" or "timeline"'],
  [/\b(?:MOST|LONGEST)_[A-Z]/g, '`MAX_…`'],
];

/** A piece of text that people read, with the line where it begins. */
interface Prose {
  path: string;
  line: number;
  text: string;
}

/** Comments and literals that hold more than one word. */
function proseOfSource(file: SourceFile): Prose[] {
  const { path, text } = file;
  const literals = parseNodes(file).map((node) => ({
    start: node.start,
    value: node.type === 'TemplateElement' ? node.value.raw : 'value' in node ? node.value : '',
  }));
  const comments = parseSync(path, text).comments.map(({ start, value }) => ({
    start,
    value: value.replaceAll(/^\s*\*+ ?/gm, ' '),
  }));
  return [...comments, ...literals].flatMap(({ start, value }) =>
    typeof value === 'string' && /\S \S/.test(value)
      ? [{ path, line: text.slice(0, start).split('\n').length, text: value }]
      : [],
  );
}

/** The paragraphs, list items and cells of a document, code aside. */
function proseOfDocument({ path, text }: SourceFile): Prose[] {
  const withoutBlocks = text.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/.+/g, ''));
  return withoutBlocks.split('\n').flatMap((line, index) => {
    const cells = line.replaceAll(/`[^`]*`/g, '…').split(' | ');
    // The first cells of the runbook quote the program, whose sentences are counted in the sources.
    const isQuoted = path === 'docs/runbook.md' && line.startsWith('| ');
    return cells.slice(isQuoted ? 1 : 0).map((cell) => ({ path, line: index + 1, text: cell }));
  });
}

const sentencesOf = ({ text, ...place }: Prose): Prose[] =>
  text.split(/(?<=[.!?])\s+/).map((sentence) => ({ ...place, text: sentence.replaceAll(/\s+/g, ' ').trim() }));

/** The sentences that use one of the phrases, each once. */
const usesOf = (prose: readonly Prose[], phrases: readonly Phrase[]) =>
  prose.flatMap(sentencesOf).flatMap((sentence) => {
    for (const [pattern, instead] of phrases) {
      const [phrase] = pattern.exec(sentence.text) ?? [];
      if (phrase !== undefined) return [{ ...sentence, phrase: phrase.trim(), instead }];
    }
    return [];
  });

/** The words that users type, which the bot reads and never writes. */
const isOfUsers = ({ path }: SourceFile) => /^src\/ask\/words\/(?:lexicon|periods)\//.test(path);
const botTexts = botFiles().filter((file) => !isOfUsers(file));
const documents = pathsOf(['*.md', 'docs/**/*.md', '.env.example']).map((path) => ({ path, text: readText(path) }));
// This file names the phrases in order to find them.
const tests = typeScriptFiles('test').filter(({ path }) => path !== 'test/repository/plain-english.ts');

/** Each part with how many of its sentences may use a softer phrase; none may use a fixed one. */
const PARTS: readonly [part: string, maxSoft: number, prose: Prose[]][] = [
  ['bot', 11, botTexts.flatMap(proseOfSource)],
  ['sandbox', 0, typeScriptFiles('src/sandbox').flatMap(proseOfSource)],
  ['tests', 22, tests.flatMap(proseOfSource)],
  ['documents', 1, documents.flatMap(proseOfDocument)],
];

const [folder] = process.argv.slice(2);
for (const [part, maxSoft, prose] of PARTS) {
  const [fixed, soft] = [usesOf(prose, FIXED), usesOf(prose, SOFT)];
  for (const { path, line, phrase, instead, text } of [...fixed, ...soft]) {
    if (folder !== undefined && path.startsWith(folder)) {
      process.stdout.write(`${path}:${line}: “${phrase}”: write ${instead}\n    ${text}\n`);
    }
  }
  process.stdout.write(`${part}: ${fixed.length} fixed phrases, ${soft.length} softer ones of at most ${maxSoft}\n`);
  if (fixed.length > 0 || soft.length > maxSoft) process.exitCode = 1;
}
for (const { path, text } of botTexts) {
  for (const [pattern, instead] of RETIRED) {
    for (const [word] of text.matchAll(pattern)) {
      process.stdout.write(`${path}: “${word}”: write ${instead}\n`);
      process.exitCode = 1;
    }
  }
}
