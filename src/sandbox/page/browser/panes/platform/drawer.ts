import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../core/page-context.ts';
import type { DrawerName } from '../../core/state.ts';

interface DrawerProps {
  name: DrawerName;
  title: string;
  note: string;
  children?: ComponentChildren;
}

/** A side panel for controls outside of Slack. Escape closes it and returns the focus to its button. */
export function Drawer({ name, title, note, children }: DrawerProps): VNode {
  const { session } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const close = () => {
    session.openDrawer(null);
    document.querySelector<HTMLElement>(`[data-testid=${name}]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  return html`<aside class="side drawer" aria-label=${title} data-testid=${`${name}-drawer`} onKeyDown=${onKeyDown}>
    <header class="pane-head">
      <h2 tabindex="-1" ref=${heading}>${title}</h2>
      <p class="pane-facts">${note}</p>
      <button type="button" class="button button-small" onClick=${close}>Close</button>
    </header>
    <div class="drawer-body">${children}</div>
  </aside>`;
}
