import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';

interface PopoverProps {
  class: string;
  summary: ComponentChildren;
  testId: string;
  children?: ComponentChildren;
}

/** Content that unfolds over the page. Escape folds it, and so does a click elsewhere. */
export function Popover({ class: className, summary, testId, children }: PopoverProps): VNode {
  const details = useRef<HTMLDetailsElement>(null);
  const fold = () => {
    if (details.current) details.current.open = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || details.current?.open !== true) return;
    fold();
    details.current.querySelector('summary')?.focus();
  };
  const onFocusOut = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !details.current?.contains(event.relatedTarget)) fold();
  };
  return html`<details class=${className} ref=${details} onKeyDown=${onKeyDown} onFocusOut=${onFocusOut}>
    <summary data-testid=${testId}>${summary}</summary>
    ${children}
  </details>`;
}

export function foldAround(element: Element): void {
  const details = element.closest('details');
  if (details) details.open = false;
}
