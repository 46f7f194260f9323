import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, recordsOf, stringOf, textOf, numberOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { safeUrl } from '../text/inline.ts';
import { InlineTextObject, TextObject } from '../text/text-view.ts';
import { ImageView } from './image-view.ts';

interface BlockProps {
  block: Json;
}

/** Headings within a message start below those of the page: its own title, the channel and the author. */
const HEADING_OFFSET = 2;

export function HeaderBlock({ block }: BlockProps): VNode {
  const level = Math.min(Math.max(numberOf(block['level']) ?? 2, 1), 4);
  return html`<p class=${`heading heading-${level}`} role="heading" aria-level=${level + HEADING_OFFSET}>
    <${InlineTextObject} value=${block['text']} />
  </p>`;
}

export function ContextBlock({ block }: BlockProps): VNode {
  return html`<div class="context">
    ${recordsOf(block['elements']).map((element) =>
      element['type'] === 'image'
        ? html`<${ImageView} image=${element} isSmall=${true} />`
        : html`<${TextObject} value=${element} />`,
    )}
  </div>`;
}

export function ActionsBlock({ block }: BlockProps): VNode {
  const blockId = stringOf(block['block_id']);
  return html`<div class="row">
    ${recordsOf(block['elements']).map(
      (element, index) =>
        html`<${ElementView}
          key=${stringOf(element['action_id'], String(index))}
          element=${element}
          blockId=${blockId}
        />`,
    )}
  </div>`;
}

export function ImageBlock({ block }: BlockProps): VNode {
  return html`<figure class="figure">
    ${block['title'] !== undefined && html`<figcaption><${InlineTextObject} value=${block['title']} /></figcaption>`}
    <${ImageView} image=${block} />
  </figure>`;
}

const alertWords: Record<string, string> = { info: 'Note', warning: 'Warning', error: 'Error', success: 'Done' };

export function AlertBlock({ block }: BlockProps): VNode {
  const level = stringOf(block['level'], 'default');
  return html`<div class=${`alert alert-${alertWords[level] === undefined ? 'default' : level}`} role="note">
    ${alertWords[level] !== undefined && html`<strong class="alert-word">${alertWords[level]}</strong>`}
    <${TextObject} value=${block['text']} />
  </div>`;
}

export function VideoBlock({ block }: BlockProps): VNode {
  const url = safeUrl(stringOf(block['title_url'], stringOf(block['video_url'])));
  const title = textOf(block['title']);
  return html`<div class="plain-media">
    <span
      >Video:
      ${url === null ? title : html`<a href=${url} target="_blank" rel="noreferrer noopener">${title}</a>`}</span
    >
    <${TextObject} value=${block['description']} />
    <small>${stringOf(block['alt_text'])}</small>
  </div>`;
}

export function FileBlock({ block }: BlockProps): VNode {
  const name = stringOf(recordOf(block['file'])?.['name'], stringOf(block['external_id']));
  return html`<div class="plain-media">File: ${name}</div>`;
}
