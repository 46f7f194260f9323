import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Json } from '../core/json.ts';
import { InlineText } from './inline-view.ts';
import { readRichText, type RichTextPart } from './rich-text.ts';

export function RichText({ block }: { block: Json }): VNode {
  const parts = useMemo(() => readRichText(block), [block]);
  return html`<div class="text">${parts.map((part) => html`<${PartView} part=${part} />`)}</div>`;
}

function PartView({ part }: { part: RichTextPart }): VNode {
  switch (part.kind) {
    case 'section':
      return html`<p><${InlineText} nodes=${part.children} /></p>`;
    case 'preformatted':
      return html`<pre tabindex="0">${part.text}</pre>`;
    case 'unknown':
      return html`<p class="undrawn">cannot be shown: ${part.type}</p>`;
    default:
      return part satisfies never;
  }
}
