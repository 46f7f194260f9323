/** data_visualization: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
import { z } from 'zod';
import { blockId } from './composition.ts';
import { report } from './violation.ts';

const label = z.string().min(1).max(20);

const axisMembers = {
  series: z
    .array(
      z.strictObject({
        name: label,
        data: z
          .array(z.strictObject({ label, value: z.number() }))
          .min(1)
          .max(20),
      }),
    )
    .min(1)
    .max(12),
  axis_config: z.strictObject({
    categories: z.array(label).min(1).max(20),
    x_label: z.string().min(1).max(50).optional(),
    y_label: z.string().min(1).max(50).optional(),
  }),
};

interface AxisChart {
  series: { name: string; data: { label: string }[] }[];
  axis_config: { categories: string[] };
}

/** Checks that each series has exactly one point per category, and that series have different names. */
function checkSeries(chart: AxisChart, context: z.RefinementCtx): void {
  const categories = new Set(chart.axis_config.categories);
  if (categories.size !== chart.axis_config.categories.length) {
    report(context, chart, { path: ['axis_config', 'categories'], code: 'duplicate', message: 'must be unique' });
  }
  const names = new Set<string>();
  for (const [index, series] of chart.series.entries()) {
    if (names.has(series.name)) {
      report(context, chart, { path: ['series', index, 'name'], code: 'duplicate', message: 'must be unique' });
    }
    names.add(series.name);
    const labels = new Set(series.data.map((point) => point.label));
    const isComplete = labels.size === series.data.length && labels.size === categories.size;
    if (isComplete && [...labels].every((name) => categories.has(name))) continue;
    report(context, chart, {
      path: ['series', index, 'data'],
      code: 'inconsistent',
      message: 'must have exactly one point for each category',
    });
  }
}

export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId.optional(),
  title: z.string().min(1).max(50),
  chart: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('bar'), ...axisMembers }).superRefine(checkSeries),
    z.strictObject({ type: z.literal('area'), ...axisMembers }).superRefine(checkSeries),
    z.strictObject({ type: z.literal('line'), ...axisMembers }).superRefine(checkSeries),
  ]),
});
