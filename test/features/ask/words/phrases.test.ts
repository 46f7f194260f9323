import { expect, test } from 'vitest';
import { directoryOf } from '../../../../src/features/ask/subject-words.ts';
import { fill } from '../../../../src/features/ask/words/fill.ts';
import { phrases } from '../../../../src/features/ask/words/phrases.ts';
import { readMessageText } from '../../../../src/features/ask/words/read-message.ts';
import { vocabularyLines } from '../../../../src/features/ask/words/vocabulary.ts';
import { GOLD_NOW } from '../../../support/ask/gold.ts';

/** What stands for each place of a phrase, the second one for the second place of the kind. */
const SAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  who: ['dana@acme.example', 'max@acme.example'],
  person: ['dana@acme.example', 'max@acme.example'],
  group: ['@web', '@data'],
  period: ['october', 'september'],
  id: ['k7m2', '4'],
  number: ['9', '12'],
  amount: ['5m', '6m'],
  unit: ['month', 'week'],
  channel: ['#general', '#leads'],
  name: ['model-alpha', 'model-beta'],
  repository: ['acme/api', 'acme/web'],
  setting: ['mcpPolicy', 'modelPolicy'],
  hours: ['22:00-07:00', '20:00-06:00'],
  filter: ['billing', 'docs'],
  percent: ['80%', '90%'],
  rhythm: ['every morning', 'every day'],
  strength: ['weaker', 'stronger'],
  csv: ['as csv', 'as a file'],
};
const directory = directoryOf(
  ['web', 'data'].map((handle, index) => ({ id: `S${index}`, handle, members: [], emails: [] })),
  new Map([
    ['dana@acme.example', 'Dana'],
    ['max@acme.example', 'Max'],
  ]),
);

function sampleOf(text: string): string {
  const counts = new Map<string, number>();
  return text.replaceAll(/(per )?\{(\w+)\}/g, (_, per: string | undefined, kind: string) => {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const sample = SAMPLES[kind]?.[count] ?? `{${kind}}`;
    return kind === 'unit' ? `per ${sample}` : `${per ?? ''}${sample}`;
  });
}

const everyPhrase = phrases().all.map(({ text, intents }) => ({ text, intents, message: sampleOf(text) }));

test('each phrase leads to its own command line, at once or by a button', () => {
  const lost = everyPhrase.filter(({ message, intents }) => {
    const reading = readMessageText(message, directory, GOLD_NOW);
    const lines = reading.kind === 'answer' ? [reading.line] : 'near' in reading ? reading.near.slice(0, 3) : [];
    const commands = intents.map(({ command, parts }) => {
      const fixed = parts.flatMap((part) => ('literal' in part ? [part.literal] : []));
      return { command, fixed };
    });
    const isOwn = ({ command, text }: (typeof lines)[number]) =>
      commands.some((one) => one.command === command && one.fixed.every((word) => text.split(' ').includes(word)));
    return !lines.some(isOwn) && reading.kind !== 'hello';
  });
  expect(lost.map(({ text }) => text)).toEqual([]);
});

test('most phrases are answered at once', () => {
  const answered = everyPhrase.filter(({ message }) => readMessageText(message, directory, GOLD_NOW).kind === 'answer');
  expect(answered.length / everyPhrase.length).toBeGreaterThan(0.9);
});

test('no two command lines share a phrase', () => {
  const byTerms = Map.groupBy(phrases().all, ({ terms }) => [...terms].toSorted().join(' '));
  const shared = [...byTerms.values()].filter((some) => new Set(some.map(({ intents }) => intents)).size > 1);
  expect(shared.map((some) => some.map(({ text }) => text))).toEqual([]);
});

test('each word of the vocabulary has one meaning', () => {
  const meanings = new Map<string, Set<string>>();
  for (const [meaning, words] of vocabularyLines())
    for (const word of words) meanings.set(word, (meanings.get(word) ?? new Set()).add(meaning));
  expect([...meanings].filter(([, all]) => all.size > 1).map(([word]) => word)).toEqual([]);
});

test('each place of a command line and of a phrase is of a kind that messages have', () => {
  const kinds = new Set([...Object.keys(SAMPLES), 'day', 'span', 'more', 'time', 'hour']);
  const places = phrases().all.flatMap(({ text, intents }) => [
    ...[...text.matchAll(/\{(\w+)\}/g)].map(([, kind = '']) => kind),
    ...intents.flatMap(({ parts }) => parts.flatMap((part) => ('kind' in part ? [part.kind] : []))),
  ]);
  const ofWords = vocabularyLines().flatMap(([meaning]) => /^\{(\w+):/.exec(meaning)?.[1] ?? []);
  expect([...places, ...ofWords].filter((kind) => !kinds.has(kind))).toEqual([]);
});

test('a command line without a needed part is not filled', () => {
  const diff = phrases().all.find(({ text }) => text === 'diff {number} {number}')?.intents[0];
  const parts = { terms: ['diff'], unknown: [], problem: undefined };
  const number = (word: string) => ({ kind: 'number', word });
  expect(diff && fill(diff, { ...parts, slots: [number('9')] })).toBeUndefined();
  expect(diff && fill(diff, { ...parts, slots: [number('9'), number('12')] })?.line.text).toBe('diff 9 12');
});
