import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Traffic } from '../../../../slack/people/control-types.ts';
import { usePage } from '../../core/page-context.ts';
import { Drawer } from './drawer.ts';

/** Every request between Slack and the app, latest first. */
export function TrafficDrawer(): VNode {
  const { state } = usePage();
  const [filter, setFilter] = useState('');
  const [isOnlyFailed, setOnlyFailed] = useState(false);
  const entries = useMemo(() => matching(state.traffic, filter, isOnlyFailed), [state.traffic, filter, isOnlyFailed]);
  return html`<${Drawer} name="traffic" title="Traffic" note="Requests between Slack and the app, the latest first">
    <div class="traffic-filter">
      <input
        type="search"
        aria-label="Filter by method or text"
        placeholder="Filter, e.g. chat.postMessage"
        value=${filter}
        onInput=${(event: { currentTarget: HTMLInputElement }) => setFilter(event.currentTarget.value)}
      />
      <label class="choice">
        <input type="checkbox" checked=${isOnlyFailed} onChange=${() => setOnlyFailed(!isOnlyFailed)} />
        <span>Only failed</span>
      </label>
    </div>
    ${entries.length === 0 && html`<p class="beginning">Nothing yet.</p>`}
    <ul class="traffic">
      ${entries.map((entry) => html`<${TrafficEntry} key=${entry.id} entry=${entry} />`)}
    </ul>
  </${Drawer}>`;
}

/** Slack's statuses of successful requests: `200`, `ok`, `ok:true`, `acked`. */
function isFailed({ status }: Traffic): boolean {
  return !/^(?:2\d\d|ok(?::true)?|acked)\b/.test(status);
}

function matching(traffic: readonly Traffic[], filter: string, isOnlyFailed: boolean): Traffic[] {
  const lowerFilter = filter.toLowerCase();
  return traffic
    .filter((entry) => `${entry.method} ${entry.summary} ${entry.status}`.toLowerCase().includes(lowerFilter))
    .filter((entry) => !isOnlyFailed || isFailed(entry))
    .toReversed();
}

function TrafficEntry({ entry }: { entry: Traffic }): VNode {
  const [isOpen, setOpen] = useState(false);
  const isOut = entry.direction === 'out';
  return html`<li
    class=${isFailed(entry) ? 'traffic-entry traffic-failed' : 'traffic-entry'}
    data-testid="traffic-entry"
  >
    <details onToggle=${(event: { currentTarget: HTMLDetailsElement }) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="direction" title=${isOut ? 'Slack to the app' : 'The app to Slack'}
          >${isOut ? '→ app' : '← app'}</span
        >
        <span class="traffic-method">${entry.method}</span>
        <span class="traffic-status">${entry.status}</span>
        <span class="traffic-facts">${entry.at.slice(11, 19)} · ${entry.via} · ${Math.round(entry.durationMs)} ms</span>
        ${entry.summary !== '' && entry.summary !== entry.method && html`<span class="traffic-summary">${entry.summary}</span>`}
      </summary>
      ${isOpen && html`<${JsonPart} title="Request" value=${entry.request} />`}
      ${isOpen && html`<${JsonPart} title="Response" value=${entry.response} />`}
    </details>
  </li>`;
}

function JsonPart({ title, value }: { title: string; value: unknown }): VNode | null {
  if (value === undefined || value === null) return null;
  return html`<div>
    <h3 class="json-title">${title}</h3>
    <pre class="source" tabindex="0">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  </div>`;
}
