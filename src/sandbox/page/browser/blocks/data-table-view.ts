import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listOf, numberOf, recordsOf, textOf, type Json } from '../core/json.ts';
import { cellText } from './cell-text.ts';
import { isNumeric, nextOrder, pageOf, sortedRows, type Order, type Row } from './table-order.ts';

const DEFAULT_PAGE_SIZE = 5;

/** The `data_table` block: a table with sorting by its headings and with pages. */
export function DataTableView({ block }: { block: Json }): VNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [wantedPage, setPage] = useState(0);
  const [header = [], ...body]: Row[] = listOf(block['rows']).map((row) => recordsOf(row));
  const size = Math.max(1, numberOf(block['page_size']) ?? DEFAULT_PAGE_SIZE);
  const { rows, page, pages } = pageOf(sortedRows(body, order), wantedPage, size);
  const caption = textOf(block['caption']);
  const sortBy = (column: number) => {
    setOrder(nextOrder(order, column));
    setPage(0);
  };
  const alignOf = (column: number) => (isNumeric(body, column) ? 'align-right' : 'align-left');
  const cell = (content: Json, column: number) =>
    column === 0
      ? html`<th scope="row" class=${alignOf(column)}>${cellText(content)}</th>`
      : html`<td class=${alignOf(column)}>${cellText(content)}</td>`;
  return html`<div class="data-table" data-testid="data-table">
    <div class="table-scroll" tabindex="0" role="group" aria-label=${caption}>
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            ${header.map(
              (content, column) =>
                html`<${Heading}
                  text=${cellText(content)}
                  column=${column}
                  order=${order}
                  align=${alignOf(column)}
                  onSort=${sortBy}
                />`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map(cell)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${pages > 1 && html`<${Pager} page=${page} pages=${pages} count=${body.length} caption=${caption} onPage=${setPage} />`}
  </div>`;
}

interface HeadingProps {
  text: string;
  column: number;
  order: Order | null;
  align: string;
  onSort: (column: number) => void;
}

function Heading({ text, column, order, align, onSort }: HeadingProps): VNode {
  const isSorted = order?.column === column;
  const direction = order?.isDescending === true ? 'descending' : 'ascending';
  const arrow = order?.isDescending === true ? '↓' : '↑';
  return html`<th scope="col" class=${align} aria-sort=${isSorted ? direction : undefined}>
    <button type="button" class="sort" title=${`Sort by ${text}`} onClick=${() => onSort(column)}>
      ${text}<span class="sort-arrow" aria-hidden="true">${isSorted ? arrow : '↕'}</span>
    </button>
  </th>`;
}

interface PagerProps {
  page: number;
  pages: number;
  count: number;
  caption: string;
  onPage: (page: number) => void;
}

function Pager({ page, pages, count, caption, onPage }: PagerProps): VNode {
  return html`<nav class="pager" aria-label=${`Pages of ${caption}`}>
    <button type="button" class="button button-small" disabled=${page === 0} onClick=${() => onPage(page - 1)}>
      Previous
    </button>
    <span role="status">Page ${page + 1} of ${pages} · ${count} rows</span>
    <button type="button" class="button button-small" disabled=${page === pages - 1} onClick=${() => onPage(page + 1)}>
      Next
    </button>
  </nav>`;
}
