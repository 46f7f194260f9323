import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readMessageText } from '../../../src/ask/words/read-message.ts';
import { GOLD_NOW, meaningOf } from '../../support/ask/gold.ts';

const questionSchema = z.object({
  id: z.string(),
  as: z.enum(['member', 'manager', 'admin']),
  text: z.string(),
  gold: z.array(z.string()),
  kind: z.enum(['answer', 'clarify', 'refuse', 'action']),
});

const NAMES = {
  groups: new Map(
    ['web', 'mobile', 'platform', 'payments', 'data', 'security', 'mobile-squad'].map((one) => [one, `@${one}`]),
  ),
  people: new Map(['max', 'dana', 'priya', 'lee'].map((one) => [one, `@${one}`])),
};

const read = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)));

/** Commands whose answer is a refusal for the role: then no figures are shown. */
function isDenied(line: string, as: string): boolean {
  const [command = '', ...words] = line.split(' ');
  if (as === 'admin') return false;
  if (command === '/limits' && (words[0] === 'audit' || words[0] === 'ending')) return true;
  if (as === 'manager') return false;
  if (['/budget', '/digest', '/controls'].includes(command)) return true;
  if (command === '/limits') return words.some((word) => word.includes('@')) || words[0] === 'simulate';
  return (
    command === '/usage' &&
    (words.includes('people') || words.includes('teams') || words.some((word) => word.includes('@')))
  );
}

const resultsOf = (name: string) =>
  read(name).map((question) => {
    const text = question.text.replace(/^@Quartermaster\s*/i, '');
    const reading = readMessageText(text, NAMES, GOLD_NOW);
    const line = reading.kind === 'answer' ? `${reading.line.command} ${reading.line.text}`.trim() : undefined;
    const golds = new Set(question.gold.map((gold) => meaningOf(gold)));
    const isOpen = question.gold.some((gold) => /@group|<id/.test(gold));
    const isRight = line !== undefined && (golds.has(meaningOf(line)) || isOpen);
    const mayAnswer = question.kind === 'answer';
    const isDeniedAnswer = line !== undefined && isDenied(line, question.as);
    const verdict =
      line === undefined
        ? mayAnswer
          ? 'not answered'
          : 'fine'
        : mayAnswer
          ? isRight
            ? 'right'
            : 'wrong'
          : isDeniedAnswer
            ? 'fine'
            : 'wrong';
    return { ...question, reading, line, verdict };
  });

test.each(['given-questions.jsonl', 'own-questions.jsonl'])('%s', (name) => {
  const results = resultsOf(name);
  const answerable = results.filter(({ kind }) => kind === 'answer');
  const count = (verdict: string) => results.filter((one) => one.verdict === verdict).length;
  const wrong = results.filter(({ verdict }) => verdict === 'wrong');
  expect(wrong.map(({ text, line }) => `${text} was read as ${line ?? ''}`)).toEqual([]);
  expect(count('not answered')).toBeLessThanOrEqual(answerable.length / 4);
});
