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
 * A modal dialog of the browser: the rest of the page cannot be reached while it is open, Escape cancels, and the focus
 * returns to where it was.
 */
export function Dialog({ label, class: className, testId, onCancel, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed before it is removed: only then the browser gives the focus back.
    return () => element?.close();
  }, []);
  const cancel = (event: Event) => {
    // Whether it closes is for the app to say (or for somebody who asked), not for the browser.
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return html`<dialog ref=${dialog} class=${className} aria-label=${label} data-testid=${testId} onCancel=${cancel}>
    ${children}
  </dialog>`;
}
