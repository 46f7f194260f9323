import type { Inline } from './inline.ts';
import { parseMarkdownInline } from './markdown-inline.ts';

type Alignment = 'left' | 'center' | 'right';

export interface MarkdownItem {
  /** `null`: an ordinary item; else a task, done or not. */
  isDone: boolean | null;
  blocks: MarkdownBlock[];
}

export type MarkdownBlock =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'preformatted'; text: string }
  | { kind: 'quote'; blocks: MarkdownBlock[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: MarkdownItem[] }
  | { kind: 'table'; align: Alignment[]; header: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

const MAX_DEPTH = 8;

/** Reads the text of a `markdown` block. What is not Markdown, HTML included, is text. */
export function parseMarkdown(source: string): MarkdownBlock[] {
  return parseBlocks(source.replaceAll('\r\n', '\n').split('\n'), 0);
}

/** A block and how many lines it took. */
interface Taken {
  block: MarkdownBlock;
  lines: number;
}

function parseBlocks(lines: readonly string[], depth: number): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at += 1;
      continue;
    }
    const taken = takeBlock(lines, at, depth) ?? takeParagraph(lines, at);
    blocks.push(taken.block);
    at += taken.lines;
  }
  return blocks;
}

function takeBlock(lines: readonly string[], at: number, depth: number): Taken | null {
  const line = lines[at] ?? '';
  const heading = /^ {0,3}(#{1,6})\s(.*)$/.exec(line);
  if (heading) {
    const children = parseMarkdownInline(withoutClosingMarks(heading[2] ?? ''));
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, children }, lines: 1 };
  }
  if (/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(line)) return { block: { kind: 'rule' }, lines: 1 };
  if (/^ {0,3}```/.test(line)) return takeFence(lines, at);
  if (depth < MAX_DEPTH && quoteMark.test(line)) return takeQuote(lines, at, depth);
  if (depth < MAX_DEPTH && itemShape.test(line)) return takeList(lines, at, depth);
  return takeTable(lines, at);
}

function takeFence(lines: readonly string[], at: number): Taken {
  const end = lines.findIndex((line, index) => index > at && /^ {0,3}```\s*$/.test(line));
  const last = end === -1 ? lines.length : end;
  return { block: { kind: 'preformatted', text: lines.slice(at + 1, last).join('\n') }, lines: last - at + 1 };
}

const quoteMark = /^ {0,3}(?:>|&gt;) ?/;

function takeQuote(lines: readonly string[], at: number, depth: number): Taken {
  const quoted: string[] = [];
  while (at + quoted.length < lines.length && quoteMark.test(lines[at + quoted.length] ?? '')) {
    quoted.push((lines[at + quoted.length] ?? '').replace(quoteMark, ''));
  }
  return { block: { kind: 'quote', blocks: parseBlocks(quoted, depth + 1) }, lines: quoted.length };
}

/** `# Title ##` may end as it began. */
function withoutClosingMarks(title: string): string {
  let text = title.trim();
  while (text.endsWith('#')) text = text.slice(0, -1);
  return text.trimEnd();
}

const itemShape = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)?$/;

function takeList(lines: readonly string[], at: number, depth: number): Taken {
  const first = itemShape.exec(lines[at] ?? '');
  const indent = first?.[1]?.length ?? 0;
  const isOrdered = /^\d/.test(first?.[2] ?? '');
  const items: MarkdownItem[] = [];
  let next = at;
  while (next < lines.length) {
    const item = itemShape.exec(lines[next] ?? '');
    if (!item || item[1]?.length !== indent || /^\d/.test(item[2] ?? '') !== isOrdered) break;
    const inner = [item[4] ?? ''];
    next += 1;
    for (
      let line = lines[next];
      line !== undefined && belongsToItem(line, lines[next + 1], indent);
      line = lines[next]
    ) {
      inner.push(line.slice(Math.min(indentOf(line), indent + 2)));
      next += 1;
    }
    const isDone = item[3] === undefined ? null : item[3] !== ' ';
    items.push({ isDone, blocks: parseBlocks(inner, depth + 1) });
  }
  const start = isOrdered ? Number.parseInt(first?.[2] ?? '1', 10) : 1;
  return { block: { kind: 'list', isOrdered, start, items }, lines: next - at };
}

const indentOf = (line: string) => line.length - line.trimStart().length;

function belongsToItem(line: string, following: string | undefined, indent: number): boolean {
  if (line.trim() === '') return following !== undefined && following.trim() !== '' && indentOf(following) > indent;
  return indentOf(line) > indent;
}

function takeTable(lines: readonly string[], at: number): Taken | null {
  const separator = lines[at + 1] ?? '';
  if (
    !(lines[at] ?? '').includes('|') ||
    !separator.includes('-') ||
    !cellsOf(separator).every((cell) => /^:?-+:?$/.test(cell))
  )
    return null;
  const align = cellsOf(separator).map((cell): Alignment =>
    cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : 'left',
  );
  const header = cellsOf(lines[at] ?? '');
  if (header.length !== align.length) return null;
  const rows: Inline[][][] = [];
  let next = at + 2;
  while (next < lines.length && (lines[next] ?? '').includes('|')) {
    const cells = cellsOf(lines[next] ?? '');
    rows.push(header.map((_, index) => parseMarkdownInline(cells[index] ?? '')));
    next += 1;
  }
  const table = { kind: 'table' as const, align, header: header.map((cell) => parseMarkdownInline(cell)), rows };
  return { block: table, lines: next - at };
}

/** The cells of a row: the outer bars may be left out, a bar within a cell is written `\|`. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function takeParagraph(lines: readonly string[], at: number): Taken {
  const taken = [lines[at] ?? ''];
  while (at + taken.length < lines.length) {
    const line = lines[at + taken.length] ?? '';
    if (line.trim() === '' || /^ {0,3}(?:#{1,6}\s|```|>|&gt;)/.test(line) || itemShape.test(line)) break;
    taken.push(line);
  }
  return { block: { kind: 'paragraph', children: parseMarkdownInline(taken.join('\n').trim()) }, lines: taken.length };
}
