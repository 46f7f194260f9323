import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChannelView } from '../../../slack/people/control-types.ts';
import { usePage } from '../core/page-context.ts';
import { appMessages, DIRECT_MESSAGES } from '../core/places.ts';
import { Connection } from './connection.ts';

/** The channels and the app. In a narrow window it is a drawer. */
export function Sidebar(): VNode | null {
  const { session, state } = usePage();
  const { snapshot, isSidebarOpen } = state;
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isSidebarOpen) root.current?.querySelector('button')?.focus();
  }, [isSidebarOpen]);
  if (snapshot === null) return null;
  const channels = snapshot.channels
    .filter(({ kind }) => kind !== 'dm')
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const mine = channels.filter(({ isMember, isArchived }) => isMember && !isArchived);
  const others = channels.filter(({ isMember, isArchived }) => !isMember && !isArchived);
  const archived = channels.filter(({ isArchived }) => isArchived);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isSidebarOpen) return;
    session.showSidebar(false);
    document.querySelector<HTMLElement>('.sidebar-toggle')?.focus();
  };
  return html`<nav
    class=${isSidebarOpen ? 'sidebar sidebar-open' : 'sidebar'}
    id="sidebar"
    aria-label="Channels"
    ref=${root}
    onKeyDown=${onKeyDown}
  >
    <p class="team">${snapshot.team.name}</p>
    <p class="team-note">${state.settings.title}</p>
    <${Connection} isOnlyTrouble=${false} />
    <${Group} title="Channels" channels=${mine} />
    <${AppEntry} />
    ${others.length > 0 && html`<${Group} title="Not joined" channels=${others} />`}
    ${archived.length > 0 && html`<${Group} title="Archived" channels=${archived} />`}
  </nav>`;
}

function Group({ title, channels }: { title: string; channels: readonly ChannelView[] }): VNode {
  const { session, state } = usePage();
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${channels.map(
        ({ id, name, kind }) =>
          html`<li key=${id}>
            <${Entry}
              testId=${`channel-${name}`}
              sign=${kind === 'private' ? html`<${Lock} />` : '#'}
              signWord=${kind === 'private' ? 'private channel' : 'channel'}
              name=${name}
              unread=${state.unread[id] ?? 0}
              isCurrent=${state.place?.kind === 'channel' && state.place.channelId === id}
              onOpen=${() => session.go({ kind: 'channel', channelId: id })}
            />
          </li>`,
      )}
    </ul>
  </section>`;
}

function AppEntry(): VNode | null {
  const { session, state } = usePage();
  const { snapshot, place } = state;
  if (snapshot === null) return null;
  const isDirect = place?.kind === 'channel' && place.channelId === DIRECT_MESSAGES;
  return html`<section>
    <h2>App</h2>
    <ul>
      <li>
        <${Entry}
          testId="channel-dm"
          sign="✉"
          signWord="direct messages with"
          name=${snapshot.app.name}
          unread=${state.unread[appMessages(snapshot).id] ?? 0}
          isCurrent=${isDirect}
          onOpen=${() => session.go({ kind: 'channel', channelId: DIRECT_MESSAGES })}
        />
      </li>
      <li>
        <${Entry}
          testId="app-home"
          sign="⌂"
          signWord=""
          name="Home tab"
          unread=${0}
          isCurrent=${place?.kind === 'home'}
          onOpen=${() => session.go({ kind: 'home' })}
        />
      </li>
    </ul>
  </section>`;
}

/** Drawn, since fonts may lack such a character. */
function Lock(): VNode {
  return html`<svg width="11" height="12" viewBox="0 0 11 12">
    <rect x="1" y="5" width="9" height="6.5" rx="1.5" fill="currentColor" />
    <path d="M3 5V3.5a2.5 2.5 0 0 1 5 0V5" fill="none" stroke="currentColor" stroke-width="1.5" />
  </svg>`;
}

interface EntryProps {
  testId: string;
  sign: string | VNode;
  signWord: string;
  name: string;
  unread: number;
  isCurrent: boolean;
  onOpen: () => void;
}

function Entry({ testId, sign, signWord, name, unread, isCurrent, onOpen }: EntryProps): VNode {
  const unreadWords = unread === 0 ? '' : `, ${unread} new`;
  return html`<button
    type="button"
    class=${unread > 0 ? 'entry entry-unread' : 'entry'}
    aria-current=${isCurrent ? 'page' : undefined}
    aria-label=${`${signWord} ${name}${unreadWords}`.trim()}
    data-testid=${testId}
    onClick=${onOpen}
  >
    <span class="sign" aria-hidden="true">${sign}</span>
    <span class="entry-name">${name}</span>
    ${unread > 0 && html`<span class="badge" aria-hidden="true">${unread}</span>`}
  </button>`;
}
