import { z } from 'zod';
import { actionIdOf } from '../../../core/slack/blocks/blocks.ts';
import type { CapturedMessage } from '../answers/captured-answer.ts';
import { wordsIn } from '../../../core/base/text/word-list.ts';

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
 * @see https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses
 */
export function blocksForSlackbot(messages: readonly CapturedMessage[]): object[] {
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
  return fitting.slice(0, MAX_BLOCKS);
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
