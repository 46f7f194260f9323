import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { TourStep } from '../../../tour-step.ts';
import { appMessages, DIRECT_MESSAGES } from '../../core/places.ts';
import type { Session } from '../../core/session.ts';
import { moveToNextMorning } from '../platform/clock-bar.ts';
import { usePage } from '../../core/page-context.ts';
import { InlineText } from '../../text/inline-view.ts';
import { parseInlineMrkdwn } from '../../text/mrkdwn.ts';

/** Does what the step's title promises, as its person. */
async function takeStep(
  session: Session,
  { title, as, channel: name, command, isNextMorning }: TourStep,
): Promise<void> {
  try {
    await session.become(as);
    const { snapshot } = session.state;
    const channel = name === DIRECT_MESSAGES ? undefined : snapshot?.channels.find((one) => one.name === name);
    const channelId = channel?.id ?? (snapshot === null ? '' : appMessages(snapshot).id);
    session.go({ kind: 'channel', channelId });
    if (isNextMorning) await moveToNextMorning(session);
    if (command) session.report(title, await session.act('command', { channel: name, ...command }));
  } catch (error) {
    session.complain(title, error);
  }
}

const DISMISSED_KEY = 'sandbox-hints-dismissed';

/** Steps and suggestions for first visitors. Once dismissed, they stay hidden in this browser, behind *Tour*. */
export function Hints(): VNode | null {
  const { session, state } = usePage();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null);
  const { introduction, hints, tour } = state.settings;
  if (hints.length + tour.length === 0) return null;
  const show = () => {
    localStorage.removeItem(DISMISSED_KEY);
    setDismissed(false);
  };
  const dismiss = () => {
    localStorage.setItem(DISMISSED_KEY, 'yes');
    setDismissed(true);
    document.querySelector<HTMLElement>('#composer')?.focus();
  };
  if (isDismissed)
    return html`<button type="button" class="button button-small tour-again" data-testid="show-hints" onClick=${show}>
      Tour
    </button>`;
  const list = html`<ol>
    ${hints.map((hint) => html`<li><${InlineText} nodes=${parseInlineMrkdwn(hint)} /></li>`)}
  </ol>`;
  const steps = tour.map(
    (step) =>
      html`<button
        type="button"
        class="tour-step"
        data-testid="tour-step"
        onClick=${() => void takeStep(session, step)}
      >
        <strong>${step.title}</strong><span>${step.text}</span>
      </button>`,
  );
  return html`<section class="hints" aria-label="Introduction" data-testid="hints">
    <h2>${introduction === '' ? 'Things to try' : 'What is this?'}</h2>
    ${introduction !== '' && html`<p data-testid="introduction"><${InlineText} nodes=${parseInlineMrkdwn(introduction)} /></p>`}
    ${
      tour.length === 0
        ? list
        : html`<div class="tour">${steps}</div>
            <details>
              <summary>More</summary>
              ${list}
            </details>`
    }
    <button type="button" class="button button-small" data-testid="dismiss-hints" onClick=${dismiss}>Got it</button>
  </section>`;
}
