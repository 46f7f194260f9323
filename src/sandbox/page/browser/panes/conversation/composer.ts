import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { ChannelView, Snapshot } from '../../../../slack/people/control-types.ts';
import { usageHintFor } from '../../core/composer/completion.ts';
import { CompletionList } from './completion-list.ts';
import { useSending, useWriting } from './use-composer.ts';

interface ComposerProps {
  snapshot: Snapshot;
  channel: ChannelView;
  threadTs: string | null;
}

/** The field for messages and commands. Enter sends, Shift+Enter breaks the line, arrow up recalls the last text. */
export function Composer({ snapshot, channel, threadTs }: ComposerProps): VNode {
  const { text, field, active, completions, write, complete, handleSuggestionKey } = useWriting(snapshot);
  const { send, last, isWaiting } = useSending(channel, threadTs);
  const id = threadTs === null ? 'composer' : 'thread-composer';
  const where = threadTs === null ? (channel.kind === 'dm' ? channel.name : `#${channel.name}`) : 'the thread';
  const hint = usageHintFor(text, snapshot);

  const sendAll = () => {
    if (text.trim() === '') return;
    write('');
    void send(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (!handleSuggestionKey(event)) {
      if (event.key === 'Enter' && !event.shiftKey) sendAll();
      else if (event.key === 'ArrowUp' && text === '' && last.current !== '') write(last.current);
      else return;
    }
    event.preventDefault();
  };
  const onInput = (event: { currentTarget: HTMLTextAreaElement }) =>
    write(event.currentTarget.value, event.currentTarget.selectionStart);

  return html`<div class="composer">
    ${
      completions !== null &&
      html`<${CompletionList}
        id=${`${id}-offers`}
        offers=${completions.offers}
        active=${active}
        onChoose=${complete}
      />`
    }
    ${hint !== null && html`<p class="usage-hint" id=${`${id}-hint`} data-testid="usage-hint">${hint}</p>`}
    <div class="composer-row">
      <textarea
        ref=${field}
        id=${id}
        data-testid=${id}
        rows=${Math.min(Math.max(text.split('\n').length, 1), 8)}
        role="combobox"
        aria-label=${`Message to ${where}`}
        aria-expanded=${completions !== null}
        aria-controls=${`${id}-offers`}
        aria-autocomplete="list"
        aria-activedescendant=${completions === null ? undefined : `${id}-offers-${active}`}
        aria-describedby=${hint === null ? undefined : `${id}-hint`}
        placeholder=${threadTs === null ? `Message ${where}, or type / for commands` : 'Reply…'}
        value=${text}
        onInput=${onInput}
        onKeyDown=${onKeyDown}
      ></textarea>
      <button
        type="button"
        class="button button-primary"
        data-testid=${`${id}-send`}
        disabled=${text.trim() === ''}
        onClick=${sendAll}
      >
        Send
      </button>
    </div>
    <p class="composer-status" role="status">${isWaiting ? 'Waiting for the app…' : ''}</p>
  </div>`;
}
