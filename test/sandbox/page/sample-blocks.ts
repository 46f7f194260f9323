import type { KnownBlock } from '@slack/types';

export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
export const raw = (text: string) => ({ type: 'raw_text', text });
const number = (value: number) => ({ type: 'raw_number', value, text: value.toLocaleString('en-US') });
export const option = (value: string, description?: string) => ({
  text: plain(`Option ${value}`),
  value,
  ...(description === undefined ? {} : { description: plain(description) }),
});

/** Blocks as JSON: the library's types do not know the newest ones. */
type Blocks = KnownBlock[];
export const blocks = (...list: object[]): Blocks => JSON.parse(JSON.stringify(list));

/** Text that would do harm if any of it were treated as markup of the page. */
export const hostileText = `<img src=x onerror="window.harmed=1"> <script>window.harmed=1</script> "'&`;

const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const textBlocks = blocks(
  { type: 'header', text: plain('Weekly report :bar_chart:') },
  {
    type: 'section',
    text: mrkdwn(
      '*Bold*, _italic_, ~struck~, `code` and *_both_*. snake_case_name and 2*3*4 stay.\n' +
        'Hello <@U0MIA>, see <#C0USAGE> and <!subteam^S0LEADS>, <!here>; <https://example.com/a?b=1&amp;c=2|the page>.\n' +
        '&gt; A quote with :white_check_mark: and :nobody_knows_this:\n' +
        'Due <!date^1772438400^{date_short_pretty} at {time}|soon>.\n```const a = 1 &lt; 2;```',
    ),
  },
  { type: 'section', text: mrkdwn(escapeSlack(hostileText)) },
  {
    type: 'section',
    fields: ['*Sessions*\n907', '*Messages*\n13,495', '*Commits*\n184', '*Files*\n2,686'].map(mrkdwn),
    accessory: { type: 'button', action_id: 'details', text: plain('Details'), value: 'd' },
  },
  { type: 'divider' },
  {
    type: 'context',
    elements: [mrkdwn('2–8 Mar 2026, UTC · settled')],
  },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [{ type: 'text', text: 'Rich *stars stay*' }],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'npm ci' }] },
    ],
  },
);

const days = ['Mon 2', 'Tue 3', 'Wed 4', 'Thu 5', 'Fri 6', 'Sat 7', 'Sun 8'];
const series = (name: string, values: number[]) => ({
  name,
  data: days.map((label, index) => ({ label, value: values[index] ?? 0 })),
});
const axes = { categories: days, x_label: 'Day', y_label: 'Credits' };

export const chartBlocks = blocks({
  type: 'data_visualization',
  title: 'Credits by day',
  chart: {
    type: 'line',
    series: [
      series('Web', [120_000, 95_000, 130_500, 110_000, 80_000, 4_000, 2_500]),
      series('Terminal', [60_000, 75_000, 66_000, 90_000, 71_000, 8_000, 9_500]),
    ],
    axis_config: axes,
  },
});

export const moreChartBlocks = blocks(
  {
    type: 'data_visualization',
    title: 'Net change',
    chart: {
      type: 'bar',
      series: [series('This week', [5, -3, 0, 8, -7, 2, 1]), series('Last week', [2, 2, 4, -1, 3, 0, 6])],
      axis_config: axes,
    },
  },
  {
    type: 'data_visualization',
    title: 'Approvals',
    chart: { type: 'area', series: [series('Approved', [1, 3, 6, 9, 14, 14, 15])], axis_config: { categories: days } },
  },
);

const people = [
  ['Ada', 907],
  ['Mia', 1_240],
  ['Max', 88],
  ['Nora', 15_000],
  ['Morgan', 312],
  ['Gus', 4],
  ['Eve', 70],
] as const;

export const tableBlocks = blocks({
  type: 'data_table',
  caption: 'Credits by person',
  page_size: 3,
  rows: [[raw('Person'), raw('Credits')], ...people.map(([name, credits]) => [raw(name), number(credits)])],
});

export const elementBlocks = blocks({
  type: 'actions',
  block_id: 'row',
  elements: [
    { type: 'button', action_id: 'approve', text: plain('Approve'), style: 'primary', value: '17' },
    {
      type: 'button',
      action_id: 'reject',
      text: plain('Reject'),
      style: 'danger',
      value: '17',
      confirm: {
        title: plain('Reject it?'),
        text: mrkdwn('*Mia* gets a message.'),
        confirm: plain('Reject'),
        deny: plain('Keep'),
      },
    },
    { type: 'button', action_id: 'silent', text: plain('No answer'), value: 'x' },
    {
      type: 'static_select',
      action_id: 'pick',
      placeholder: plain('Pick one'),
      options: [option('1', 'the first'), option('2'), option('3')],
    },
    {
      type: 'static_select',
      action_id: 'pick_for_all',
      placeholder: plain('Pick for everybody'),
      options: [option('4'), option('5')],
      confirm: {
        title: plain('For everybody?'),
        text: mrkdwn('It counts at once.'),
        confirm: plain('Pick it'),
        deny: plain('Keep'),
      },
    },
  ],
});
