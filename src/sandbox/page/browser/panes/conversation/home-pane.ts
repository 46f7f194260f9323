import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { ViewView } from '../../../../slack/people/control-types.ts';
import { BlocksView } from '../../blocks/block-view.ts';
import { usePage } from '../../core/page-context.ts';
import { SurfaceContext } from '../../elements/surface.ts';
import { useHomeSurface } from '../../elements/use-surface.ts';
import { AppTabs } from './app-tabs.ts';
import { Notices } from '../notices.ts';

export function HomePane(): VNode {
  const { state } = usePage();
  const home = state.snapshot?.home ?? null;
  const appName = state.snapshot?.app.name ?? '';
  return html`<main class="pane" id="main" aria-label=${`${appName}, Home`} tabindex="-1">
    <header class="pane-head">
      <h2 data-testid="place">${appName}</h2>
      <${AppTabs} current="home" />
    </header>
    <div
      class="home"
      tabindex="0"
      role="region"
      aria-label=${`Home of ${appName}`}
      data-testid="home"
      data-hash=${home?.hash}
    >
      ${
        home === null
          ? html`<p class="beginning">The app has not published a Home tab for you yet.</p>`
          : html`<${HomeView} key=${home.id} view=${home} />`
      }
    </div>
    <${Notices} channelId=${null} />
  </main>`;
}

function HomeView({ view }: { view: ViewView }): VNode {
  const { surface, failure } = useHomeSurface(view);
  return html`<${SurfaceContext.Provider} value=${surface}>
    ${failure !== null && html`<p class="failure" role="alert">⚠ ${failure}</p>`}
    <${BlocksView} blocks=${view.view['blocks']} />
  </${SurfaceContext.Provider}>`;
}
