import { SourceMap } from 'node:module';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { compactPlugin } from '../../../src/programs/bundle/compact-plugin.ts';

const SOURCE = [
  "export const mark = '“';",
  "export const said = (text) => '“…” 😀' + text.trim();",
  'export const isWord = (text) => /^[à-ü]+$/.test(text);',
  'export const isSmile = (text) => /^[😀-😂]$/u.test(text);',
].join('\n');

/** Bundles a module as the image is bundled. @returns its code, and its map if it has one */
async function bundle(name: string, source: string): Promise<{ code: string; map?: string }> {
  const build = await rolldown({
    input: name,
    plugins: [{ name: 'source', resolveId: (id) => id, load: () => source }, compactPlugin(['packages'])],
  });
  const { output } = await build.generate({ format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  const chunk = output.find((file) => file.type === 'chunk');
  const map = output.find((file) => file.type === 'asset');
  return { code: chunk?.code ?? '', ...(map && { map: String(map.source) }) };
}

const run = (code: string) => import(`data:text/javascript,${encodeURIComponent(code)}`);

test('has only characters of ASCII, and behaves as before', async () => {
  const { code } = await bundle('own', SOURCE);
  expect(Array.from(code).filter((character) => character > '\x7F')).toEqual([]);
  const { mark, said, isWord, isSmile } = await run(code);
  expect(mark).toBe('“');
  expect(said('é')).toBe('“…” 😀é');
  expect([isWord('üé'), isWord('b'), isSmile('😁'), isSmile('a')]).toEqual([true, false, true, false]);
});

test('still names the line and column of the source behind escapes', async () => {
  const { code, map } = await bundle('own', SOURCE);
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.includes('text.trim('));
  const column = lines[line]?.indexOf('text.trim(') ?? -1;
  const sourceLine = SOURCE.split('\n')[1] ?? '';
  expect(new SourceMap(JSON.parse(map ?? '')).findEntry(line, column)).toMatchObject({
    originalLine: 1,
    originalColumn: sourceLine.indexOf('text.trim('),
  });
});

test('leaves out the spaces and comments of packages, and their maps', async () => {
  const { code, map } = await bundle('packages', `/** A comment. */\n${SOURCE}`);
  expect(map).toBeUndefined();
  expect(code).not.toContain('A comment');
  expect(code.trim().split('\n').length).toBeLessThan(3);
  expect((await run(code)).said('a')).toBe('“…” 😀a');
});

test('refuses a raw text that an escape would change', async () => {
  await expect(bundle('own', 'export const raw = String.raw`“`;')).rejects.toThrow('own has a raw text');
});
