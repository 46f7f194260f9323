import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { FileView, MessageView as Message } from '../../../../slack/people/control-types.ts';
import { BlocksView } from '../../blocks/block-view.ts';
import { useNames } from '../../core/names.ts';
import { usePage } from '../../core/page-context.ts';
import { SurfaceContext } from '../../elements/surface.ts';
import { useMessageSurface } from '../../elements/use-surface.ts';
import { InlineText } from '../../text/inline-view.ts';
import { clockTime } from '../../text/slack-date.ts';
import { MrkdwnText } from '../../text/text-view.ts';
import { Avatar } from '../avatar.ts';

interface MessageProps {
  message: Message;
  channelId: string;
  isInThread: boolean;
}

export function MessageView({ message, channelId, isInThread }: MessageProps): VNode {
  const { state } = usePage();
  const names = useNames();
  const { surface, failure } = useMessageSurface(channelId, message.ts, isInThread);
  const [isOpened, setOpened] = useState(false);
  const body = useMemo(() => html`<${MessageBody} message=${message} />`, [message]);
  const instantMs = Number(message.ts) * 1000;
  const name = names.userName(message.author);
  const isApp = message.author === state.snapshot?.app.botUserId;
  const time = clockTime(instantMs, names.timeZone);

  return html`<article
    class=${`message${message.isEphemeral ? ' message-ephemeral' : ''}${message.subtype === null ? '' : ' message-quiet'}`}
    aria-label=${`${name}, ${time}`}
    data-testid="message"
    data-ts=${message.ts}
    data-author=${message.author}
    data-ephemeral=${message.isEphemeral}
  >
    <${Avatar} id=${message.author} name=${name} isApp=${isApp} />
    <div class="message-main">
      ${message.isEphemeral && html`<p class="only-you"><span aria-hidden="true">◉</span> Only visible to you</p>`}
      <header class="message-head">
        <span class="author">${name}</span>
        ${isApp && html`<span class="app-mark">APP</span>`}
        <time datetime=${new Date(instantMs).toISOString()} title=${`${new Date(instantMs).toISOString()} · ts ${message.ts}`}>${time}</time>
        <${MessageTools} message=${message} isInThread=${isInThread} isOpened=${isOpened} onOpen=${setOpened} />
      </header>
      <${SurfaceContext.Provider} value=${surface}>${body}</${SurfaceContext.Provider}>
      ${failure !== null && html`<p class="failure" role="alert" data-testid="message-failure">⚠ ${failure}</p>`}
      ${isOpened && html`<${MessageSource} message=${message} />`}
      <${Reactions} message=${message} />
      ${!isInThread && message.replyCount > 0 && html`<${ThreadLink} message=${message} />`}
    </div>
  </article>`;
}

function MessageBody({ message }: { message: Message }): VNode {
  const hasBlocks = message.blocks.length > 0;
  return html`<div class="message-body">
    ${hasBlocks ? html`<${BlocksView} blocks=${message.blocks} />` : html`<${MrkdwnText} text=${message.text} />`}
    ${message.isEdited && html`<span class="edited">(edited)</span>`}
    ${message.files.map((file) => html`<${FileLink} key=${file.id} file=${file} />`)}
  </div>`;
}

function FileLink({ file }: { file: FileView }): VNode {
  return html`<a class="file-link" href=${file.downloadPath} download=${file.name} data-testid="file">
    <span class="file-name">${file.title || file.name}</span>
    <small>${file.name} · ${sizeWords(file.sizeBytes)} · Download</small>
  </a>`;
}

function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

interface ToolsProps {
  message: Message;
  isInThread: boolean;
  isOpened: boolean;
  onOpen: (isOpened: boolean) => void;
}

function MessageTools({ message, isInThread, isOpened, onOpen }: ToolsProps): VNode {
  const { session } = usePage();
  const openThread = () => session.openThread(message.threadTs ?? message.ts);
  return html`<span class="message-tools">
    ${
      !isInThread &&
      !message.isEphemeral &&
      html`<button type="button" class="tool" aria-label="Reply in thread" data-testid="reply" onClick=${openThread}>
        Reply
      </button>`
    }
    <button
      type="button"
      class="tool"
      aria-label="What the app sent"
      title="What the app sent: text, blocks, metadata"
      aria-expanded=${isOpened}
      data-testid="message-source"
      onClick=${() => onOpen(!isOpened)}
    >
      i
    </button>
  </span>`;
}

/** The message as it was sent: its fallback text, its metadata and its blocks. */
function MessageSource({ message }: { message: Message }): VNode {
  const { ts, threadTs, text, metadata, blocks } = message;
  const source = { ts, ...(threadTs === null ? {} : { thread_ts: threadTs }), text, metadata, blocks };
  return html`<pre class="source" tabindex="0" aria-label="Message as JSON">${JSON.stringify(source, null, 2)}</pre>`;
}

function Reactions({ message }: { message: Message }): VNode | null {
  const names = useNames();
  if (message.reactions.length === 0) return null;
  return html`<ul class="reactions" aria-label="Reactions">
    ${message.reactions.map(
      ({ name, users }) =>
        html`<li class="reaction" title=${users.map((user) => names.userName(user)).join(', ')}>
          <${InlineText} nodes=${[{ kind: 'emoji', name, unicode: null }]} /> ${users.length}
        </li>`,
    )}
  </ul>`;
}

function ThreadLink({ message }: { message: Message }): VNode {
  const { session } = usePage();
  const words = message.replyCount === 1 ? '1 reply' : `${message.replyCount} replies`;
  return html`<button
    type="button"
    class="thread-link"
    data-testid="open-thread"
    onClick=${() => session.openThread(message.ts)}
  >
    ${words}
  </button>`;
}
