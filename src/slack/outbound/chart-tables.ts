import { z } from 'zod';
import { formatNumber } from '../../base/text/numbers.ts';
import { dataTable, type Block } from '../blocks/blocks.ts';

const chartSchema = z.object({
  type: z.literal('data_visualization'),
  title: z.string(),
  chart: z.object({
    series: z.array(z.object({ name: z.string(), data: z.array(z.object({ label: z.string(), value: z.number() })) })),
    axis_config: z.object({ categories: z.array(z.string()) }),
  }),
});

const isTable = (block: object | undefined) => block !== undefined && 'type' in block && block.type === 'data_table';

/** A chart without a table directly behind it becomes a table of its numbers. */
export function withoutCharts(blocks: readonly object[]): object[] {
  return blocks.flatMap((block, index) => {
    const read = chartSchema.safeParse(block);
    if (!read.success) return [block];
    return isTable(blocks[index + 1]) ? [] : [tableOf(read.data)];
  });
}

function tableOf({ title, chart: { series, axis_config: axis } }: z.infer<typeof chartSchema>): Block {
  return dataTable({
    caption: title,
    columns: ['', ...series.map(({ name }) => name)],
    rows: axis.categories.map((category, index) => [
      category,
      ...series.map(({ data }) => {
        const value = data[index]?.value ?? 0;
        return { value, text: formatNumber(value) };
      }),
    ]),
    pageSize: 7,
  });
}
