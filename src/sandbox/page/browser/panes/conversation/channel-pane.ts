import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { ChannelView } from '../../../../slack/people/control-types.ts';
import { usePage } from '../../core/page-context.ts';
import { topMessages } from '../../core/reduce.ts';
import { AppTabs } from './app-tabs.ts';
import { Composer } from './composer.ts';
import { MessageList } from './message-list.ts';
import { Notices } from '../notices.ts';

export function ChannelPane({ channel }: { channel: ChannelView }): VNode {
  const title = channel.kind === 'dm' ? channel.name : `#${channel.name}`;
  return html`<main class="pane" id="main" aria-label=${title} tabindex="-1">
    <${ChannelHead} channel=${channel} title=${title} />
    <${MessageList}
      key=${channel.id}
      messages=${topMessages(channel)}
      channelId=${channel.id}
      isInThread=${false}
      label=${`Messages in ${title}`}
    >
      <${Beginning} channel=${channel} title=${title} />
    </${MessageList}>
    <${Notices} channelId=${channel.id} />
    <${Footer} channel=${channel} />
  </main>`;
}

function ChannelHead({ channel, title }: { channel: ChannelView; title: string }): VNode {
  const { session, state } = usePage();
  const appName = state.snapshot?.app.name ?? 'The app';
  if (channel.kind === 'dm') {
    return html`<header class="pane-head">
      <h2 data-testid="place">${title}</h2>
      <${AppTabs} current="messages" />
    </header>`;
  }
  const act = (what: string, action: 'join' | 'unarchive') =>
    session.act(action, { channel: channel.id }).catch((error: unknown) => session.complain(what, error));
  const invite = () =>
    session
      .act('invite', { channel: channel.id, who: 'app' })
      .catch((error: unknown) => session.complain('The invitation', error));
  const facts = [
    channel.kind === 'private' ? 'private' : '',
    `${channel.members.length} ${channel.members.length === 1 ? 'member' : 'members'}`,
    channel.isArchived ? 'archived' : '',
    channel.hasApp ? `${appName} is here` : `${appName} is not here`,
  ];
  return html`<header class="pane-head">
    <h2 data-testid="place">${title}</h2>
    <p class="pane-facts">${facts.filter(Boolean).join(' · ')}</p>
    <span class="row">
      ${
        !channel.isMember &&
        !channel.isArchived &&
        html`<button
          type="button"
          class="button button-small"
          data-testid="join"
          onClick=${() => void act('Joining', 'join')}
        >
          Join
        </button>`
      }
      ${
        channel.isArchived &&
        html`<button type="button" class="button button-small" onClick=${() => void act('Unarchiving', 'unarchive')}>
          Unarchive
        </button>`
      }
      ${
        !channel.hasApp &&
        channel.isMember &&
        !channel.isArchived &&
        html`<button type="button" class="button button-small" data-testid="invite-app" onClick=${() => void invite()}>
          Invite ${appName}
        </button>`
      }
    </span>
  </header>`;
}

function Beginning({ channel, title }: { channel: ChannelView; title: string }): VNode {
  const words = channel.messages.length === 0 ? 'Nothing has been written here yet.' : `This is where ${title} begins.`;
  return html`<p class="beginning">${words}</p>`;
}

function Footer({ channel }: { channel: ChannelView }): VNode | null {
  const { snapshot } = usePage().state;
  if (snapshot === null) return null;
  if (channel.isArchived) return html`<p class="footer-note">This channel is archived and takes no messages.</p>`;
  if (!channel.isMember) return html`<p class="footer-note">You are only looking. Join to write here.</p>`;
  return html`<${Composer} snapshot=${snapshot} key=${channel.id} channel=${channel} threadTs=${null} />`;
}
