import { CATALOGUE } from '../../usage/catalogue.ts';
import { VIEWS } from '../../usage/usage-command.ts';
import { z } from 'zod';
import { chartSchema } from '../../../core/slack/outbound/safe-message.ts';
import type { CapturedMessage } from './captured-answer.ts';

const cell = z.union([
  // “12 of 20” has the value 12, so the text that people see comes along.
  z
    .object({ type: z.literal('raw_number'), value: z.number(), text: z.string() })
    .transform(({ value, text }) => ({ value, text })),
  z.object({ text: z.string() }).transform(({ text }) => text),
]);
const tableSchema = z.object({
  type: z.literal('data_table'),
  caption: z.string(),
  rows: z.array(z.array(cell)).min(1),
});

export const structuredAnswerSchema = z.object({
  command: z.string().describe('The slash command with the same answer.'),
  unit: z
    .literal('Standard Credits')
    .optional()
    .describe('The unit of amounts whose column and text name no other. Left out: there is no common unit.'),
  text: z.string(),
  tables: z.array(
    z.object({
      title: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.string(), z.object({ value: z.number(), text: z.string() })]))),
    }),
  ),
  charts: z.array(
    z.object({
      title: z.string(),
      unit: z.string().optional(),
      series: z.array(
        z.object({ name: z.string(), points: z.array(z.object({ label: z.string(), value: z.number() })) }),
      ),
    }),
  ),
});
const WITH_AMOUNTS = /^\/\S*(usage|budget|limits)(?= |$)/;

/** Whether its amounts are credits: not in views that count something else. */
function isInCredits(command: string): boolean {
  const [, name] = WITH_AMOUNTS.exec(command) ?? [];
  if (name !== 'usage') return name !== undefined;
  const [, word] = command.split(' ');
  return CATALOGUE[VIEWS.find((view) => view === word) ?? 'summary'].isInCredits;
}

export type StructuredAnswer = z.infer<typeof structuredAnswerSchema>;

/** The numbers of an answer, read from its tables and charts, so that they are the numbers that people see. Pure. */
export function structuredAnswer(
  command: string,
  text: string,
  messages: readonly Pick<CapturedMessage, 'blocks'>[],
): StructuredAnswer {
  const blocks = messages.flatMap(({ blocks: all }) => all);
  return {
    command,
    ...(isInCredits(command) ? { unit: 'Standard Credits' as const } : {}),
    text,
    tables: blocks.flatMap((block) => {
      const { data } = tableSchema.safeParse(block);
      if (!data) return [];
      const [columns = [], ...rows] = data.rows;
      return [
        {
          title: data.caption,
          columns: columns.map((column) => (typeof column === 'string' ? column : column.text)),
          rows,
        },
      ];
    }),
    charts: blocks.flatMap((block) => {
      const { data } = chartSchema.safeParse(block);
      if (!data) return [];
      const unit = data.chart.axis_config.y_label;
      const series = data.chart.series.map(({ name, data: points }) => ({ name, points }));
      return [{ title: data.title, ...(unit === undefined ? {} : { unit }), series }];
    }),
  };
}
