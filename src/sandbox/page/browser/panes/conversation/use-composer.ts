import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChannelView, Snapshot } from '../../../../slack/people/control-types.ts';
import { completionsFor, type Completion } from '../../core/composer/completion.ts';
import { usePage } from '../../core/page-context.ts';
import { sendWritten } from '../../core/sending.ts';

/** The typed text, the caret, and the suggestions. */
export function useWriting(snapshot: Snapshot) {
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const wantedCaret = useRef<number | null>(null);
  // Moves the caret together with the completed text, before the next key arrives.
  useLayoutEffect(() => {
    if (wantedCaret.current !== null) field.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text]);
  const completions = isDismissed ? null : completionsFor(text, caret, snapshot);

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
  /** @returns whether the suggestions handled the key */
  const handleSuggestionKey = (event: KeyboardEvent): boolean => {
    if (completions === null) return false;
    const { length } = completions.offers;
    const offer = completions.offers[active];
    const isWhole = text.slice(completions.from, caret) === offer?.insert;
    if (event.key === 'ArrowDown') setActive((active + 1) % length);
    else if (event.key === 'ArrowUp') setActive((active + length - 1) % length);
    else if (event.key === 'Escape') setDismissed(true);
    else if (!isWhole && !event.shiftKey && (event.key === 'Tab' || event.key === 'Enter')) complete(offer);
    else return false;
    return true;
  };
  return { text, field, active, completions, write, complete, handleSuggestionKey };
}

/** Sends the text, and counts the sends that the app has not answered yet. */
export function useSending(channel: ChannelView, threadTs: string | null) {
  const { session } = usePage();
  const [waiting, setWaiting] = useState(0);
  const last = useRef('');
  const send = async (text: string) => {
    last.current = text;
    setWaiting((count) => count + 1);
    try {
      await sendWritten(session, channel, text, threadTs);
    } catch (error) {
      session.complain(text.startsWith('/') ? (text.split(/\s/)[0] ?? text) : 'The message', error);
    } finally {
      setWaiting((count) => count - 1);
    }
  };
  return { send, last, isWaiting: waiting > 0 };
}
