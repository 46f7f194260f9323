import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePage } from '../core/page-context.ts';

/** Messages of Slack itself, e.g. that the app did not respond. */
export function Notices({ channelId }: { channelId: string | null }): VNode | null {
  const { session, state } = usePage();
  const notices = state.notices.filter(
    (notice) => notice.channelId === null || channelId === null || notice.channelId === channelId,
  );
  if (notices.length === 0) return null;
  return html`<ul class="notices" aria-label="Notices">
    ${notices.map(
      ({ id, tone, text }) =>
        html`<li class=${`notice notice-${tone}`} key=${id} data-testid="notice">
          <span><span class="only-you">Only visible to you</span> ${text}</span>
          <button type="button" class="tool" aria-label="Dismiss" onClick=${() => session.dismissNotice(id)}>×</button>
        </li>`,
    )}
  </ul>`;
}
