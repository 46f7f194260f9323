import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatShare, formatValue, type PieChart } from './chart-data.ts';
import { layOutPie } from './pie.ts';

const SIZE = 200;
const SMALLEST_LABELLED_SHARE = 0.06;

/** A pie with its shares written in it, and a legend that holds each value. */
export function PieDrawing({ chart, width }: { chart: PieChart; width: number }): VNode {
  const size = Math.min(SIZE, width);
  const slices = useMemo(() => layOutPie(chart, size), [chart, size]);
  const [picked, setPicked] = useState<number | null>(null);
  return html`<div class="drawing drawing-pie" onPointerLeave=${() => setPicked(null)}>
    <svg width=${size} height=${size} viewBox=${`0 0 ${size} ${size}`} aria-hidden="true">
      ${slices.map(
        ({ path }, index) =>
          html`<path
            class=${`slice series-${index + 1}${picked === index ? ' slice-picked' : ''}`}
            d=${path}
            onPointerEnter=${() => setPicked(index)}
          />`,
      )}
      ${slices.map(({ share, middle }) =>
        share < SMALLEST_LABELLED_SHARE
          ? null
          : html`<text class="slice-label" x=${middle.x} y=${middle.y + 4} text-anchor="middle"
              >${formatShare(share)}</text
            >`,
      )}
    </svg>
    <ul class="legend legend-pie" aria-hidden="true">
      ${slices.map(
        ({ label, value, share }, index) =>
          html`<li class=${`series-${index + 1}${picked === index ? ' legend-picked' : ''}`}>
            <span class="swatch"></span>${label}<span class="value">${formatValue(value)} (${formatShare(share)})</span>
          </li>`,
      )}
    </ul>
  </div>`;
}
