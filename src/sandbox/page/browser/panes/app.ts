import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Json } from '../core/json.ts';
import { NamesContext, useWorkspaceNames } from '../core/names.ts';
import { PageContext, usePage, useSession } from '../core/page-context.ts';
import { placeChannel } from '../core/places.ts';
import { ConfirmContext, ConfirmDialog, type PendingConfirmation } from '../elements/confirm.ts';
import { ChannelPane } from './conversation/channel-pane.ts';
import { Hints } from './conversation/hints.ts';
import { HomePane } from './conversation/home-pane.ts';
import { ModalStack } from './modal.ts';
import { PlatformDrawer } from './platform/platform-drawer.ts';
import { SlackbotDrawer } from './slackbot-drawer.ts';
import { Sidebar } from './sidebar.ts';
import { ThreadPane } from './conversation/thread-pane.ts';
import { TopBar } from './top-bar.ts';
import { TrafficDrawer } from './platform/traffic-drawer.ts';

export function App(): VNode {
  const page = useSession();
  const names = useWorkspaceNames(page);
  const [pending, setPending] = useState<PendingConfirmation | null>(null);
  const ask = useCallback(
    (confirm: Json) =>
      new Promise<boolean>((resolve) => {
        const answer = (isConfirmed: boolean) => {
          setPending(null);
          resolve(isConfirmed);
        };
        setPending({ confirm, answer });
      }),
    [],
  );
  return html`<${PageContext.Provider} value=${page}>
    <${NamesContext.Provider} value=${names}>
      <${ConfirmContext.Provider} value=${ask}>
        <${Workspace} />
        ${pending !== null && html`<${ConfirmDialog} pending=${pending} />`}
      </${ConfirmContext.Provider}>
    </${NamesContext.Provider}>
  </${PageContext.Provider}>`;
}

function Workspace(): VNode {
  const { session, state } = usePage();
  const { snapshot, failure, announcement } = state;
  if (failure !== null)
    return html`<p class="starting" role="alert">
      ${failure}. The page asks again each second. If the sandbox is not running, start it.
    </p>`;
  if (snapshot === null) return html`<p class="starting" role="status">Opening the workspace…</p>`;
  const channel = placeChannel(state.place, snapshot);
  return html`<div class="page">
    <a class="skip" href="#main">Skip to the messages</a>
    <a class="skip" href="#composer">Skip to the message field</a>
    <${TopBar} />
    <div class="columns">
      <${Sidebar} />
      <div class="middle" onClick=${() => state.isSidebarOpen && session.showSidebar(false)}>
        <${Hints} />
        ${channel === null ? html`<${HomePane} />` : html`<${ChannelPane} channel=${channel} />`}
      </div>
      <${Side} />
    </div>
    <${ModalStack} modals=${snapshot.modals} />
    <p class="spoken" aria-live="polite" data-testid="announcement">${announcement}</p>
  </div>`;
}

/** The pane beside the messages: a drawer or a thread. */
function Side(): VNode | null {
  const { state } = usePage();
  const channel = placeChannel(state.place, state.snapshot);
  if (state.drawer === 'traffic') return html`<${TrafficDrawer} />`;
  if (state.drawer === 'platform') return html`<${PlatformDrawer} />`;
  if (state.drawer === 'slackbot') return html`<${SlackbotDrawer} />`;
  if (state.threadTs === null || channel === null) return null;
  return html`<${ThreadPane} channel=${channel} threadTs=${state.threadTs} />`;
}
