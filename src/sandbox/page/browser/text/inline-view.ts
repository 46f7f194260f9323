import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useNames, type Names } from '../core/names.ts';
import { emojiCharacter } from './emoji.ts';
import type { Inline } from './inline.ts';
import { formatSlackDate } from './slack-date.ts';

/** Draws formatted text. All of it becomes text nodes or checked attributes, never markup. */
export function InlineText({ nodes }: { nodes: readonly Inline[] }): VNode {
  const names = useNames();
  return html`${nodes.map((node) => drawNode(node, names))}`;
}

function drawNode(node: Inline, names: Names): VNode | string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return html`<br />`;
    case 'bold':
      return html`<strong>${drawAll(node.children, names)}</strong>`;
    case 'italic':
      return html`<em>${drawAll(node.children, names)}</em>`;
    case 'strike':
      return html`<s>${drawAll(node.children, names)}</s>`;
    case 'code':
      return html`<code>${node.text}</code>`;
    case 'link':
      return html`<a href=${node.url} target="_blank" rel="noreferrer noopener">${drawAll(node.children, names)}</a>`;
    case 'emoji':
      return drawEmoji(node.name);
    case 'date':
      return drawDate(node, names);
    case 'user':
    case 'channel':
    case 'group':
    case 'broadcast':
      return drawMention(node, names);
    default:
      return node satisfies never;
  }
}

const drawAll = (nodes: readonly Inline[], names: Names) => nodes.map((node) => drawNode(node, names));

function drawEmoji(name: string): VNode | string {
  const character = emojiCharacter(name);
  if (character === null) return `:${name}:`;
  return html`<span class="emoji" role="img" aria-label=${name.replaceAll('_', ' ')} title=${`:${name}:`}
    >${character}</span
  >`;
}

function drawDate(node: Extract<Inline, { kind: 'date' }>, names: Names): VNode {
  const text = formatSlackDate(node.epochSeconds, node.format, names);
  const instant = new Date(node.epochSeconds * 1000).toISOString();
  const time = html`<time datetime=${instant} title=${`${instant} (${names.timeZone})`}>${text}</time>`;
  return node.url === null ? time : html`<a href=${node.url} target="_blank" rel="noreferrer noopener">${time}</a>`;
}

type Mention = Extract<Inline, { kind: 'user' | 'channel' | 'group' | 'broadcast' }>;

function drawMention(node: Mention, names: Names): VNode {
  switch (node.kind) {
    case 'user': {
      const isViewer = node.id === names.viewerId;
      return html`<span class=${isViewer ? 'mention mention-you' : 'mention'} title=${node.id}
        >@${names.userName(node.id)}</span
      >`;
    }
    case 'channel': {
      const name = names.channelName(node.id);
      if (name === null) return html`<span class="mention" title=${node.id}>#${node.label ?? node.id}</span>`;
      const open = () => names.openChannel(node.id);
      return html`<button type="button" class="mention mention-link" onClick=${open}>#${name}</button>`;
    }
    case 'group':
      return html`<span class="mention" title=${node.id}
        >@${names.groupName(node.id) ?? (node.label ?? node.id).replace(/^@/, '')}</span
      >`;
    case 'broadcast':
      return html`<span class="mention mention-you">@${node.range}</span>`;
    default:
      return node satisfies never;
  }
}
