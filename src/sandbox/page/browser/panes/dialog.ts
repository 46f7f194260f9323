import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  label: string;
  class: string;
  testId: string;
  onCancel: () => void;
  children?: ComponentChildren;
}

/**
 * A modal dialog of the browser: the rest of the page is unreachable while it is open, Escape cancels, and the focus returns to
 * its former place.
 */
export function Dialog({ label, class: className, testId, onCancel, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser restores the focus only if the dialog is closed before it is removed.
    return () => element?.close();
  }, []);
  const cancel = (event: Event) => {
    // The app or the caller decides whether it closes, not the browser.
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return html`<dialog ref=${dialog} class=${className} aria-label=${label} data-testid=${testId} onCancel=${cancel}>
    ${children}
  </dialog>`;
}
