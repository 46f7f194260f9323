import { html, render } from 'htm/preact';
import type { Gallery } from '../shot.ts';
import { GalleryView } from './panes/gallery-view.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root !== null) {
  const response = await fetch('/gallery.json');
  const gallery: Gallery = await response.json();
  root.replaceChildren();
  render(html`<${GalleryView} gallery=${gallery} />`, root);
}
