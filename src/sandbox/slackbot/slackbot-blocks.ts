import { isJson, parseJson, textOf, type Json } from '../json.ts';
import type { ToolCall } from './slackbot-rules.ts';

/** Copied on 2026-11-23 from https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
const SHOWN: ReadonlySet<unknown> = new Set([
  'context',
  'divider',
  'header',
  'markdown',
  'rich_text',
  'section',
  'file',
  'image',
  'video',
  'actions',
  'carousel',
  'input',
  'data_table',
  'data_visualization',
  'table',
  'card',
  'container',
]);
const MAX_BLOCKS = 50;
const MAX_CHARTS = 2;
const MAX_VALUE_LENGTH = 2_000;

/** What breaks Slackbot’s rules. One fault loses all blocks of the answer. Pure. */
export function faultsOfBlocks(blocks: readonly Json[]): string[] {
  return [
    ...(blocks.length > MAX_BLOCKS ? ['too many blocks'] : []),
    ...blocks.flatMap(({ type }) => (SHOWN.has(type) ? [] : [`a block of ${String(type)}`])),
    ...(blocks.filter(({ type }) => type === 'data_visualization').length > MAX_CHARTS ? ['too many charts'] : []),
    ...blocks.flatMap((block) => faultsOfElements(elementsIn(block))),
  ];
}

function faultsOfElements(elements: readonly Json[]): string[] {
  const ids = elements.map((one) => one['action_id']);
  return [
    ...(new Set(ids).size < ids.length ? ['one action_id twice in a block'] : []),
    ...elements.flatMap(({ value }) =>
      typeof value === 'string' && value.length > MAX_VALUE_LENGTH ? ['too long a value'] : [],
    ),
  ];
}

/**
 * The call of a tool for a click. Slackbot makes all other buttons inert, also those without arguments. Pure.
 *
 * @example callForClick({ action_id: 'tool:limits', value: '{"subject":"me"}' }) // { tool: 'limits', words: { subject: 'me' } }
 */
export function callForClick({ action_id: id, value }: Json): ToolCall | undefined {
  if (!textOf(id).startsWith('tool:') || typeof value !== 'string') return undefined;
  const words = parseJson(value);
  const typed = isJson(words) ? Object.entries(words).map(([name, word]) => [name, textOf(word)]) : [];
  return { tool: textOf(id).slice('tool:'.length), words: Object.fromEntries(typed) };
}

/** All interactive elements, at any depth. */
export function elementsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap((one) => elementsIn(one));
  if (!isJson(value)) return [];
  return [...('action_id' in value ? [value] : []), ...Object.values(value).flatMap((one) => elementsIn(one))];
}
