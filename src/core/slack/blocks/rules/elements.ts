import { z } from 'zod';
import { report } from './violation.ts';

/** Composition objects: https://docs.slack.dev/reference/block-kit/composition-objects */

export const blockId = z.string().min(1).max(255);
const actionId = z.string().min(1).max(255);

export const plainText = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(maximum),
    emoji: z.boolean().optional(),
  });

const mrkdwn = (maximum = 3000) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(maximum),
    verbatim: z.boolean().optional(),
  });

export const anyText = (maximum = 3000) => z.discriminatedUnion('type', [plainText(maximum), mrkdwn(maximum)]);

const confirmation = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

const option = z.strictObject({
  text: plainText(75),
  // Slack's page allows 150 characters of value, its own types 75: the smaller number passes both.
  value: z.string().min(1).max(75),
  description: plainText(75).optional(),
});

const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .superRefine((filter, context) => {
    if (Object.values(filter).some((member) => member !== undefined)) return;
    report(context, filter, {
      path: [],
      code: 'missing',
      message: 'must define `include`, `exclude_external_shared_channels` or `exclude_bot_users`',
    });
  });

/** The elements that are sent: https://docs.slack.dev/reference/block-kit/block-elements */

const id = { action_id: actionId.optional() };
const named = { ...id, placeholder: plainText(150).optional() };

export const button = z.strictObject({
  type: z.literal('button'),
  ...id,
  confirm: confirmation.optional(),
  text: plainText(75),
  value: z.string().max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

interface Option {
  value: string;
}
interface OptionList {
  options: Option[];
  initial_option?: Option | undefined;
  initial_options?: Option[] | undefined;
}

// Slack compares the whole option, including its text.
function checkInitial(element: OptionList, context: z.RefinementCtx): void {
  const offeredOptions = new Set(element.options.map((offered) => JSON.stringify(offered)));
  const initial = element.initial_option ? [element.initial_option] : (element.initial_options ?? []);
  if (initial.every((chosen) => offeredOptions.has(JSON.stringify(chosen)))) return;
  const member = element.initial_option ? 'initial_option' : 'initial_options';
  report(context, element, { path: [member], code: 'inconsistent', message: 'must be among the options' });
}

const listed = (maximum: number) => ({ options: z.array(option).min(1).max(maximum) });
const one = { initial_option: option.optional() };
const several = { initial_options: z.array(option).min(1).optional() };

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...named,
    confirm: confirmation.optional(),
    ...listed(100),
    ...one,
  })
  .superRefine(checkInitial);

const choices = [
  z
    .strictObject({ type: z.literal('multi_static_select'), ...named, ...listed(100), ...several })
    .superRefine(checkInitial),
  z.strictObject({ type: z.literal('checkboxes'), ...id, ...listed(10), ...several }).superRefine(checkInitial),
  z.strictObject({ type: z.literal('radio_buttons'), ...id, ...listed(10), ...one }).superRefine(checkInitial),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...named,
    initial_conversation: z.string().min(1).optional(),
    filter: conversationFilter.optional(),
    response_url_enabled: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...named,
    initial_users: z.array(z.string().min(1)).min(1).optional(),
  }),
] as const;

const times = [
  z.strictObject({
    type: z.literal('timepicker'),
    ...named,
    initial_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:mm')
      .optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...id,
    // Ten digits: seconds between 2001 and 2286.
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
] as const;

const typed = [
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...named,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }),
  z.strictObject({
    type: z.literal('file_input'),
    ...id,
    filetypes: z.array(z.string().min(1)).min(1).optional(),
    max_files: z.int().min(1).max(10).optional(),
  }),
] as const;

export const actionElement = z.discriminatedUnion('type', [button, staticSelect]);
export const inputElement = z.discriminatedUnion('type', [staticSelect, ...choices, ...times, ...typed]);

/** data_visualization: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */

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
