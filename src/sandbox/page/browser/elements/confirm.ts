import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Dialog } from '../panes/dialog.ts';
import { textOf, type Json } from '../core/json.ts';
import { InlineTextObject, TextObject } from '../text/text-view.ts';

/** Shows a confirmation dialog of the app. Resolves to whether the person confirmed. */
export type AskConfirmation = (confirm: Json) => Promise<boolean>;

export const ConfirmContext = createContext<AskConfirmation>(async () => true);

export function useConfirm(): AskConfirmation {
  return useContext(ConfirmContext);
}

export interface PendingConfirmation {
  confirm: Json;
  answer: (isConfirmed: boolean) => void;
}

export function ConfirmDialog({ pending }: { pending: PendingConfirmation }): VNode {
  const { confirm, answer } = pending;
  const isDanger = confirm['style'] === 'danger';
  return html`<${Dialog} label=${textOf(confirm['title'])} class="dialog dialog-small" testId="confirm" onCancel=${() => answer(false)}>
    <h2 class="dialog-title"><${InlineTextObject} value=${confirm['title']} /></h2>
    <div class="dialog-body"><${TextObject} value=${confirm['text']} /></div>
    <div class="dialog-actions">
      <button type="button" class="button" data-testid="confirm-no" onClick=${() => answer(false)}>
        <${InlineTextObject} value=${confirm['deny'] ?? 'No'} />
      </button>
      <button
        type="button"
        class=${isDanger ? 'button button-danger' : 'button button-primary'}
        data-testid="confirm-yes"
        onClick=${() => answer(true)}
      >
        <${InlineTextObject} value=${confirm['confirm'] ?? 'Yes'} />
      </button>
    </div>
  </${Dialog}>`;
}
