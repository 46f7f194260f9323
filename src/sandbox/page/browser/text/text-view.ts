import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { recordOf, stringOf, textOf, type Json } from '../core/json.ts';
import { emojiAt } from './inline-scan.ts';
import { joinTexts, type Inline, type TextBlock } from './inline.ts';
import { InlineText } from './inline-view.ts';
import { parseInlineMrkdwn, parseMrkdwn } from './mrkdwn.ts';

/** Slack's mrkdwn with its paragraphs, quotes and preformatted lines. */
export function MrkdwnText({ text, verbatim = false }: { text: string; verbatim?: boolean }): VNode {
  const blocks = useMemo(() => parseMrkdwn(text, { verbatim }), [text, verbatim]);
  return html`<div class="text">${blocks.map((block) => html`<${TextBlockView} block=${block} />`)}</div>`;
}

function TextBlockView({ block }: { block: TextBlock }): VNode {
  switch (block.kind) {
    case 'preformatted':
      return html`<pre tabindex="0">${block.text}</pre>`;
    case 'quote':
      return html`<blockquote><${InlineText} nodes=${block.children} /></blockquote>`;
    case 'paragraph':
      return html`<p><${InlineText} nodes=${block.children} /></p>`;
    default:
      return block satisfies never;
  }
}

export function TextObject({ value }: { value: unknown }): VNode | null {
  const object = recordOf(value);
  if (object === null && typeof value !== 'string') return null;
  if (object?.['type'] === 'mrkdwn') {
    return html`<${MrkdwnText} text=${stringOf(object['text'])} verbatim=${object['verbatim'] === true} />`;
  }
  return html`<div class="text">
    <p><${InlineTextObject} value=${value} /></p>
  </div>`;
}

/** A text object on one line, for labels, titles and options. */
export function InlineTextObject({ value }: { value: unknown }): VNode {
  const nodes = useMemo(() => inlineNodesOf(value), [value]);
  return html`<${InlineText} nodes=${nodes} />`;
}

function inlineNodesOf(value: unknown): Inline[] {
  const object: Json = recordOf(value) ?? {};
  if (object['type'] === 'mrkdwn')
    return parseInlineMrkdwn(stringOf(object['text']), { verbatim: object['verbatim'] === true });
  return plainNodes(textOf(value), object['emoji'] !== false);
}

/** plain_text: neither markup nor entities; only emoji names, unless they are switched off. */
function plainNodes(text: string, withEmoji = true): Inline[] {
  const nodes: Inline[] = [];
  for (let at = 0; at < text.length;) {
    const emoji = withEmoji && text[at] === ':' ? emojiAt(text, at) : null;
    const next = text.indexOf(':', at + 1);
    const end = emoji?.end ?? (next === -1 ? text.length : next);
    if (emoji) nodes.push(emoji.node);
    else nodes.push(...text.slice(at, end).split('\n').flatMap(lineNodes));
    at = end;
  }
  return joinTexts(nodes);
}

function lineNodes(line: string, index: number): Inline[] {
  const text: Inline = { kind: 'text', text: line };
  return index === 0 ? [text] : [{ kind: 'break' }, text];
}
