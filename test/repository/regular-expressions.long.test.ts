import pLimit from 'p-limit';
import { check, type AttackPattern } from 'recheck';
import { describe, expect, test } from 'vitest';
import { PARTS } from '../../src/core/base/time/period-parts.ts';
import { WORD } from '../../src/features/ask/words/tokens.ts';
import { parseNodes, typeScriptFiles, type SourceFile } from './parsing/sources.ts';

type Found = Record<'path' | 'pattern' | 'flags', string>;

const findLiterals = (file: SourceFile): Found[] =>
  parseNodes(file).flatMap((node) => ('regex' in node ? [{ path: file.path, ...node.regex }] : []));

/** The constructor and the function, neither of which is checked by its text. */
const isConstructed = ({ text }: SourceFile) => /\bRegExp\(/.test(text);

const files = typeScriptFiles('src');
/** Assembled from shared pieces, and checked as they run. */
const ASSEMBLED = {
  'src/core/base/time/period-parts.ts': PARTS.map(({ pattern }) => pattern),
  'src/features/ask/words/tokens.ts': [WORD],
};
const assembled = Object.entries(ASSEMBLED).flatMap(([path, shapes]) =>
  shapes.map(({ source, flags }) => ({ path, pattern: source, flags })),
);

/** A heuristic check is the same every time. On a busy machine, one of them takes over a minute. */
const SETTINGS = { timeout: 300_000, randomSeed: 1 };
const turn = pLimit(2);

const ATTACK_LENGTH = 64 * 1024;
const MAX_MATCH_MS = 100;

async function vulnerable(found: readonly Found[]): Promise<string[]> {
  const judged = await Promise.all(
    found.map((one) => turn(async () => ({ ...one, result: await check(one.pattern, one.flags, SETTINGS) }))),
  );
  return judged
    .filter(({ pattern, flags, result }) => {
      if (result.status !== 'vulnerable') return result.status !== 'safe';
      // A heuristic check takes many steps for slow ones: then its attack has to prove itself.
      return result.checker !== 'fuzz' || isSlow(new RegExp(pattern, flags), result.attack);
    })
    .map(({ path, pattern, flags, result }) => `${path} /${pattern}/${flags}: ${result.status}`);
}

function isSlow(shape: RegExp, { pumps, suffix }: AttackPattern): boolean {
  const room = ATTACK_LENGTH / Math.max(1, pumps.length);
  const text = pumps
    .map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(room / Math.max(1, pump.length))))
    .join('');
  // A busy machine delays one search, but not each of several.
  return Array.from({ length: 5 }).every(() => {
    const startedMs = performance.now();
    `${text}${suffix}`.search(shape);
    return performance.now() - startedMs > MAX_MATCH_MS;
  });
}

describe('regular expressions', () => {
  test('take at most linear time for any input', async () => {
    const all = [...files.flatMap(findLiterals), ...assembled];
    const different = [...new Map(all.map((one) => [`${one.pattern}/${one.flags}`, one])).values()];
    expect(different.length).toBeGreaterThan(100);
    expect(await vulnerable(different)).toEqual([]);
  }, 600_000);

  test('are written as whole literals, or checked as they are assembled', () => {
    expect(files.filter(isConstructed).map(({ path }) => path)).toEqual(Object.keys(ASSEMBLED));
  });

  test('that are dangerous would be detected', async () => {
    const text = String.raw`const a = /\/\/(?:[^\s/@]+|[^\s@]*:[^\s]*)@/; const b = /^(a+)+$/;`;
    expect(await vulnerable(findLiterals({ path: 'a.ts', text }))).toHaveLength(2);
    const isFound = (code: string) => isConstructed({ path: 'a.ts', text: code });
    expect([`new RegExp('x')`, `RegExp('y')`].filter(isFound)).toHaveLength(2);
  });
});
