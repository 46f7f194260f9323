import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../../core/page-context.ts';
import { InlineText } from '../../text/inline-view.ts';
import { parseInlineMrkdwn } from '../../text/mrkdwn.ts';

const DISMISSED_KEY = 'sandbox-hints-dismissed';

/** Suggestions for first visitors. Once dismissed, they stay hidden in this browser. */
export function Hints(): VNode | null {
  const { state } = usePage();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null);
  const { hints } = state.settings;
  if (isDismissed || hints.length === 0) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED_KEY, 'yes');
    setDismissed(true);
    document.querySelector<HTMLElement>('#composer')?.focus();
  };
  return html`<section class="hints" aria-label="Things to try" data-testid="hints">
    <h2>Things to try</h2>
    <ol>
      ${hints.map((hint) => html`<li><${InlineText} nodes=${parseInlineMrkdwn(hint)} /></li>`)}
    </ol>
    <button type="button" class="button button-small" data-testid="dismiss-hints" onClick=${dismiss}>Got it</button>
  </section>`;
}
