import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, stringOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { useSurface } from '../elements/surface.ts';
import { InlineTextObject } from '../text/text-view.ts';

export function InputBlock({ block }: { block: Json }): VNode {
  const surface = useSurface();
  const element = recordOf(block['element']) ?? {};
  const blockId = stringOf(block['block_id']);
  const isOptional = block['optional'] === true;
  const error = surface.errorOf(blockId);
  const id = `${surface.idPrefix}-${blockId}`;
  const fieldId = `${id}-${stringOf(element['action_id'])}`;
  const describedBy = [error === null ? '' : `${id}-error`, block['hint'] === undefined ? '' : `${id}-hint`]
    .join(' ')
    .trim();
  return html`<div class=${error === null ? 'input-block' : 'input-block input-block-wrong'}>
    <label id=${`${id}-label`} for=${fieldId}>
      <${InlineTextObject} value=${block['label']} />${isOptional && html`<span class="optional"> (optional)</span>`}
    </label>
    <${ElementView}
      element=${element}
      blockId=${blockId}
      labelId=${`${id}-label`}
      describedBy=${describedBy === '' ? undefined : describedBy}
      isInput=${true}
      isDispatched=${block['dispatch_action'] === true}
      isOptional=${isOptional}
    />
    ${error !== null && html`<p class="input-error" id=${`${id}-error`} data-testid="input-error">${error}</p>`}
    ${block['hint'] !== undefined && html`<p class="input-hint" id=${`${id}-hint`}><${InlineTextObject} value=${block['hint']} /></p>`}
  </div>`;
}
