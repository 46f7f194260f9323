import { joinTexts, safeUrl, unescapeEntities, type Inline } from './inline.ts';
import { bareUrlAt, emojiAt, referenceAt, type Found } from './inline-scan.ts';

const marks = [
  { mark: '**', kind: 'bold' },
  { mark: '__', kind: 'bold' },
  { mark: '~~', kind: 'strike' },
  { mark: '*', kind: 'italic' },
  { mark: '_', kind: 'italic' },
] as const;

const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Reads one run of Markdown text: emphasis, code, links, Slack's mentions. HTML in it is text. */
export function parseMarkdownInline(text: string, open: readonly string[] = []): Inline[] {
  const nodes: Inline[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  let textFrom = 0;
  const take = (found: Found) => {
    nodes.push({ kind: 'text', text: unescapeEntities(text.slice(textFrom, at)) }, found.node);
    at = found.end;
    textFrom = at;
  };
  while (at < text.length) {
    const found = findAt(text, at, open, unclosed);
    if (found) take(found);
    else at += 1;
  }
  nodes.push({ kind: 'text', text: unescapeEntities(text.slice(textFrom)) });
  return joinTexts(nodes);
}

function findAt(text: string, at: number, open: readonly string[], unclosed: Set<string>): Found | null {
  switch (text.charAt(at)) {
    case '\n':
      return { node: { kind: 'break' }, end: at + 1 };
    case '\\':
      return escapedAt(text, at);
    case '`':
      return codeAt(text, at);
    case '!':
      return text[at + 1] === '[' ? linkAt(text, at + 1) : null;
    case '[':
      return linkAt(text, at);
    case '<':
      return referenceAt(text, at);
    case ':':
      return emojiAt(text, at);
    case 'h':
      return bareUrlAt(text, at);
    default:
      return emphasisAt(text, at, open, unclosed);
  }
}

function escapedAt(text: string, at: number): Found | null {
  const next = text[at + 1] ?? '';
  return /[!-/:-@[-`{-~]/.test(next) ? { node: { kind: 'text', text: next }, end: at + 2 } : null;
}

function codeAt(text: string, at: number): Found | null {
  const fence = /`+/y;
  fence.lastIndex = at;
  const ticks = fence.exec(text)?.[0] ?? '`';
  const end = text.indexOf(ticks, at + ticks.length);
  if (end === -1) return { node: { kind: 'text', text: ticks }, end: at + ticks.length };
  const inside = text.slice(at + ticks.length, end).replace(/^ (.*) $/s, '$1');
  return { node: { kind: 'code', text: unescapeEntities(inside) }, end: end + ticks.length };
}

/** `[label](address)`; an image is shown as a link to it, as Slack does. */
function linkAt(text: string, at: number): Found | null {
  const shape = /\[([^\][\n]{0,500})\]\(\s*<?([^\s()<>]{1,2000})>?(?:\s+"[^"\n]{0,500}")?\s*\)/y;
  shape.lastIndex = at;
  const match = shape.exec(text);
  const url = safeUrl(unescapeEntities(match?.[2] ?? ''));
  if (match === null || url === null) return null;
  const label = match[1] === undefined || match[1] === '' ? url : match[1];
  return { node: { kind: 'link', url, children: withoutLinks(parseMarkdownInline(label)) }, end: at + match[0].length };
}

/** A link cannot hold another one. */
function withoutLinks(nodes: Inline[]): Inline[] {
  return nodes.flatMap((node) => (node.kind === 'link' ? node.children : [node]));
}

function emphasisAt(text: string, at: number, open: readonly string[], unclosed: Set<string>): Found | null {
  const found = marks.find(({ mark }) => text.startsWith(mark, at));
  if (found === undefined || open.includes(found.mark) || unclosed.has(found.mark)) return null;
  const { mark, kind } = found;
  const from = at + mark.length;
  if (isSpace(text[from]) || (mark.startsWith('_') && isWord(text[at - 1]))) return null;
  const end = closingAt(text, from, mark);
  if (end === -1) {
    unclosed.add(mark);
    return null;
  }
  const children = parseMarkdownInline(text.slice(from, end), [...open, mark]);
  return { node: { kind, children }, end: end + mark.length };
}

function closingAt(text: string, from: number, mark: string): number {
  for (let at = text.indexOf(mark, from + 1); at !== -1; at = text.indexOf(mark, at + 1)) {
    const isLonger = mark.length === 1 && (text[at + 1] === mark || text[at - 1] === mark);
    const isInWord = mark.startsWith('_') && isWord(text[at + mark.length]);
    if (!isSpace(text[at - 1]) && !isLonger && !isInWord) return at;
  }
  return -1;
}
