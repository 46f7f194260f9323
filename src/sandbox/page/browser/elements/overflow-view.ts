import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { recordsOf, stringOf, type Json } from '../core/json.ts';
import { safeUrl } from '../text/inline.ts';
import { InlineTextObject } from '../text/text-view.ts';
import { useConfirmedAction } from './button-view.ts';
import { useSurface, type ElementProps } from './surface.ts';

/** The menu behind three dots. */
export function OverflowView({ element, blockId }: ElementProps): VNode {
  const surface = useSurface();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const chosen = useRef<Json>({});
  const { start } = useConfirmedAction(element['confirm'], async () => {
    const url = safeUrl(stringOf(chosen.current['url']));
    if (url !== null) window.open(url, '_blank', 'noopener,noreferrer');
    await surface.act(blockId, stringOf(element['action_id']), 'The menu', stringOf(chosen.current['value']));
  });
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const choose = (option: Json) => {
    chosen.current = option;
    close();
    start();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveFocus(root.current, event.key === 'ArrowDown' ? 1 : -1);
    }
  };
  const onFocusOut = (event: FocusEvent) => {
    if (!(event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget))) setOpen(false);
  };
  return html`<div class="overflow" ref=${root} onKeyDown=${onKeyDown} onFocusOut=${onFocusOut}>
    <button
      type="button"
      class="button button-icon"
      aria-label="More actions"
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      data-action-id=${stringOf(element['action_id'])}
      onClick=${() => setOpen(!isOpen)}
    >
      <span aria-hidden="true">⋯</span>
    </button>
    ${
      isOpen &&
      html`<div class="menu" role="menu">
        ${recordsOf(element['options']).map(
          (option) =>
            html`<button type="button" role="menuitem" onClick=${() => choose(option)}>
              <${InlineTextObject} value=${option['text']} />
            </button>`,
        )}
      </div>`
    }
  </div>`;
}

function moveFocus(root: HTMLElement | null, step: number): void {
  const items = [...(root?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = at === -1 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length;
  items[next]?.focus();
}
