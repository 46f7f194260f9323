import { html, render } from 'htm/preact';
import { App } from './panes/app.ts';
import { sessionOfPage } from './core/page-context.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root !== null) {
  root.replaceChildren();
  render(html`<${App} />`, root);
  void sessionOfPage.start();
}
