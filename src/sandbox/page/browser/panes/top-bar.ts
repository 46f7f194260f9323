import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePage } from '../core/page-context.ts';
import type { DrawerName } from '../core/state.ts';
import { ClockBar } from './platform/clock-bar.ts';
import { Connection } from './connection.ts';
import { PeopleSwitch } from './people-switch.ts';

/** The top bar: the title, the acting person, the time and the drawers. */
export function TopBar(): VNode {
  const { session, state } = usePage();
  const { settings, drawer, isSidebarOpen } = state;
  const toggle = (name: DrawerName, label: string) =>
    html`<button
      type="button"
      class="button button-small"
      aria-pressed=${drawer === name}
      data-testid=${name}
      onClick=${() => session.openDrawer(drawer === name ? null : name)}
    >
      ${label}
    </button>`;
  return html`<header class="top-bar">
    <div class="top-title">
      <button
        type="button"
        class="button button-small sidebar-toggle"
        aria-expanded=${isSidebarOpen}
        aria-controls="sidebar"
        data-testid="sidebar-toggle"
        onClick=${() => session.showSidebar(!isSidebarOpen)}
      >
        Channels${unreadTotal(state.unread) > 0 ? html` <span class="badge">${unreadTotal(state.unread)}</span>` : null}
      </button>
      <h1>${settings.title}</h1>
      <${Connection} isOnlyTrouble=${true} />
    </div>
    <${PeopleSwitch} />
    <${ClockBar} />
    <div class="top-drawers">
      ${toggle('traffic', 'Traffic')}${settings.hasPlatform && toggle('platform', 'Platform')}${settings.hasSlackbot && toggle('slackbot', 'Slackbot')}
    </div>
  </header>`;
}

const unreadTotal = (unread: Readonly<Record<string, number>>) =>
  Object.values(unread).reduce((sum, count) => sum + count, 0);
