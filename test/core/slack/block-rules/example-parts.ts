/** Small valid pieces of Block Kit to build examples and their broken variants from. */

export type Json = Record<string, unknown>;

export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const long = (length: number) => 'x'.repeat(length);
export const option = (value: string) => ({ text: plain(value), value });
export const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const button = (id: string) => ({ type: 'button', action_id: id, text: plain('Go') });
export const words = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
export const cell = (text: string) => ({ type: 'raw_text', text });
export const numberCell = (value: number) => ({ type: 'raw_number', value, text: String(value) });
export const points = (values: number[]) => values.map((value, index) => ({ label: `d${index}`, value }));
export const lineChart = {
  type: 'line',
  series: [{ name: 'Billing', data: points([1, 2]) }],
  axis_config: { categories: ['d0', 'd1'], x_label: 'Day', y_label: 'Tickets' },
};
export const chart = { type: 'data_visualization', title: 'Open tickets', chart: lineChart };
export const input = (element: Json) => ({ type: 'input', label: plain('Name'), element });
export const actions = (element: Json) => ({ type: 'actions', elements: [element] });

export interface Example {
  name: string;
  surface: 'message' | 'modal' | 'home';
  block: Json;
  /** The fault: members merged over the block, the pointer and the words of the refusal. */
  broken: { change: Json; pointer: string; message: string | RegExp }[];
}
