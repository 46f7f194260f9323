import { isObject } from './walk.ts';

/** The undocumented text limit of a message: Slack refuses more counted characters with `msg_blocks_too_long`. */
export const MESSAGE_CHARACTERS_REFUSED_ABOVE = 13_200;
/** The limit for builders. The exact rule is not published, and messages of other apps failed from 11,300 on. */
export const MESSAGE_CHARACTERS_BUDGET = 10_000;

// Measured: each header costs about this much besides its text.
const HEADER_EXTRA = 100;
// Their own limits (20,000 characters for tables) could not be reached if their cells counted here.
const OWN_LIMITS: ReadonlySet<unknown> = new Set(['data_table', 'data_visualization']);
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['text', 'title', 'label', 'hint', 'description']);

/** Counts characters as Slack does: `&`, `<` and `>` as entities, once, whether they are already escaped or not. */
function countEscaped(text: string): number {
  let count = text.length;
  if (!/[&<>]/.test(text)) return count;
  for (const [mark] of text.matchAll(/&(?!(?:amp|lt|gt);)|[<>]/g)) count += mark === '&' ? 4 : 3;
  return count;
}

/**
 * Counts as Slack's hidden limit does (measured, not documented). Tables and charts have limits of their own.
 *
 * @example if (countMessageCharacters(blocks) > MESSAGE_CHARACTERS_BUDGET) splitIntoThread(blocks);
 */
export function countMessageCharacters(blocks: readonly unknown[]): number {
  return blocks.reduce<number>((sum, block) => sum + countIn(block), 0);
}

function countIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countIn(item), 0);
  if (!isObject(value) || OWN_LIMITS.has(value['type'])) return 0;
  let count = value['type'] === 'header' ? HEADER_EXTRA : 0;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') count += countIn(member);
    else if (typeof member === 'string' && TEXT_MEMBERS.has(key)) count += countEscaped(member);
  }
  return count;
}
