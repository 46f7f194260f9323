import { decode, encode } from '@jridgewell/sourcemap-codec';
import type { Plugin } from 'rolldown';
import { minifySync } from 'rolldown/utils';

const NOT_ASCII = /[^\0-\x7F]/g;
const ESCAPE_LENGTH = String.raw`\u2026`.length;
/** An escape would be six characters there, and not the one that it names. */
const RAW_TEXT = /String\.raw`[^`]*[^\0-\x7F`]/;

/**
 * Makes the code small in memory: V8 holds the text of a program for as long as it runs, with one byte for each character
 * if all are ASCII, and with two otherwise. So other characters are escaped, and packages lose their spaces and comments.
 * Positions in own code keep their map; those in packages have none, because it would be five times as large.
 *
 * @param packages names of the chunks with code of packages
 * @throws if a raw text has characters that only an escape could replace
 */
export function compactPlugin(packages: readonly string[]): Plugin {
  return {
    name: 'compact',
    generateBundle(_options, files) {
      for (const chunk of Object.values(files)) {
        if (chunk.type !== 'chunk') continue;
        const isOfPackages = packages.includes(chunk.name);
        const code = isOfPackages ? withoutSpaces(chunk.name, chunk.code) : chunk.code;
        if (RAW_TEXT.test(code)) throw new Error(`${chunk.name} has a raw text that cannot be escaped`);
        chunk.code = code.replaceAll(NOT_ASCII, escapeUnit);
        const mapName = `${chunk.fileName}.map`;
        const map = files[mapName];
        if (isOfPackages) delete files[mapName];
        else if (chunk.map && map?.type === 'asset')
          map.source = JSON.stringify({ ...chunk.map, mappings: shiftColumns(chunk.map.mappings, code) });
      }
    },
  };
}

const escapeUnit = (unit: string) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function withoutSpaces(name: string, code: string): string {
  const codegen = { removeWhitespace: true, legalComments: 'inline' } as const;
  const result = minifySync(`${name}.js`, code, { module: true, compress: false, mangle: false, codegen });
  if (result.errors.length > 0) throw new Error(`${name} cannot be made smaller: ${result.errors[0]?.message}`);
  return result.code;
}

/** Moves each position behind the escapes that precede it in its line. */
function shiftColumns(mappings: string, code: string): string {
  const lines = code.split('\n');
  return encode(
    decode(mappings).map((segments, index) => {
      const escapedAt = [...(lines[index] ?? '').matchAll(NOT_ASCII)].map((match) => match.index);
      for (const segment of segments) {
        const [column] = segment;
        segment[0] = column + (ESCAPE_LENGTH - 1) * escapedAt.filter((at) => at < column).length;
      }
      return segments;
    }),
  );
}
