import { z } from 'zod';
import {
  actionIdOf,
  actions,
  button,
  MAX_BUTTON_VALUE_LENGTH,
  type Button,
} from '../../../core/slack/blocks/blocks.ts';
import type { CapturedMessage } from '../answers/captured-answer.ts';
import { wordsIn } from '../../../core/base/text/word-list.ts';
import type { NextCall } from './next-calls.ts';

/** Slackbot drops all blocks of an answer if one is not among these. */
const ALLOWED = wordsIn(
  'actions card carousel container context data_table data_visualization divider file header image input markdown',
  'rich_text section table video',
);
const MAX_BLOCKS = 50;
const MAX_CHARTS = 2;
const MAX_TABLE_CHARACTERS = 20_000;

const element = z.looseObject({ type: z.string(), url: z.string().optional(), action_id: z.string().optional() });
const holder = z.looseObject({
  type: z.string(),
  elements: z.array(element).optional().catch(undefined),
  accessory: element.optional().catch(undefined),
});

/**
 * Fits an answer to what Slackbot shows: no buttons of commands, at most two charts, 20,000 characters of tables. Pure.
 *
 * @param next the buttons under the answer
 * @see https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses
 */
export function blocksForSlackbot(messages: readonly CapturedMessage[], next: readonly NextCall[]): object[] {
  let charts = 0;
  let tableCharacters = 0;
  const fitting = messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => withoutButtons(block))
    .filter((block) => {
      const { type } = holder.parse(block);
      if (type === 'data_visualization') return (charts += 1) <= MAX_CHARTS;
      if (type !== 'data_table') return true;
      tableCharacters += JSON.stringify(block).length;
      return tableCharacters <= MAX_TABLE_CHARACTERS;
    });
  const rows = rowsOf(next);
  return [...fitting.slice(0, MAX_BLOCKS - rows.length), ...rows];
}

/** Slackbot finds the tool by the id of a button, which may occur once in a row: buttons of one tool need rows. */
function rowsOf(next: readonly NextCall[]): object[] {
  const rows: Button[][] = [];
  for (const { text, tool, words } of next) {
    const value = JSON.stringify(words);
    if (value.length > MAX_BUTTON_VALUE_LENGTH) continue;
    const one = button({ text, actionId: `tool:${tool}`, value });
    const row = rows.find((others) => others.every((other) => other['action_id'] !== one['action_id']));
    if (row) row.push(one);
    else rows.push([one]);
  }
  return rows.map((row) => actions(...row));
}

function withoutButtons(block: object): object[] {
  const read = holder.safeParse(block).data;
  if (!read || !ALLOWED.has(read.type)) return [];
  const { accessory, ...rest } = read;
  if (rest.type !== 'actions') return [isUsable(accessory) ? { ...rest, accessory } : rest];
  const usable = (rest.elements ?? []).filter((one) => isUsable(one));
  return usable.length === 0 ? [] : [{ ...rest, elements: usable }];
}

/** Slackbot calls tools and opens links; a click on anything else would reach nothing. */
const isUsable = (one: z.infer<typeof element> | undefined): boolean =>
  one !== undefined && (one.url !== undefined || actionIdOf(one.action_id ?? '').startsWith('tool:'));
