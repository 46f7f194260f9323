import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Gallery, Shot } from '../../shot.ts';
import { BlocksView } from '../blocks/block-view.ts';
import { NamesContext, useNames, useWorkspaceNames } from '../core/names.ts';
import { PageContext, sessionOfPage } from '../core/page-context.ts';
import { emptyState } from '../core/state.ts';
import { valueFromElement } from '../elements/element-values.ts';
import { SurfaceContext, type Surface } from '../elements/surface.ts';
import { InlineTextObject, MrkdwnText } from '../text/text-view.ts';

const idOf = (shot: Shot) =>
  `${shot.screen}-${shot.state}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');

/** Every screen in each of its states, one below the other. */
export function GalleryView({ gallery }: { gallery: Gallery }): VNode {
  const page = useMemo(
    () => ({ session: sessionOfPage, state: { ...emptyState, snapshot: gallery.snapshot } }),
    [gallery.snapshot],
  );
  const names = useWorkspaceNames(page);
  const screens = Map.groupBy(gallery.shots, ({ screen }) => screen);
  return html`<${PageContext.Provider} value=${page}><${NamesContext.Provider} value=${names}>
    <header class="gallery-head">
      <h1>Gallery</h1>
      <p>The screens of Quartermaster, as they were sent. Buttons do nothing here.</p>
      <nav aria-label="Screens">
        <ul class="gallery-screens">
          ${[...screens].map(
            ([screen, [first]]) =>
              html`<li><a href=${first === undefined ? '#' : `#${idOf(first)}`}>${screen}</a></li>`,
          )}
        </ul>
      </nav>
    </header>
    <main class="gallery">
      ${gallery.shots.map((shot) => html`<${ShotView} key=${idOf(shot)} shot=${shot} />`)}
    </main>
  </${NamesContext.Provider}></${PageContext.Provider}>`;
}

function ShotView({ shot }: { shot: Shot }): VNode {
  const { screen, state, reader, surface, blocks, text, view, atMs } = shot;
  const workspaceNames = useNames();
  // “today” is the day of the shot.
  const names = useMemo(() => ({ ...workspaceNames, nowMs: atMs }), [workspaceNames, atMs]);
  const id = idOf(shot);
  const place = useMemo<Surface>(
    () => ({
      kind: surface === 'modal' || surface === 'home' ? surface : 'message',
      idPrefix: id,
      valueOf: (_, element) => valueFromElement(element),
      errorOf: () => null,
      edit: () => undefined,
      act: () => Promise.resolve(),
    }),
    [id, surface],
  );
  const body = blocks.length > 0 ? html`<${BlocksView} blocks=${blocks} />` : html`<${MrkdwnText} text=${text} />`;
  return html`<${NamesContext.Provider} value=${names}><section class="shot" id=${id} data-testid="shot" aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${screen} <small>${state}</small></h2>
    <p class="shot-facts">${surface}, shown to ${reader}</p>
    <div class=${`shot-frame shot-${surface}`}>
      ${surface === 'modal' && html`<h3><${InlineTextObject} value=${view?.['title']} /></h3>`}
      <${SurfaceContext.Provider} value=${place}>${body}</${SurfaceContext.Provider}>
      ${
        surface === 'modal' &&
        html`<p class="shot-actions">
          ${['close', 'submit'].map(
            (name) =>
              view?.[name] !== undefined &&
              view[name] !== null &&
              html`<span class=${`button ${name === 'submit' ? 'button-primary' : ''}`}
                ><${InlineTextObject} value=${view[name]}
              /></span>`,
          )}
        </p>`
      }
    </div>
  </section></${NamesContext.Provider}>`;
}
