import { expect, test } from 'vitest';
import { RETIRED_WORDS } from './retired-words.ts';
import { typeScriptFiles, type SourceFile } from './parsing/sources.ts';

function usesIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    RETIRED_WORDS.flatMap((word) => [...text.matchAll(word)].map(([use]) => `${path}: ${use}`)),
  );
}

test('the bot uses none of the words that were retired, and a use would be noticed', () => {
  const bot = typeScriptFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
  expect(usesIn(bot)).toEqual([]);
  expect(usesIn([{ path: 'src/a.ts', text: 'const wish = readDeed(whoever);' }])).toHaveLength(3);
});
