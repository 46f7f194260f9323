import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listOf, recordOf, stringOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { TextObject } from '../text/text-view.ts';

export function SectionBlock({ block }: { block: Json }): VNode {
  const accessory = recordOf(block['accessory']);
  const fields = listOf(block['fields']);
  return html`<div class="section">
    <div class="section-text">
      ${block['text'] !== undefined && html`<${TextObject} value=${block['text']} />`}
      ${
        fields.length > 0 &&
        html`<div class="fields">
          ${fields.map((field) => html`<div class="field"><${TextObject} value=${field} /></div>`)}
        </div>`
      }
    </div>
    ${
      accessory !== null &&
      html`<div class="accessory"><${ElementView} element=${accessory} blockId=${stringOf(block['block_id'])} /></div>`
    }
  </div>`;
}
