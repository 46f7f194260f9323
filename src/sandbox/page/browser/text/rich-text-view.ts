import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Json } from '../core/json.ts';
import { InlineText } from './inline-view.ts';
import { readRichText, type RichTextPart } from './rich-text.ts';

/** A `rich_text` block, or the rich text of a table cell. */
export function RichText({ block }: { block: Json }): VNode {
  const parts = useMemo(() => readRichText(block), [block]);
  return html`<div class="text">${parts.map((part) => html`<${PartView} part=${part} />`)}</div>`;
}

function PartView({ part }: { part: RichTextPart }): VNode {
  switch (part.kind) {
    case 'section':
      return html`<p><${InlineText} nodes=${part.children} /></p>`;
    case 'quote':
      return html`<blockquote><${InlineText} nodes=${part.children} /></blockquote>`;
    case 'preformatted':
      return html`<pre tabindex="0">${part.text}</pre>`;
    case 'list': {
      const items = part.items.map((item) => html`<li><${InlineText} nodes=${item} /></li>`);
      const indent = `indent-${part.indent}`;
      return part.isOrdered
        ? html`<ol class=${indent} start=${part.start}>
            ${items}
          </ol>`
        : html`<ul class=${indent}>
            ${items}
          </ul>`;
    }
    case 'unknown':
      return html`<p class="undrawn">Rich text of the type “${part.type}” cannot be shown here.</p>`;
    default:
      return part satisfies never;
  }
}
