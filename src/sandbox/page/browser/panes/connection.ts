import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePage } from '../core/page-context.ts';

/** Shows whether the sandbox and its app are reachable. With `isOnlyTrouble`, nothing is shown while they are. */
export function Connection({ isOnlyTrouble }: { isOnlyTrouble: boolean }): VNode | null {
  const { state } = usePage();
  const app = state.snapshot?.app;
  const name = app?.name ?? 'The app';
  const isConnected = state.isLive && app !== undefined && app.connections > 0;
  const words = !state.isLive ? 'Reconnecting…' : isConnected ? `${name} is connected` : `${name} is not connected`;
  if (isOnlyTrouble && isConnected) return null;
  return html`<p
    class=${`connection ${isConnected ? 'connection-up' : 'connection-lost'}`}
    role="status"
    data-testid=${isOnlyTrouble ? 'trouble' : 'connection'}
  >
    ${words}
  </p>`;
}
