import { expect, test } from 'vitest';
import { shapeFaults } from './shape-rules.ts';
import { typeScriptFiles, type SourceFile } from './parsing/sources.ts';

const tooMany = (files: readonly SourceFile[]) =>
  shapeFaults(files).flatMap(({ name, files: found, maxFiles }) => (found.length > maxFiles ? [{ name, found }] : []));

test('what one place does is done nowhere else', () => {
  expect(tooMany(typeScriptFiles('src'))).toEqual([]);
});

test.each([
  ['an enqueue of its own', 'await enqueue(trx, { key, kind });'],
  ['an import of the outbox’s own function', "import { enqueueAll } from '../outbox/deliveries.ts';"],
  ['a payload that is parsed', 'JSON.parse(delivery.payload)'],
  ['a key that is taken apart', "const [, id] = messageKey.split(':');"],
  ['a refusal in its own words', 'markup`Only ${owner}, or an admin, can remove it.`'],
  ['a refusal past the one function', "plainMessage(roleSentence({ what: 'This', role: 'admin' }))"],
  ['a key that is matched', 'PATTERN.exec(key)'],
  ['a read of the environment', "process.env['PORT']"],
  ['a read of the clock', 'const now = new Date();'],
  ['randomness of its own', 'makeId(Math.random)'],
])('%s would be detected', (_, text) => {
  expect(tooMany([{ path: 'src/feature/a.ts', text }])).toHaveLength(1);
});

test('a decision that reads would be detected', () => {
  const text = 'export const decide = async (db: Database) => (await read(db)).length > 0;';
  expect(tooMany([{ path: 'src/feature/core/decide.ts', text }])).toHaveLength(1);
});

test('a fourth file that records disclosures would be detected', () => {
  const more = ['a', 'b', 'c', 'd'].map((name) => ({
    path: `src/${name}.ts`,
    text: 'await recordDisclosure(reader, names);',
  }));
  expect(tooMany(more)).toHaveLength(1);
});
