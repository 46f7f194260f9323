import { joinTexts, unescapeEntities, type Inline, type TextBlock } from './inline.ts';
import { bareUrlAt, emojiAt, referenceAt, spanAt, type ScannedNode, type SpanMark } from './inline-scan.ts';

export interface MrkdwnOptions {
  /** `true`: bare addresses stay text, as in a text object with `verbatim`. */
  verbatim?: boolean;
}

/**
 * Parses Slack's mrkdwn into a tree of paragraphs, quotes and preformatted lines. It never fails: unknown markup is text.
 *
 * @example parseMrkdwn('*bold* &lt;b&gt;') // a paragraph: bold "bold", text " <b>"
 */
export function parseMrkdwn(source: string, options: MrkdwnOptions = {}): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const part of splitFences(source)) {
    if (part.isFenced) blocks.push({ kind: 'preformatted', text: unescapeEntities(part.text) });
    else blocks.push(...parseLines(part.text, options));
  }
  return blocks;
}

/** Parses text without blocks into one line of formatting, for table headers, option labels and the like. */
export function parseInlineMrkdwn(source: string, options: MrkdwnOptions = {}): Inline[] {
  const lines = source.split('\n').map((line) => parseInline(line, { ...options, open: [] }));
  const nodes: Inline[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) nodes.push({ kind: 'break' });
    nodes.push(...line);
  }
  return joinTexts(nodes);
}

interface Part {
  isFenced: boolean;
  text: string;
}

/** Splits at pairs of ```; an unclosed fence is text. */
function splitFences(source: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const opening = source.indexOf('```', at);
    const closing = opening === -1 ? -1 : source.indexOf('```', opening + 3);
    if (closing === -1) break;
    const inside = source.slice(opening + 3, closing);
    if (inside.trim() === '') {
      parts.push({ isFenced: false, text: source.slice(at, closing + 3) });
    } else {
      parts.push({ isFenced: false, text: source.slice(at, opening).replace(/\n$/, '') });
      parts.push({ isFenced: true, text: inside.replace(/^\n/, '').replace(/\n$/, '') });
    }
    at = closing + 3;
    if (source[at] === '\n') at += 1;
  }
  parts.push({ isFenced: false, text: source.slice(at) });
  return parts.filter((part) => part.text !== '');
}

const quoteToEnd = /^(?:&gt;|>){3} ?/;
const quotedLine = /^(?:&gt;|>) ?/;

function parseLines(text: string, options: MrkdwnOptions): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (quoteToEnd.test(line)) {
      const quoted = [line.replace(quoteToEnd, ''), ...lines.slice(index + 1)].join('\n');
      blocks.push({ kind: 'quote', children: parseInlineMrkdwn(quoted, options) });
      return blocks;
    }
    const kind = quotedLine.test(line) ? 'quote' : 'paragraph';
    const children = parseInlineMrkdwn(kind === 'quote' ? line.replace(quotedLine, '') : line, options);
    const last = blocks.at(-1);
    if (last?.kind === kind) last.children.push({ kind: 'break' }, ...children);
    else blocks.push({ kind, children });
  }
  return blocks;
}

interface InlineContext extends MrkdwnOptions {
  /** The surrounding marks: the same one cannot open again. */
  open: readonly string[];
}

const spanMarks: readonly SpanMark[] = [
  { mark: '*', kind: 'bold' },
  { mark: '_', kind: 'italic' },
  { mark: '~', kind: 'strike' },
];

function parseInline(line: string, context: InlineContext): Inline[] {
  const nodes: Inline[] = [];
  /** Marks without a closing one. Without this set, a line of unclosed marks would take quadratic time. */
  const unclosed = new Set<string>();
  let at = 0;
  let textFrom = 0;
  while (at < line.length) {
    const match = findAt(line, at, context, unclosed);
    if (match === null) {
      at += 1;
      continue;
    }
    nodes.push({ kind: 'text', text: unescapeEntities(line.slice(textFrom, at)) }, match.node);
    at = match.end;
    textFrom = at;
  }
  nodes.push({ kind: 'text', text: unescapeEntities(line.slice(textFrom)) });
  return joinTexts(nodes);
}

function findAt(line: string, at: number, context: InlineContext, unclosed: Set<string>): ScannedNode | null {
  switch (line.charAt(at)) {
    case '`': {
      const end = line.indexOf('`', at + 1);
      if (end <= at + 1) return null;
      return { node: { kind: 'code', text: unescapeEntities(line.slice(at + 1, end)) }, end: end + 1 };
    }
    case '<':
      return referenceAt(line, at);
    case ':':
      return emojiAt(line, at);
    case 'h':
      return context.verbatim === true ? null : bareUrlAt(line, at);
    default:
      return findSpan(line, at, context, unclosed);
  }
}

function findSpan(line: string, at: number, context: InlineContext, unclosed: Set<string>): ScannedNode | null {
  const span = spanMarks.find(({ mark }) => mark === line[at]);
  if (span === undefined || context.open.includes(span.mark) || unclosed.has(span.mark)) return null;
  const inner = spanAt(line, at, span.mark);
  if (inner === 'cannot open') return null;
  if (inner === 'never closed') {
    unclosed.add(span.mark);
    return null;
  }
  const children = parseInline(inner.inside, { ...context, open: [...context.open, span.mark] });
  return { node: { kind: span.kind, children }, end: inner.end };
}
