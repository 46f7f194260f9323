import type { Block } from '../../core/slack/blocks/blocks.ts';
import { clip } from '../../core/base/text/markup.ts';

/** Direction marks and other characters that hide or reorder text, except line breaks and tabs. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export interface Piece {
  kind: 'text' | 'code';
  text: string;
}

/** @example piecesOf('look:\n```ts\nf();\n```') // [{ kind: 'text', text: 'look:' }, { kind: 'code', text: 'f();' }] */
export function piecesOf(text: string): Piece[] {
  const clean = text.toWellFormed().replaceAll('\r\n', '\n').replace(INVISIBLE, ' ');
  const pieces: Piece[] = [];
  let lines: string[] = [];
  /** The opening line of the current code. */
  let fence: string | undefined;
  for (const line of clean.split('\n')) {
    const isEnd = fence === undefined ? line.startsWith('```') : line.trimEnd() === '```';
    if (!isEnd) {
      lines.push(line);
      continue;
    }
    pieces.push({ kind: fence === undefined ? 'text' : 'code', text: withoutEmptyEdges(lines) });
    fence = fence === undefined ? line : undefined;
    lines = [];
  }
  // An unclosed fence is text.
  pieces.push({ kind: 'text', text: withoutEmptyEdges(fence === undefined ? lines : [fence, ...lines]) });
  return pieces.filter(({ text: part }) => part !== '');
}

/** Spaces at the start of the first line remain, because they indent it. */
function withoutEmptyEdges(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd();
}

/** In rich text, only the block itself can create a mention, link or format. Text beyond `length` is folded. */
export function textBlock(text: string, length: number): { block: Block; isFolded: boolean } {
  const elements: object[] = [];
  let remaining = length;
  const pieces = piecesOf(text);
  let isFolded = false;
  for (const piece of pieces) {
    if (remaining <= 0) {
      isFolded = true;
      break;
    }
    const clipped = clip(piece.text, remaining);
    isFolded ||= clipped !== piece.text;
    remaining -= clipped.length;
    const element = { type: 'text', text: clipped };
    elements.push({
      type: piece.kind === 'code' ? 'rich_text_preformatted' : 'rich_text_section',
      elements: [element],
    });
  }
  if (elements.length === 0)
    elements.push({ type: 'rich_text_section', elements: [{ type: 'text', text: '(empty)' }] });
  return { block: { type: 'rich_text', elements }, isFolded };
}
