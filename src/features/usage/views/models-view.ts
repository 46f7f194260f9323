import { clip } from '../../../core/base/text/markup.ts';
import { countOf, formatShare } from '../../../core/base/text/numbers.ts';
import {
  changeWords,
  creditsHeadline,
  pointsOf,
  topSeries,
  unitWords,
  weekNote,
} from '../../../core/figures/measures/sentences.ts';
import { amountsByName, modelCredits } from '../../../core/figures/measures/breakdown.ts';
import {
  type LayeredParagraph,
  type View,
  type ViewNotes,
  changeCell,
  inMore,
  layeredDrawing,
  pointsTable,
  shareCell,
  viewOf,
} from './paragraphs.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { ModelLine, ModelsReport } from '../reports/models-report.ts';
import { headline, note, numberCell, table, type TableOptions } from '../../../core/slack/blocks/paragraphs.ts';

/** Two tables share the number of characters that Slack accepts. */
const MAX_ROWS = 25;
const REST = 'other models';

export function modelsView(report: ModelsReport, notes: ViewNotes): View {
  const hiddenCount = report.models.length - MAX_ROWS;
  return viewOf('Models', { source: report.source, notes }, [
    headline(creditsHeadline(report.credits, report.scope, report.cost), leaderWords(report)),
    ...modelsByDay(report),
    table(modelTable(report)),
    inMore(note(hiddenCount > 0 ? `${countOf(hiddenCount, 'smaller model')} left out of the table.` : '')),
  ]);
}

function leaderWords({ models }: ModelsReport): string {
  const [first] = models;
  if (!first || first.value === 0) return '';
  const total = sumOf(models, (model) => model.value);
  const change = changeWords(first);
  return `${first.name} took ${formatShare(first.value, total)} of them${change === '' ? '' : `, ${change}`}.`;
}

function modelTable({ models }: ModelsReport): TableOptions<ModelLine> {
  const total = sumOf(models, (model) => model.value);
  const isCompared = models.some((model) => model.before !== undefined);
  return {
    caption: 'Credits and tokens by model',
    columns: [
      { title: 'Model', cell: (model) => clip(model.name, 100) },
      { title: 'Credits', cell: (model) => numberCell(model.value) },
      { title: 'Share', cell: (model) => shareCell(model.value, total) },
      ...(isCompared ? [{ title: 'Change', cell: (model: ModelLine) => changeCell(model, total) }] : []),
      { title: 'Input tokens', cell: ({ tokens }) => (tokens ? numberCell(tokens.input) : '–') },
      { title: 'Output tokens', cell: ({ tokens }) => (tokens ? numberCell(tokens.output) : '–') },
      { title: 'Tier', cell: ({ tiers }) => tiers.join(', ') || 'unknown' },
    ],
    rows: models.slice(0, MAX_ROWS),
    pageSize: 10,
  };
}

function modelsByDay({ days, models }: ModelsReport): LayeredParagraph[] {
  const published = days.flatMap(({ day, row }) => (row ? [{ day, sums: amountsByName([row], modelCredits) }] : []));
  const series = topSeries(
    models
      .filter((model) => model.value > 0)
      .map(({ name }) => ({ name, values: published.map(({ sums }) => sums.get(name) ?? 0) })),
    REST,
  );
  const points = pointsOf(
    published.map(({ day }, index) => ({ day, values: series.map(({ values }) => values[index] ?? 0) })),
    'sum',
  );
  const title = `Credits by model, ${unitWords(points)}`;
  const drawn = points.values.map((values, index) => ({ name: series[index]?.name ?? '', values }));
  if (points.labels.length < 2 || drawn.length === 0) return [];
  return [
    layeredDrawing({ kind: 'line', title, categories: points.labels, series: drawn }),
    inMore(table(pointsTable(title, points, drawn))),
    inMore(note(weekNote(points, 'sum'))),
  ];
}
