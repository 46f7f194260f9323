import { safeUrl, unescapeEntities, type Inline } from './inline.ts';
import { parseReference } from './references.ts';

/** A node found in a line, and the position after it. */
export interface ScannedNode {
  node: Inline;
  end: number;
}

export interface SpanMark {
  mark: string;
  kind: 'bold' | 'italic' | 'strike';
}

const wordCharacter = /[\p{L}\p{N}]/u;
const isWord = (character: string | undefined) => character !== undefined && wordCharacter.test(character);
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);

export function referenceAt(line: string, at: number): ScannedNode | null {
  const end = line.indexOf('>', at + 1);
  if (end === -1) return null;
  const content = line.slice(at + 1, end);
  if (content.includes('<')) return null;
  const node = parseReference(content);
  return node === null ? null : { node, end: end + 1 };
}

export function emojiAt(line: string, at: number): ScannedNode | null {
  const shape = /:([a-z0-9_+'-]{1,100}):(?::(skin-tone-[2-6]):)?/y;
  shape.lastIndex = at;
  const match = shape.exec(line);
  const name = match?.[1];
  if (match === null || name === undefined || isWord(line[at - 1])) return null;
  return { node: { kind: 'emoji', name }, end: at + match[0].length };
}

/** Finds `https://example.com/a_b.` in running text: without the full stop, and with `_` as part of it. */
export function bareUrlAt(line: string, at: number): ScannedNode | null {
  if (isWord(line[at - 1])) return null;
  const shape = /https?:\/\/[^\s<>|"`*]+/y;
  shape.lastIndex = at;
  const written = withoutTrailingPunctuation(shape.exec(line)?.[0] ?? '');
  const url = safeUrl(unescapeEntities(written));
  if (url === null) return null;
  return { node: { kind: 'link', url, children: [{ kind: 'text', text: url }] }, end: at + written.length };
}

function withoutTrailingPunctuation(address: string): string {
  let end = address.length;
  for (;;) {
    if (/[.,;:!?'_~)\]]/.test(address[end - 1] ?? '') && !/&(?:amp|lt|gt);$/.test(address.slice(end - 5, end)))
      end -= 1;
    else if (/^&[lg]t;$/.test(address.slice(end - 4, end))) end -= 4;
    else return address.slice(0, end);
  }
}

/**
 * Returns the text between a mark at `at` and the next one that can close it. A mark opens before a character and after none
 * (so `2*3*4` and `snake_case` are text) and closes the other way round. Code and references are skipped.
 */
export function spanAt(
  line: string,
  at: number,
  mark: string,
): { inside: string; end: number } | 'cannot open' | 'never closed' {
  const before = line[at - 1];
  const after = line[at + 1];
  if (isWord(before) || before === mark || isSpace(after) || after === mark) return 'cannot open';
  for (let index = at + 1; index < line.length; index += 1) {
    const character = line[index];
    if (character === '`' || character === '<') {
      const end = line.indexOf(character === '<' ? '>' : '`', index + 1);
      if (end > index + 1) index = end;
    } else if (character === mark && index > at + 1 && !isSpace(line[index - 1]) && !isWord(line[index + 1])) {
      return { inside: line.slice(at + 1, index), end: index + 1 };
    }
  }
  return 'never closed';
}
