/** Rules about all blocks of a payload together. */
import { countMessageCharacters, MESSAGE_CHARACTERS_REFUSED_ABOVE } from './characters.ts';
import type { Surface } from './surfaces.ts';
import { violation, type Violation } from './violation.ts';
import { isObject, walkObjects, type Path } from './walk.ts';

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
const MAX_CHARTS = 2;
// Slack's page speaks of several tables, its older answer was `only_one_table_allowed`: one passes both.
const MAX_TABLES = 1;
const SUMS = [
  { type: 'markdown', maximum: 12_000 },
  { type: 'table', maximum: 10_000 },
  { type: 'data_table', maximum: 20_000 },
] as const;

/** Counts, sums and uniqueness over a whole message or view. */
export function checkWhole(blocks: readonly unknown[], surface: Surface): Violation[] {
  return [
    ...checkCounts(blocks, surface),
    ...checkSums(blocks),
    ...checkIds(blocks),
    ...checkFocus(blocks),
    ...(surface === 'message' ? checkBudget(blocks) : []),
  ];
}

function checkCounts(blocks: readonly unknown[], surface: Surface): Violation[] {
  const found: Violation[] = [];
  const maximum = MAX_BLOCKS[surface];
  if (blocks.length > maximum) found.push(violation(['blocks'], 'too_many', `no more than ${maximum} items allowed`));
  const counts = [
    ['data_visualization', MAX_CHARTS],
    ['table', MAX_TABLES],
  ] as const;
  for (const [type, allowed] of counts) {
    const tooMany = allOfType(blocks, type)[allowed];
    if (tooMany) found.push(violation(tooMany.path, 'too_many', `no more than ${allowed} ${type} blocks allowed`));
  }
  return found;
}

function checkSums(blocks: readonly unknown[]): Violation[] {
  const found: Violation[] = [];
  for (const { type, maximum } of SUMS) {
    let characters = 0;
    for (const { block, path } of allOfType(blocks, type)) {
      const before = characters;
      characters += type === 'markdown' ? lengthOf(block['text']) : cellCharacters(block['rows']);
      if (characters <= maximum || before > maximum) continue;
      const where = type === 'markdown' ? [...path, 'text'] : path;
      found.push(
        violation(where, 'too_long', `all ${type} blocks together must be less than ${maximum + 1} characters`),
      );
    }
  }
  return found;
}

function allOfType(blocks: readonly unknown[], type: string): { block: Record<string, unknown>; path: Path }[] {
  const found: { block: Record<string, unknown>; path: Path }[] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    if (block['type'] === type) found.push({ block, path: ['blocks', index] });
    const children = block['child_blocks'];
    if (!Array.isArray(children)) continue;
    for (const [childIndex, child] of children.entries()) {
      if (!isObject(child) || child['type'] !== type) continue;
      found.push({ block: child, path: ['blocks', index, 'child_blocks', childIndex] });
    }
  }
  return found;
}

const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0);

function cellCharacters(rows: unknown): number {
  let characters = 0;
  walkObjects(rows, [], (cell) => {
    if (typeof cell['text'] === 'string') characters += cell['text'].length;
  });
  return characters;
}

function checkIds(blocks: readonly unknown[]): Violation[] {
  const found: Violation[] = [];
  const blockIds = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const actionIds = new Set<string>();
    walkObjects(block, ['blocks', index], (value, path) => {
      for (const [member, seen] of [
        ['block_id', blockIds],
        ['action_id', actionIds],
      ] as const) {
        const id = value[member];
        if (typeof id !== 'string' || id === '') continue;
        if (seen.has(id)) found.push(violation([...path, member], 'duplicate', `${member} "${id}" already exists`));
        seen.add(id);
      }
    });
  }
  return found;
}

function checkFocus(blocks: readonly unknown[]): Violation[] {
  const focused: Path[] = [];
  walkObjects(blocks, ['blocks'], (value, path) => {
    if (value['focus_on_load'] === true) focused.push(path);
  });
  return focused
    .slice(1)
    .map((path) => violation([...path, 'focus_on_load'], 'duplicate', 'only one element may have focus_on_load'));
}

function checkBudget(blocks: readonly unknown[]): Violation[] {
  const characters = countMessageCharacters(blocks);
  if (characters <= MESSAGE_CHARACTERS_REFUSED_ABOVE) return [];
  const message = `about ${characters} characters, more than ${MESSAGE_CHARACTERS_REFUSED_ABOVE}`;
  return [violation(['blocks'], 'msg_blocks_too_long', message)];
}
