import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Json } from '../core/json.ts';
import { chartRows, readChart, type Chart } from './chart-data.ts';
import { SeriesDrawing } from './series-drawing.ts';

const FIRST_WIDTH = 520;
const kindWords: Record<Chart['kind'], string> = {
  line: 'Line chart',
  bar: 'Bar chart',
  area: 'Area chart',
};

/** The `data_visualization` block: a drawing with a legend, and its numbers as a table for screen readers. */
export function ChartView({ block }: { block: Json }): VNode {
  const chart = useMemo(() => readChart(block), [block]);
  const { frame, width } = useWidth();
  if (chart === null) return html`<p class="undrawn">A chart without data cannot be drawn.</p>`;
  return html`<figure class="chart" data-testid="chart" ref=${frame}>
    <figcaption>${chart.title}</figcaption>
    <div role="img" aria-label=${`${kindWords[chart.kind]}: ${chart.title}. The numbers follow as a table.`}>
      <${SeriesDrawing} chart=${chart} width=${width} />
    </div>
    <${NumbersTable} chart=${chart} />
  </figure>`;
}

function NumbersTable({ chart }: { chart: Chart }): VNode {
  const { header, rows } = chartRows(chart);
  return html`<details class="chart-numbers">
    <summary>Show the numbers</summary>
    <div class="table-scroll" tabindex="0" role="group" aria-label=${`Numbers of ${chart.title}`}>
      <table>
        <thead>
          <tr>
            ${header.map((cell, index) => html`<th scope="col" class=${index === 0 ? 'align-left' : 'align-right'}>${cell}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([first, ...rest]) =>
              html`<tr>
                <th scope="row" class="align-left">${first}</th>
                ${rest.map((cell) => html`<td class="align-right">${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** Returns the width for the drawing, which is laid out again for each width, so that its texts keep their size. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(measured);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}
