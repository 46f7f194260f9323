import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatValue, type Chart } from './chart-data.ts';
import { areaPath, layOutSeries, linePath, type SeriesGeometry } from './geometry.ts';

const HEIGHT = 240;

/** A line, bar or area chart with its axes, its legend and the values under the pointer. */
export function SeriesDrawing({ chart, width }: { chart: Chart; width: number }): VNode {
  const geometry = useMemo(() => layOutSeries(chart, { width, height: HEIGHT }), [chart, width]);
  const [picked, setPicked] = useState<number | null>(null);
  return html`<div class="drawing" onPointerLeave=${() => setPicked(null)}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      <${Axes} chart=${chart} geometry=${geometry} width=${width} />
      ${picked !== null && geometry.bands[picked] !== undefined && html`<rect class="band-picked" ...${geometry.bands[picked]} />`}
      ${chart.series.map((_, index) => html`<${SeriesMarks} kind=${chart.kind} index=${index} geometry=${geometry} />`)}
      ${geometry.bands.map((band, index) => html`<rect class="band" ...${band} onPointerEnter=${() => setPicked(index)} />`)}
    </svg>
    <${Legend} names=${chart.series.map(({ name }) => name)} />
    ${picked !== null && html`<${ValueLabels} chart=${chart} picked=${picked} />`}
  </div>`;
}

function Axes({ chart, geometry, width }: { chart: Chart; geometry: SeriesGeometry; width: number }): VNode {
  const { plot, valueTicks, categoryTicks, baseline } = geometry;
  const right = plot.x + plot.width;
  const labelY = plot.y + plot.height + 16;
  return html`<g>
    ${valueTicks.map(
      ({ y, label }) =>
        html`<g>
          <line class="grid-line" x1=${plot.x} x2=${right} y1=${y} y2=${y} />
          <text class="tick" x=${plot.x - 8} y=${y + 4} text-anchor="end">${label}</text>
        </g>`,
    )}
    <line class="axis-line" x1=${plot.x} x2=${right} y1=${baseline} y2=${baseline} />
    ${categoryTicks.map(({ x, label }) => html`<text class="tick" x=${x} y=${labelY} text-anchor="middle">${label}</text>`)}
    ${chart.yLabel !== '' && html`<text class="axis-label" x="2" y="12">${chart.yLabel}</text>`}
    ${
      chart.xLabel !== '' &&
      html`<text class="axis-label" x=${width / 2} y=${HEIGHT - 6} text-anchor="middle">${chart.xLabel}</text>`
    }
  </g>`;
}

interface MarksProps {
  kind: Chart['kind'];
  index: number;
  geometry: SeriesGeometry;
}

function SeriesMarks({ kind, index, geometry }: MarksProps): VNode {
  const points = geometry.points[index] ?? [];
  const className = `series series-${index + 1}`;
  if (kind === 'bar') {
    return html`<g class=${className}
      >${(geometry.bars[index] ?? []).map((bar) => html`<rect class="bar" rx="1.5" ...${bar} />`)}</g
    >`;
  }
  return html`<g class=${className}>
    ${kind === 'area' && html`<path class="area" d=${areaPath(points, geometry.baseline)} />`}
    <path class="line" d=${linePath(points)} />
    ${points.map(({ x, y }) => html`<circle class="point" cx=${x} cy=${y} r="3" />`)}
  </g>`;
}

function Legend({ names }: { names: readonly string[] }): VNode {
  return html`<ul class="legend" aria-hidden="true">
    ${names.map((name, index) => html`<li class=${`series-${index + 1}`}><span class="swatch"></span>${name}</li>`)}
  </ul>`;
}

function ValueLabels({ chart, picked }: { chart: Chart; picked: number }): VNode {
  const side = picked < chart.categories.length / 2 ? 'value-labels-right' : 'value-labels-left';
  return html`<div class=${`value-labels ${side}`} aria-hidden="true" data-testid="chart-values">
    <strong>${chart.categories[picked]}</strong>
    ${chart.series.map(
      ({ name, values }, index) =>
        html`<div class=${`series-${index + 1}`}>
          <span class="swatch"></span>${name}<span class="value">${formatValue(values[picked] ?? 0)}</span>
        </div>`,
    )}
  </div>`;
}
