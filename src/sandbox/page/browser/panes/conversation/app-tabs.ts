import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePage } from '../../core/page-context.ts';
import { DIRECT_MESSAGES } from '../../core/places.ts';
import type { Place } from '../../core/state.ts';

const tabs: readonly { name: 'home' | 'messages'; label: string; place: Place }[] = [
  { name: 'home', label: 'Home', place: { kind: 'home' } },
  { name: 'messages', label: 'Messages', place: { kind: 'channel', channelId: DIRECT_MESSAGES } },
];

export function AppTabs({ current }: { current: 'home' | 'messages' }): VNode {
  const { session } = usePage();
  return html`<nav class="tabs" aria-label="App">
    ${tabs.map(
      ({ name, label, place }) =>
        html`<button
          type="button"
          class="tab"
          aria-current=${name === current ? 'page' : undefined}
          data-testid=${`tab-${name}`}
          onClick=${() => session.go(place)}
        >
          ${label}
        </button>`,
    )}
  </nav>`;
}
