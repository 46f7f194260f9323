import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { InlineText } from './inline-view.ts';
import { parseMarkdown, type MarkdownBlock, type MarkdownItem } from './markdown.ts';

/** The text of a `markdown` block. */
export function MarkdownText({ text }: { text: string }): VNode {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return html`<div class="text markdown">${blocks.map((block) => html`<${BlockView} block=${block} />`)}</div>`;
}

function BlockView({ block }: { block: MarkdownBlock }): VNode {
  switch (block.kind) {
    case 'heading':
      return html`<p
        class=${`heading heading-${Math.min(block.level, 4)}`}
        role="heading"
        aria-level=${block.level + 2}
      >
        <${InlineText} nodes=${block.children} />
      </p>`;
    case 'paragraph':
      return html`<p><${InlineText} nodes=${block.children} /></p>`;
    case 'preformatted':
      return html`<pre tabindex="0">${block.text}</pre>`;
    case 'quote':
      return html`<blockquote>${block.blocks.map((inner) => html`<${BlockView} block=${inner} />`)}</blockquote>`;
    case 'rule':
      return html`<hr />`;
    case 'list': {
      const items = block.items.map((item) => html`<${ItemView} item=${item} />`);
      return block.isOrdered
        ? html`<ol start=${block.start}>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case 'table':
      return html`<${TableView} table=${block} />`;
    default:
      return block satisfies never;
  }
}

function ItemView({ item }: { item: MarkdownItem }): VNode {
  const blocks = item.blocks.map((block) => html`<${BlockView} block=${block} />`);
  if (item.isDone === null) return html`<li>${blocks}</li>`;
  const label = item.isDone ? 'Done' : 'Not done';
  return html`<li class="task"><span role="img" aria-label=${label}>${item.isDone ? '☑' : '☐'}</span>${blocks}</li>`;
}

function TableView({ table }: { table: Extract<MarkdownBlock, { kind: 'table' }> }): VNode {
  const classOf = (index: number) => `align-${table.align[index] ?? 'left'}`;
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${table.header.map((cell, index) => html`<th scope="col" class=${classOf(index)}><${InlineText} nodes=${cell} /></th>`)}
        </tr>
      </thead>
      <tbody>
        ${table.rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => html`<td class=${classOf(index)}><${InlineText} nodes=${cell} /></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
