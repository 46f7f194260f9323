import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localImports, typeScriptFiles, type SourceFile } from './sources.ts';

/** What every feature may stand on. Everything else directly under src/ is listed here too, or it is a feature. */
const GROUND_FLOOR = new Set(
  'analytics outbox platform schedule slack store batched checks config date-fns deadline feature guards http log metrics observed-outbox observed-platform retry-after scrub source-positions trailing watchdog'.split(
    ' ',
  ),
);
/** They put the features together. */
const ASSEMBLY = new Set(['app', 'app-settings', 'main']);
const LONGEST_FILE_LINES = 300;

const files = typeScriptFiles('src');

/** `src/usage/index.ts` belongs to `usage`, `src/app.ts` to `app`. */
function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

const OTHERS = new Set(['sandbox', 'doctor', 'bundle']);
const isGround = (part: string) => GROUND_FLOOR.has(part);
const isFeature = (part: string) => !isGround(part) && !ASSEMBLY.has(part) && !OTHERS.has(part);

/** May a file of one part import a file of the other? */
function isAllowed(from: string, to: string): boolean {
  if (from === to || from === 'sandbox') return true;
  if (from === 'main') return to === 'app' || isGround(to);
  if (from === 'app' || from === 'app-settings') return isFeature(to) || isGround(to) || to === 'app-settings';
  return isGround(to);
}

function forbiddenImports(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((file) =>
    localImports(file)
      .filter((target) => !isAllowed(partOf(file.path), partOf(target)))
      .map((target) => `${file.path} imports ${target}`),
  );
}

describe('the import rule', () => {
  test('holds: features import themselves and the ground floor, which imports no feature', () => {
    expect(forbiddenImports(files)).toEqual([]);
  });

  test('would be noticed if it were broken', () => {
    const broken = [
      { path: 'src/usage/a.ts', text: `import { b } from '../digests/b.ts';` },
      { path: 'src/slack/a.ts', text: `import type { B } from '../usage/b.ts';` },
      { path: 'src/store/a.ts', text: `import {\n  b,\n} from '../sandbox/b.ts';` },
      { path: 'src/limits/a.ts', text: `export { startApp } from '../app.ts';` },
      { path: 'src/doctor/a.ts', text: `const b = await import('../usage/b.ts');` },
    ];
    expect(forbiddenImports(broken)).toHaveLength(broken.length);
    expect(forbiddenImports([{ path: 'src/usage/a.ts', text: `import { b } from '../slack/b.ts';` }])).toEqual([]);
  });

  test('sees the imports that are there', () => {
    const app = files.find(({ path }) => path === 'src/app.ts');
    expect(app && localImports(app)).toContain('src/usage/index.ts');
  });

  test('knows every part of src', () => {
    const features = new Set(files.map(({ path }) => partOf(path)).filter(isFeature));
    expect([...features].filter((name) => !files.some(({ path }) => path === `src/${name}/index.ts`))).toEqual([]);
  });
});

test('date-fns is loaded in one place, because as an ES module it takes seconds and 300 MB', () => {
  const importers = files.filter(({ text }) => /from 'date-fns\b|require\S*\('date-fns'\)/.test(text));
  expect(importers.map(({ path }) => path)).toEqual(['src/date-fns.ts']);
});

describe('files', () => {
  test(`are at most ${LONGEST_FILE_LINES} lines long`, () => {
    const tooLong = files.filter(({ text }) => text.split('\n').length - 1 > LONGEST_FILE_LINES);
    expect(tooLong.map(({ path }) => path)).toEqual([]);
  });

  test('are named after what they hold, in kebab-case', () => {
    const all = [...files, ...typeScriptFiles('test')].map(({ path }) => path);
    const misnamed = all.filter((path) => {
      const name = basename(path).replace(/(\.(test|config))?\.ts$/, '');
      return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || /^(utils?|helpers?|misc|common)$/.test(name);
    });
    expect(misnamed).toEqual([]);
  });
});
