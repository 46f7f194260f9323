import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChannelView } from '../../../slack/control-types.ts';
import { completionsFor, usageHintFor, type Completion } from '../core/completion.ts';
import { usePage } from '../core/page-context.ts';
import { sendWritten } from '../core/sending.ts';
import { CompletionList } from './completion-list.ts';

interface ComposerProps {
  channel: ChannelView;
  threadTs: string | null;
}

/** The field for messages and commands. Enter sends, Shift+Enter starts a line, the arrow up brings the last text back. */
export function Composer({ channel, threadTs }: ComposerProps): VNode {
  const { session, state } = usePage();
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const last = useRef('');
  const field = useRef<HTMLTextAreaElement>(null);
  const wantedCaret = useRef<number | null>(null);
  // Together with the completed text, before the next key arrives.
  useLayoutEffect(() => {
    if (wantedCaret.current !== null) field.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text]);
  const id = threadTs === null ? 'composer' : 'thread-composer';
  const { snapshot } = state;
  if (snapshot === null) return html`<div></div>`;
  const completions = isDismissed ? null : completionsFor(text, caret, snapshot);
  const where = threadTs === null ? (channel.kind === 'dm' ? channel.name : `#${channel.name}`) : 'the thread';

  const write = (written: string, at = written.length) => {
    setText(written);
    setCaret(at);
    setActive(0);
    setDismissed(false);
  };
  const complete = (offer: Completion | undefined) => {
    if (completions === null || offer === undefined) return;
    const head = `${text.slice(0, completions.from)}${offer.insert} `;
    write(head + text.slice(caret).trimStart(), head.length);
    wantedCaret.current = head.length;
    field.current?.focus();
  };
  const send = async () => {
    if (text.trim() === '') return;
    last.current = text;
    write('');
    setWaiting((count) => count + 1);
    try {
      await sendWritten(session, channel, text, threadTs);
    } catch (error) {
      session.complain(text.startsWith('/') ? (text.split(/\s/)[0] ?? text) : 'The message', error);
    } finally {
      setWaiting((count) => count - 1);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const offer = completions?.offers[active];
    const isWhole = offer !== undefined && text.slice(completions?.from, caret) === offer.insert;
    if (completions !== null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const { length } = completions.offers;
      setActive((active + (event.key === 'ArrowDown' ? 1 : length - 1)) % length);
    } else if (completions !== null && !isWhole && (event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey) {
      complete(offer);
    } else if (completions !== null && event.key === 'Escape') setDismissed(true);
    else if (event.key === 'Enter' && !event.shiftKey) void send();
    else if (event.key === 'ArrowUp' && text === '' && last.current !== '') write(last.current);
    else return;
    event.preventDefault();
  };
  const onInput = (event: { currentTarget: HTMLTextAreaElement }) =>
    write(event.currentTarget.value, event.currentTarget.selectionStart);
  const hint = usageHintFor(text, snapshot);

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
        onClick=${() => void send()}
      >
        Send
      </button>
    </div>
    <p class="composer-status" role="status">${waiting > 0 ? 'Waiting for the app…' : ''}</p>
  </div>`;
}
