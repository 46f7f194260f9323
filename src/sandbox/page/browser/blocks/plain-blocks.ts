import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordsOf, stringOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { InlineTextObject, TextObject } from '../text/text-view.ts';

interface BlockProps {
  block: Json;
}

/** Headings within a message start below those of the page: its own title, the channel and the author. */
const HEADING_LEVEL = 4;

export function HeaderBlock({ block }: BlockProps): VNode {
  return html`<p class="heading" role="heading" aria-level=${HEADING_LEVEL}>
    <${InlineTextObject} value=${block['text']} />
  </p>`;
}

export function ContextBlock({ block }: BlockProps): VNode {
  return html`<div class="context">
    ${recordsOf(block['elements']).map((element) => html`<${TextObject} value=${element} />`)}
  </div>`;
}

export function ActionsBlock({ block }: BlockProps): VNode {
  const blockId = stringOf(block['block_id']);
  return html`<div class="row">
    ${recordsOf(block['elements']).map(
      (element, index) =>
        html`<${ElementView}
          key=${stringOf(element['action_id'], String(index))}
          element=${element}
          blockId=${blockId}
        />`,
    )}
  </div>`;
}
