import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { listOf, recordOf, recordsOf, stringOf, type Json } from '../core/json.ts';
import { CellView } from './cell-view.ts';

/** The `table` block: a fixed table, its first row the header. */
export function TableView({ block }: { block: Json }): VNode {
  const rows = listOf(block['rows']).map((row) => recordsOf(row));
  const settings = listOf(block['column_settings']).map((column) => recordOf(column));
  const blockId = stringOf(block['block_id']);
  const classOf = (index: number) => {
    const align = stringOf(settings[index]?.['align'], 'left');
    return `align-${align}${settings[index]?.['is_wrapped'] === true ? ' wrapped' : ''}`;
  };
  const [header = [], ...body] = rows;
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${header.map((cell, index) => html`<th scope="col" class=${classOf(index)}><${CellView} cell=${cell} blockId=${blockId} /></th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => html`<td class=${classOf(index)}><${CellView} cell=${cell} blockId=${blockId} /></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
