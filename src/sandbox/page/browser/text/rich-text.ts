import { recordsOf, stringOf, type Json } from '../core/json.ts';
import { joinTexts, type Inline } from './inline.ts';

export type RichTextPart =
  | { kind: 'section'; children: Inline[] }
  | { kind: 'preformatted'; text: string }
  | { kind: 'unknown'; type: string };

export function readRichText(block: Json): RichTextPart[] {
  return recordsOf(block['elements']).map((element) => readPart(element));
}

/** Rich text contains plain text: `*` in it is a star. */
function readPart(element: Json): RichTextPart {
  const leaves = recordsOf(element['elements']);
  const odd = leaves.find(({ type }) => type !== 'text');
  if (odd !== undefined) return unknownPart(odd);
  const text = leaves.map((leaf) => stringOf(leaf['text'])).join('');
  switch (element['type']) {
    case 'rich_text_section':
      return { kind: 'section', children: joinTexts(splitLines(text)) };
    case 'rich_text_preformatted':
      return { kind: 'preformatted', text };
    default:
      return unknownPart(element);
  }
}

const unknownPart = ({ type }: Json): RichTextPart => ({ kind: 'unknown', type: stringOf(type, 'unknown') });

function splitLines(text: string): Inline[] {
  return text
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [] : [{ kind: 'break' } as Inline]).concat({ kind: 'text', text: line }));
}
