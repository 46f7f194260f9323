import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PlatformState, RunPlatform } from '../../core/platform-state.ts';

/** Withholds the figures of a day, publishes them, or changes them afterwards. */
export function PlatformDays({ platform, run }: { platform: PlatformState; run: RunPlatform }): VNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const [factor, setFactor] = useState('1.1');
  const day = chosen ?? platform.yesterday;
  const act = (verb: 'hold' | 'release') => run('POST', `days/${day}/${verb}`, {});
  const onRevise = () => run('POST', `days/${day}/revise`, { factor: Number(factor) });
  return html`<section class="drawer-part">
    <h3>Figures of a day</h3>
    <p data-testid="yesterday-state">
      ${`Yesterday, ${platform.yesterday}, is ${platform.isYesterdayPublished ? 'published' : 'not published yet'}.`}
    </p>
    <div class="row">
      <label for="platform-day">Day</label>
      <input
        id="platform-day"
        type="date"
        value=${day}
        data-testid="platform-day"
        onChange=${(event: { currentTarget: HTMLInputElement }) => setChosen(event.currentTarget.value || null)}
      />
    </div>
    <div class="row">
      <button type="button" class="button" data-testid="platform-hold" onClick=${() => act('hold')}>Hold back</button>
      <button type="button" class="button" data-testid="platform-release" onClick=${() => act('release')}>
        Release
      </button>
    </div>
    <div class="row">
      <label for="platform-factor">Multiply by</label>
      <input
        id="platform-factor"
        class="short"
        inputmode="decimal"
        value=${factor}
        onInput=${(event: { currentTarget: HTMLInputElement }) => setFactor(event.currentTarget.value)}
      />
      <button type="button" class="button" data-testid="platform-revise" onClick=${onRevise}>Revise</button>
    </div>
    <p>Held back: ${listWords(platform.heldDays)}</p>
    <p>Revised: ${listWords(platform.revisedDays)}</p>
  </section>`;
}

const listWords = (days: readonly string[]) => (days.length === 0 ? 'none' : days.join(', '));
