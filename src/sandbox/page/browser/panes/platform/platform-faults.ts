import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { PlatformState, RunPlatform } from '../../core/platform-state.ts';

const presets: readonly { testId: string; label: string; fault: Record<string, unknown> }[] = [
  { testId: 'fault-500', label: 'Answer 500', fault: { kind: 'status', status: 500 } },
  { testId: 'fault-429', label: 'Too many requests', fault: { kind: 'rate_limit', retryAfter: 2 } },
  { testId: 'fault-slow', label: 'Slow (5 s)', fault: { kind: 'slow', delayMs: 5_000 } },
  { testId: 'fault-html', label: 'HTML, not JSON', fault: { kind: 'html' } },
  { testId: 'fault-403', label: 'Key without rights', fault: { kind: 'status', status: 403 } },
  { testId: 'fault-cut', label: 'Answer breaks off', fault: { kind: 'cut_body' } },
  { testId: 'fault-after', label: 'Done, no answer', fault: { kind: 'drop_after' } },
  { testId: 'fault-worst', label: 'A bit of everything', fault: { mood: 'worst' } },
];

/** Makes the platform misbehave until the faults are stopped. */
export function PlatformFaults({ platform, run }: { platform: PlatformState; run: RunPlatform }): VNode {
  return html`<section class="drawer-part">
    <h3>Faults</h3>
    <p>Each lasts until you stop them.</p>
    <div class="row">
      ${presets.map(
        ({ testId, label, fault }) =>
          html`<button
            type="button"
            class="button button-small"
            data-testid=${testId}
            onClick=${() => run('POST', 'faults', fault)}
          >
            ${label}
          </button>`,
      )}
    </div>
    ${
      platform.faults.length === 0
        ? html`<p data-testid="platform-faults">The platform behaves.</p>`
        : html`<ul data-testid="platform-faults">
            ${platform.faults.map((fault) => html`<li>${fault}</li>`)}
          </ul>`
    }
    <div class="row">
      <button type="button" class="button" data-testid="faults-off" onClick=${() => run('DELETE', 'faults')}>
        Stop all faults
      </button>
    </div>
  </section>`;
}
