import MiniSearch from 'minisearch';
import { OTHER_PHRASES } from './data/other-phrases.ts';
import { USAGE_PHRASES } from './data/usage-phrases.ts';
import { readParts } from './slots.ts';
import { createVocabulary } from './vocabulary.ts';

/** A fixed word, or the place of a slot. */
type TemplatePart =
  | { literal: string }
  | { kind: string; isOptional: boolean; isWritten: boolean; mustBegin: string; suffix: string };

export interface Intent {
  command: string;
  parts: readonly TemplatePart[];
  /** All words of its phrases. */
  words: ReadonlySet<string>;
  /** Words of nearly all of its phrases, such as “digest”. */
  essential: ReadonlySet<string>;
  /** All words of its command, in which the nearest phrase decides; the views of `/usage` have words of their own. */
  commandWords: ReadonlySet<string>;
}

export interface Phrase {
  text: string;
  /** Command lines with the same phrases; the parts of a message say which one is meant. */
  intents: readonly Intent[];
  terms: ReadonlySet<string>;
}

const NEAREST = 80;
const ESSENTIAL_SHARE = 0.8;
/** Days and people are in many questions and say little about what is asked. */
export const SLOT_WEIGHT = 0.8;
/** Words that may be left out, such as “I need”. */
const SOFT_WEIGHT = 0.3;

function templatePart(word: string): TemplatePart {
  const [, hidden, kind = '', begin = '', optional, suffix = ''] =
    /^\{(-?)(\w+)(?::(\w+))?(\??)\}(\w*)$/.exec(word) ?? [];
  if (kind === '') return { literal: word };
  const mustBegin = begin.replaceAll('_', ' ');
  return { kind, isOptional: optional === '?' || begin !== '', isWritten: hidden === '', mustBegin, suffix };
}

/** The second `{who}` is `{who}2`. */
export function numbered(terms: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return terms.map((term) => {
    if (!term.startsWith('{')) return term;
    const count = (counts.get(term) ?? 0) + 1;
    counts.set(term, count);
    return count === 1 ? term : `${term}${count}`;
  });
}

const isHead = (line: string) => line.startsWith('/');

/** Reads the command lines at the head of a block of text, and the phrases below them. */
function readBlock(block: string) {
  const lines = block.split('\n').filter((line) => line !== '');
  return { heads: lines.filter(isHead), texts: lines.filter((line) => !isHead(line)).map((line) => line.trim()) };
}

function loadPhrases() {
  const vocabulary = createVocabulary();
  const blocks = `${USAGE_PHRASES}\n${OTHER_PHRASES}`.split(/\n{2,}/).map(readBlock);
  const words = blocks.flatMap(({ texts }) => texts.flatMap((text) => text.split(' ')));
  vocabulary.learn(words.filter((word) => !word.startsWith('{')));
  const directory = { team: () => undefined, people: () => [] };
  const ofCommands = new Map<string, Set<string>>();
  const all = blocks.flatMap(({ heads, texts }): Phrase[] => {
    const termsOf = texts.map((text) => {
      const tokens = text.split(' ').map((word) => ({ word, typed: word, stem: word.replace(/'s$/, '') }));
      const { terms, slots } = readParts(tokens, { directory, vocabulary, today: '2026-01-01' });
      return new Set(numbered([...terms, ...slots.map(({ kind }) => `{${kind === 'day' ? 'period' : kind}}`)]));
    });
    const own = new Set(termsOf.flatMap((terms) => [...terms]));
    const isEssential = (term: string) =>
      termsOf.filter((terms) => terms.has(term)).length >= termsOf.length * ESSENTIAL_SHARE;
    const essential = new Set([...own].filter(isEssential));
    const intents = heads.map((head): Intent => {
      const [command = '', ...parts] = head.split(' ');
      const commandWords = command === '/usage' ? new Set<string>() : (ofCommands.get(command) ?? new Set());
      for (const term of own) commandWords.add(term);
      ofCommands.set(command, commandWords);
      return { command, parts: parts.map((part) => templatePart(part)), words: own, commandWords, essential };
    });
    return texts.map((text, at) => ({ text, intents, terms: termsOf[at] ?? new Set() }));
  });
  const index = new MiniSearch<{ id: number; terms: string }>({
    fields: ['terms'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
  });
  index.addAll(all.map(({ terms }, id) => ({ id, terms: [...terms].join(' ') })));
  const counts = new Map<string, number>();
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    all,
    vocabulary,
    /** Rare terms weigh more. */
    weight: (term: string): number => {
      if (term.startsWith('{')) return SLOT_WEIGHT;
      return term.startsWith('~') ? SOFT_WEIGHT : Math.log(1 + all.length / (counts.get(term) ?? 1)) / 4;
    },
    /** The phrases nearest to some terms, best first. */
    search: (terms: readonly string[]): readonly Phrase[] =>
      index
        .search([...new Set(terms)].join(' '))
        .slice(0, NEAREST)
        .flatMap(({ id }) => all[Number(id)] ?? []),
  };
}

let loaded: ReturnType<typeof loadPhrases> | undefined;

/** Read at the first message, so that the start of the bot takes no longer. */
export const phrases = () => (loaded ??= loadPhrases());
