import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { recordOf, stringOf, textOf } from '../core/json.ts';
import { InlineTextObject } from '../text/text-view.ts';
import { useConfirm } from './confirm.ts';
import { useSurface, type ElementProps } from './surface.ts';

/** Runs an action after the app's confirmation dialog, if there is one, and shows that it is running. */
function useConfirmedAction(confirm: unknown, run: () => Promise<void>): { isBusy: boolean; start: () => void } {
  const ask = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    const dialog = recordOf(confirm);
    if (isBusy || (dialog !== null && !(await ask(dialog)))) return;
    setBusy(true);
    try {
      await run();
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, start: () => void start() };
}

export function ButtonView({ element, blockId }: ElementProps): VNode {
  const surface = useSurface();
  const label = textOf(element['text']);
  const actionId = stringOf(element['action_id']);
  const { isBusy, start } = useConfirmedAction(element['confirm'], () => surface.act(blockId, actionId, label));
  const style = element['style'] === 'primary' || element['style'] === 'danger' ? ` button-${element['style']}` : '';
  return html`<button
    type="button"
    class=${`button${style}`}
    aria-busy=${isBusy ? 'true' : undefined}
    data-action-id=${actionId}
    onClick=${start}
  >
    <span><${InlineTextObject} value=${element['text']} /></span>
  </button>`;
}
