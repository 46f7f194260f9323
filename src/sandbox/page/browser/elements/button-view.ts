import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { recordOf, stringOf, textOf } from '../core/json.ts';
import { safeUrl } from '../text/inline.ts';
import { InlineTextObject } from '../text/text-view.ts';
import { useConfirm } from './confirm.ts';
import { useSurface, type ElementProps } from './surface.ts';

/** Runs something after the app's confirmation dialog, if it has one, and says while it runs. */
export function useConfirmedAction(confirm: unknown, run: () => Promise<void>): { isBusy: boolean; start: () => void } {
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
  const url = safeUrl(stringOf(element['url']));
  const { isBusy, start } = useConfirmedAction(element['confirm'], async () => {
    if (url !== null) window.open(url, '_blank', 'noopener,noreferrer');
    await surface.act(blockId, actionId, label);
  });
  const style = element['style'] === 'primary' || element['style'] === 'danger' ? ` button-${element['style']}` : '';
  const accessibilityLabel = stringOf(element['accessibility_label']);
  return html`<button
    type="button"
    class=${`button${style}`}
    aria-label=${accessibilityLabel === '' ? undefined : accessibilityLabel}
    aria-busy=${isBusy ? 'true' : undefined}
    title=${url ?? undefined}
    data-action-id=${actionId}
    onClick=${start}
  >
    <span
      ><${InlineTextObject}
        value=${element['text']}
      />${url === null ? null : html`<span aria-hidden="true"> ↗</span>`}</span
    >
  </button>`;
}

interface PlainButtonProps extends ElementProps {
  label: string;
  /** What a click chooses, if the element has several buttons. */
  value?: string | undefined;
}

/** A button that is drawn without style, url and the like: for feedback, icons and workflows. */
export function PlainButton({ element, blockId, label, value }: PlainButtonProps): VNode {
  const surface = useSurface();
  const actionId = stringOf(element['action_id']);
  const { isBusy, start } = useConfirmedAction(element['confirm'], () => surface.act(blockId, actionId, label, value));
  return html`<button
    type="button"
    class="button"
    aria-busy=${isBusy ? 'true' : undefined}
    data-action-id=${actionId}
    onClick=${start}
  >
    ${label}
  </button>`;
}
