import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { recordOf, type Json } from '../core/json.ts';
import { RichText } from '../text/rich-text-view.ts';
import { InlineTextObject } from '../text/text-view.ts';

interface ContainerProps {
  block: Json;
  /** Draws the blocks inside. */
  inside: ComponentType<{ blocks: unknown }>;
}

/** A framed group of blocks, which may be folded. */
export function ContainerView({ block, inside }: ContainerProps): VNode {
  const richTitle = recordOf(block['rich_text_title']);
  const head = html`<span class="container-head">
    <strong
      >${richTitle === null ? html`<${InlineTextObject} value=${block['title']} />` : html`<${RichText} block=${richTitle} />`}</strong
    >
    ${block['subtitle'] !== undefined && html`<small><${InlineTextObject} value=${block['subtitle']} /></small>`}
  </span>`;
  const children = html`<${inside} blocks=${block['child_blocks']} />`;
  if (block['is_collapsible'] !== true) return html`<section class="container">${head}${children}</section>`;
  return html`<details class="container" open=${block['default_collapsed'] !== true}>
    <summary>${head}</summary>
    ${children}
  </details>`;
}
