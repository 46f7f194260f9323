/** Rich text, tables and charts that Slack accepts, and for each rule a change that it refuses. */
import { type Example, long, many, words, cell, numberCell, points, chart, lineChart } from './example-parts.ts';

export const dataExamples: Example[] = [
  {
    name: 'rich_text',
    surface: 'message',
    block: words('hello'),
    broken: [
      { change: { elements: [{ type: 'rich_text_poem' }] }, pointer: '/elements/0/type', message: /unsupported type/ },
      {
        change: { elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 1 }] }] },
        pointer: '/elements/0/elements/0/text',
        message: 'must provide a string',
      },
    ],
  },
  {
    name: 'data_table',
    surface: 'home',
    block: {
      type: 'data_table',
      caption: 'Usage',
      rows: [
        [cell('Day'), cell('Credits')],
        [cell('Mon'), numberCell(3)],
      ],
      page_size: 10,
    },
    broken: [
      { change: { caption: undefined }, pointer: '', message: 'missing required field: caption' },
      { change: { rows: [[cell('Day')]] }, pointer: '/rows', message: 'no fewer than 2 items required' },
      { change: { rows: many(202, () => [cell('a')]) }, pointer: '/rows', message: 'no more than 201 items allowed' },
      {
        change: { rows: [[cell('a')], [cell('b'), cell('c')]] },
        pointer: '/rows/1',
        message: /as many cells as the header: 1/,
      },
      {
        change: { rows: [[cell('a')], [words('b')]] },
        pointer: '/rows/1/0/type',
        message: 'unsupported type: rich_text',
      },
      {
        change: { rows: many(2, () => many(21, () => cell('a'))) },
        pointer: '/rows/0',
        message: /no more than 20 items/,
      },
      { change: { rows: [[cell('a')], [cell('')]] }, pointer: '/rows/1/0/text', message: /more than 0 characters/ },
      { change: { page_size: 101 }, pointer: '/page_size', message: /100/ },
      { change: { rows: [[cell('a')], [cell(long(20_000))]] }, pointer: '', message: /less than 20001 characters/ },
    ],
  },
  {
    name: 'data_visualization, line',
    surface: 'message',
    block: chart,
    broken: [
      { change: { title: long(51) }, pointer: '/title', message: 'must be less than 51 characters' },
      { change: { chart: { type: 'pie' } }, pointer: '/chart/type', message: 'unsupported type: pie' },
      { change: { legend: true }, pointer: '', message: 'invalid additional property: legend' },
      {
        change: { chart: { ...lineChart, series: [{ name: long(21), data: points([1, 2]) }] } },
        pointer: '/chart/series/0/name',
        message: 'must be less than 21 characters',
      },
      {
        change: { chart: { ...lineChart, series: [{ name: 'a', data: points([1]) }] } },
        pointer: '/chart/series/0/data',
        message: 'must have exactly one point for each category',
      },
      {
        change: { chart: { ...lineChart, series: many(2, () => ({ name: 'a', data: points([1, 2]) })) } },
        pointer: '/chart/series/1/name',
        message: 'must be unique',
      },
      {
        change: { chart: { ...lineChart, series: many(13, (n) => ({ name: `s${n}`, data: points([1, 2]) })) } },
        pointer: '/chart/series',
        message: 'no more than 12 items allowed',
      },
      {
        change: {
          chart: {
            ...lineChart,
            series: [
              {
                name: 'a',
                data: [
                  { label: 'd0', value: null },
                  { label: 'd1', value: 1 },
                ],
              },
            ],
          },
        },
        pointer: '/chart/series/0/data/0/value',
        message: 'must provide a number',
      },
    ],
  },
];
