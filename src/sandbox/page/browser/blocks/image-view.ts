import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../core/page-context.ts';
import { recordOf, stringOf, type Json } from '../core/json.ts';
import { safeUrl } from '../text/inline.ts';

/**
 * An image of this server or one that is part of the message. Others are not fetched, because the sandbox works without
 * a network: their alternative text and a link stand in for them.
 */
export function ImageView({ image, isSmall = false }: { image: Json; isSmall?: boolean }): VNode {
  const { state } = usePage();
  const [isBroken, setBroken] = useState(false);
  const alternative = stringOf(image['alt_text']);
  const address = addressOf(
    image,
    (fileId) => state.snapshot?.files.find(({ id }) => id === fileId)?.downloadPath ?? '',
  );
  const isLocal = /^(?:\/(?!\/)|data:image\/)/.test(address) || address.startsWith(`${location.origin}/`);
  const className = isSmall ? 'image image-small' : 'image';
  if (isLocal && !isBroken) {
    return html`<img class=${className} src=${address} alt=${alternative} onError=${() => setBroken(true)} />`;
  }
  const url = safeUrl(address);
  return html`<span class=${`${className} image-absent`} role="img" aria-label=${alternative} title=${alternative}>
    ${isSmall ? html`<span aria-hidden="true">▧</span>` : html`<span>Image: ${alternative || 'without alternative text'}</span>`}
    ${!isSmall && url !== null && html`<a href=${url} target="_blank" rel="noreferrer noopener">Open in a new tab</a>`}
  </span>`;
}

function addressOf(image: Json, pathOfFile: (fileId: string) => string): string {
  const file = recordOf(image['slack_file']);
  if (file === null) return stringOf(image['image_url']);
  const id = stringOf(file['id']);
  return id === '' ? stringOf(file['url']) : pathOfFile(id);
}
