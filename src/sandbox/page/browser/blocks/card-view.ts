import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, recordsOf, stringOf, textOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { InlineTextObject, TextObject } from '../text/text-view.ts';
import { ImageView } from './image-view.ts';

export function CardView({ block }: { block: Json }): VNode {
  const hero = recordOf(block['hero_image']);
  const icon = recordOf(block['icon']);
  const actions = recordsOf(block['actions']);
  return html`<article class="card" aria-label=${textOf(block['title']) || undefined}>
    ${hero !== null && html`<${ImageView} image=${hero} />`}
    <div class="card-head">
      ${icon !== null && html`<${ImageView} image=${icon} isSmall=${true} />`}
      <div>
        ${block['title'] !== undefined && html`<p class="card-title"><${InlineTextObject} value=${block['title']} /></p>`}
        ${block['subtitle'] !== undefined && html`<p class="card-subtitle"><${InlineTextObject} value=${block['subtitle']} /></p>`}
      </div>
    </div>
    ${block['body'] !== undefined && html`<${TextObject} value=${block['body']} />`}
    ${block['subtext'] !== undefined && html`<div class="card-subtext"><${TextObject} value=${block['subtext']} /></div>`}
    ${
      actions.length > 0 &&
      html`<div class="row">
        ${actions.map((element) => html`<${ElementView} element=${element} blockId=${stringOf(block['block_id'])} />`)}
      </div>`
    }
  </article>`;
}

export function CarouselView({ block }: { block: Json }): VNode {
  return html`<div class="carousel" role="group" aria-label="Cards" tabindex="0">
    ${recordsOf(block['elements']).map((card) => html`<${CardView} block=${{ block_id: block['block_id'], ...card }} />`)}
  </div>`;
}
