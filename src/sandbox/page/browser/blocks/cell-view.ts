import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, type Json } from '../core/json.ts';
import { ElementView } from '../elements/element-view.ts';
import { RichText } from '../text/rich-text-view.ts';
import { cellText } from './cell-text.ts';

/** A cell of a table or data table. */
export function CellView({ cell, blockId }: { cell: Json; blockId: string }): VNode {
  if (cell['type'] === 'rich_text') return html`<${RichText} block=${cell} />`;
  const element = recordOf(cell['element']);
  if (cell['type'] === 'action_cell' && element !== null)
    return html`<${ElementView} element=${element} blockId=${blockId} />`;
  return html`${cellText(cell)}`;
}
