import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import type { OutgoingMessage } from '../../../src/core/outbox/poster.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';
import { actions, button, chart, dataTable, message, section } from '../../../src/core/slack/blocks/blocks.ts';
import {
  type ChartSupport,
  createChartSupport,
  fitTables,
  fitsEveryWorkspace,
  sendFullestForm,
} from '../../../src/core/slack/outbound/safe-message.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const log = createLogger('fatal', [], () => {});
const DAY_MS = 24 * 60 * 60_000;

let clock: MovableClock;
let charts: ChartSupport;
beforeEach(() => {
  clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  charts = createChartSupport(clock);
});

const tableOf = (rows: number, caption = 'People', text = 'somebody') =>
  dataTable({
    caption,
    columns: ['Who', 'Credits'],
    rows: Array.from({ length: rows }, (_, index) => [`${text} ${index}`, `${index}`]),
  });
const drawing = chart({
  kind: 'bar',
  title: 'Credits',
  categories: ['Mon'],
  series: [{ name: 'Credits', values: [12] }],
});
const review = actions(button({ text: 'Review', actionId: 'limits_review', value: 'k7m2x' }));
const typesOf = ({ blocks = [] }: OutgoingMessage) => blocks.map((block) => ('type' in block ? block.type : ''));

/** Sends to a Slack that refuses some forms; returns the tried forms, as the types of their blocks. */
async function send(one: OutgoingMessage, isRefused: (form: OutgoingMessage) => boolean, mayTryLargeTables = false) {
  const tried: OutgoingMessage[] = [];
  await sendFullestForm(one, { charts, log, mayTryLargeTables }, (form) => {
    tried.push(form);
    for (const { message: reason } of checkBlocks(form.blocks ?? [], 'message')) throw new Error(reason);
    return Promise.resolve({ areBlocksRefused: isRefused(form), outcome: undefined });
  });
  return tried;
}
const never = () => false;
const always = ({ blocks }: OutgoingMessage) => blocks !== undefined;
const ifLarge = ({ blocks = [] }: OutgoingMessage) => !fitsEveryWorkspace(blocks);

describe('a message that Slack refuses', () => {
  test('loses its charts first, then its tables, and its buttons last', async () => {
    const whole = message(markup`12 credits`, [drawing, tableOf(3), review]);
    expect((await send(whole, always)).map(typesOf)).toEqual([
      ['data_visualization', 'data_table', 'actions'],
      ['data_table', 'actions'],
      ['section', 'actions'],
      [],
    ]);
  });

  test('has the numbers of a chart in a table if it has no table of them yet', async () => {
    const whole = message(markup`12 credits`, [drawing, review]);
    const [, second] = await send(whole, always);
    expect(second && typesOf(second)).toEqual(['data_table', 'actions']);
    expect(JSON.stringify(second?.blocks)).toContain(
      '{"type":"raw_text","text":"Mon"},{"type":"raw_number","value":12,"text":"12"}',
    );
  });

  test('keeps its buttons if it has neither charts nor tables', async () => {
    const [, second] = await send(
      message(markup`Mia asks for 700`, [section(markup`*Mia* asks for 700`), review]),
      always,
    );
    expect(second?.blocks).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: 'Mia asks for 700', verbatim: true } },
      { type: 'actions', elements: [expect.objectContaining({ action_id: 'limits_review', value: 'k7m2x' })] },
    ]);
  });

  test('is tried at most four times, so that an answer has a use left for its progress', async () => {
    const whole = message(markup`12 credits`, [drawing, tableOf(150), tableOf(3), review]);
    expect(await send(whole, always)).toHaveLength(4);
    expect(await send(whole, always, true)).toHaveLength(4);
  });
});

describe('tables above the older limits', () => {
  const large = message(markup`150 people`, [tableOf(150), tableOf(2, 'Teams', 'team')]);

  test('are cut to the size that every workspace accepts, with a note', () => {
    const [people, teams] = fitTables(large.blocks).map((block) => JSON.stringify(block));
    expect(people).toContain('People (first 99 of 150)');
    expect(teams).toContain('*Teams*\\nWho · Credits\\nteam 0 · 0\\nteam 1 · 1');
    expect(fitsEveryWorkspace(fitTables(large.blocks))).toBe(true);
    const long = message(markup`long`, [tableOf(90, 'Long', 'x'.repeat(150))]);
    expect(fitsEveryWorkspace(fitTables(long.blocks))).toBe(true);
    expect(JSON.stringify(fitTables(long.blocks))).toMatch(/Long \(first 6\d of 90\)/);
  });

  test('are not posted before Slack accepted one in an answer, and are from then on', async () => {
    expect((await send(large, never)).map(fits)).toEqual([true]);
    expect((await send(large, never, true)).map(fits)).toEqual([false]);
    expect((await send(large, never)).map(fits)).toEqual([false]);
  });

  test('are not tried again for a day after Slack refused one', async () => {
    expect((await send(large, ifLarge, true)).map(fits)).toEqual([false, true]);
    expect((await send(large, ifLarge, true)).map(fits)).toEqual([true]);
    clock.moveTo(new Date(clock.now().getTime() + DAY_MS));
    expect((await send(large, ifLarge, true)).map(fits)).toEqual([false, true]);
    expect(charts.isLikely()).toBe(true);
  });
});

const fits = ({ blocks = [] }: OutgoingMessage) => fitsEveryWorkspace(blocks);
