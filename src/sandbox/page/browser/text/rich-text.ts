import { numberOf, recordOf, recordsOf, stringOf, type Json } from '../core/json.ts';
import { emojiFromCodePoints } from './emoji.ts';
import { joinTexts, safeUrl, type Inline } from './inline.ts';

export type RichTextPart =
  | { kind: 'section'; children: Inline[] }
  | { kind: 'quote'; children: Inline[] }
  | { kind: 'preformatted'; text: string }
  | { kind: 'list'; isOrdered: boolean; indent: number; start: number; items: Inline[][] }
  | { kind: 'unknown'; type: string };

/** Reads the elements of a `rich_text` block (or of a rich text table cell) into parts to draw. */
export function readRichText(block: Json): RichTextPart[] {
  return recordsOf(block['elements']).map((element) => readPart(element));
}

function readPart(element: Json): RichTextPart {
  const children = () => readLeaves(element['elements']);
  switch (element['type']) {
    case 'rich_text_section':
      return { kind: 'section', children: children() };
    case 'rich_text_quote':
      return { kind: 'quote', children: children() };
    case 'rich_text_preformatted':
      return { kind: 'preformatted', text: leafTexts(element['elements']) };
    case 'rich_text_list':
      return {
        kind: 'list',
        isOrdered: element['style'] === 'ordered',
        indent: Math.min(Math.max(numberOf(element['indent']) ?? 0, 0), 8),
        start: (numberOf(element['offset']) ?? 0) + 1,
        items: recordsOf(element['elements']).map((item) => readLeaves(item['elements'])),
      };
    default:
      return { kind: 'unknown', type: stringOf(element['type'], 'unknown') };
  }
}

function leafTexts(elements: unknown): string {
  return recordsOf(elements)
    .map((leaf) => stringOf(leaf['text'], stringOf(leaf['url'])))
    .join('');
}

/** Reads the leaves of a section. Their text is plain: `*` in it is a star. */
function readLeaves(elements: unknown): Inline[] {
  return joinTexts(recordsOf(elements).flatMap((leaf) => styled(readLeaf(leaf), recordOf(leaf['style']))));
}

function readLeaf(leaf: Json): Inline[] {
  const id = (name: string) => stringOf(leaf[name]);
  switch (leaf['type']) {
    case 'text':
      return splitLines(stringOf(leaf['text']));
    case 'link': {
      const url = safeUrl(stringOf(leaf['url']));
      const children = splitLines(stringOf(leaf['text'], stringOf(leaf['url'])));
      return url === null ? children : [{ kind: 'link', url, children }];
    }
    case 'emoji': {
      const unicode = emojiFromCodePoints(stringOf(leaf['unicode']));
      return [{ kind: 'emoji', name: stringOf(leaf['name']), unicode }];
    }
    case 'user':
      return [{ kind: 'user', id: id('user_id'), label: null }];
    case 'channel':
      return [{ kind: 'channel', id: id('channel_id'), label: null }];
    case 'usergroup':
      return [{ kind: 'group', id: id('usergroup_id'), label: null }];
    case 'team':
      return [{ kind: 'team', id: id('team_id'), label: null }];
    case 'broadcast': {
      const range = leaf['range'];
      return range === 'here' || range === 'channel' || range === 'everyone' ? [{ kind: 'broadcast', range }] : [];
    }
    case 'color':
      return [{ kind: 'colour', value: stringOf(leaf['value']) }];
    case 'date':
      return [readDate(leaf)];
    default:
      return [{ kind: 'text', text: stringOf(leaf['text'], stringOf(leaf['fallback'])) }];
  }
}

function readDate(leaf: Json): Inline {
  const fallback = stringOf(leaf['fallback']);
  const epochSeconds = numberOf(leaf['timestamp']);
  if (epochSeconds === null || Math.abs(epochSeconds) > 8e12) return { kind: 'text', text: fallback };
  return {
    kind: 'date',
    epochSeconds,
    format: stringOf(leaf['format'], '{date} at {time}'),
    url: safeUrl(stringOf(leaf['url'])),
    fallback,
  };
}

function splitLines(text: string): Inline[] {
  return text
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [] : [{ kind: 'break' } as Inline]).concat({ kind: 'text', text: line }));
}

const styles = ['strike', 'underline', 'highlight', 'italic', 'bold'] as const;

function styled(nodes: Inline[], style: Json | null): Inline[] {
  if (style === null) return nodes;
  const isCode = style['code'] === true;
  let result = isCode
    ? nodes.map((node): Inline => (node.kind === 'text' ? { kind: 'code', text: node.text } : node))
    : nodes;
  for (const kind of styles) {
    const isSet = style[kind] === true || (kind === 'highlight' && style['client_highlight'] === true);
    if (isSet) result = [{ kind, children: result }];
  }
  return result;
}
