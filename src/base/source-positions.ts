import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';

const POSITION = /file:\/\/([^\s:()]{1,500}\.js):(\d{1,7}):(\d{1,7})/g;
const maps = new Map<string, SourceMap | undefined>();

/**
 * Translates positions in an error's stack from the bundle to the sources. Node's `--enable-source-maps` reads the maps
 * at the start and keeps them, which costs 15 MB; here they are read with the first error.
 *
 * @example namePositions('at start (file:///app/dist/main.js:10:3)') // 'at start (src/app.ts:42:9)'
 */
export function namePositions(stack: string): string {
  return stack.replaceAll(POSITION, (position, path: string, line: string, column: string) => {
    const mapping = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!mapping || !('originalSource' in mapping)) return position;
    const source = join(dirname(path), mapping.originalSource);
    return `${relative(join(dirname(path), '..'), source)}:${mapping.originalLine + 1}:${mapping.originalColumn + 1}`;
  });
}

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) maps.set(path, readMap(`${path}.map`));
  return maps.get(path);
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Without the bundle there is no map, and an unreadable map must not hide the error that is being logged.
    return undefined;
  }
}
