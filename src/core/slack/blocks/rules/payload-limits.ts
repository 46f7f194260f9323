import { countMessageCharacters, MESSAGE_CHARACTERS_REFUSED_ABOVE } from './characters.ts';
import type { Surface } from './surfaces.ts';
import { violation, type Violation } from './violation.ts';
import { isObject, walkObjects, type Path } from './walk.ts';

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
const MAX_CHARTS = 2;
/** For all tables together. */
const MAX_TABLE_CHARACTERS = 20_000;

export function checkWhole(blocks: readonly unknown[], surface: Surface): Violation[] {
  return [
    ...checkCounts(blocks, surface),
    ...checkTableCharacters(blocks),
    ...checkIds(blocks),
    ...(surface === 'message' ? checkBudget(blocks) : []),
  ];
}

function checkCounts(blocks: readonly unknown[], surface: Surface): Violation[] {
  const violations: Violation[] = [];
  const maximum = MAX_BLOCKS[surface];
  if (blocks.length > maximum)
    violations.push(violation(['blocks'], 'too_many', `no more than ${maximum} items allowed`));
  const tooMany = allOfType(blocks, 'data_visualization')[MAX_CHARTS];
  if (tooMany) {
    const message = `no more than ${MAX_CHARTS} data_visualization blocks allowed`;
    violations.push(violation(tooMany.path, 'too_many', message));
  }
  return violations;
}

function checkTableCharacters(blocks: readonly unknown[]): Violation[] {
  let characters = 0;
  for (const { block, path } of allOfType(blocks, 'data_table')) {
    characters += cellCharacters(block['rows']);
    if (characters <= MAX_TABLE_CHARACTERS) continue;
    const message = `all data_table blocks together must be less than ${MAX_TABLE_CHARACTERS + 1} characters`;
    return [violation(path, 'too_long', message)];
  }
  return [];
}

function allOfType(blocks: readonly unknown[], type: string): { block: Record<string, unknown>; path: Path }[] {
  return blocks.flatMap((block, index) =>
    isObject(block) && block['type'] === type ? [{ block, path: ['blocks', index] }] : [],
  );
}

function cellCharacters(rows: unknown): number {
  let characters = 0;
  walkObjects(rows, [], (cell) => {
    if (typeof cell['text'] === 'string') characters += cell['text'].length;
  });
  return characters;
}

function checkIds(blocks: readonly unknown[]): Violation[] {
  const violations: Violation[] = [];
  const blockIds = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const actionIds = new Set<string>();
    walkObjects(block, ['blocks', index], (value, path) => {
      const note = (member: 'block_id' | 'action_id', seen: Set<string>) => {
        const id = value[member];
        if (typeof id !== 'string' || id === '') return;
        if (seen.has(id))
          violations.push(violation([...path, member], 'duplicate', `${member} "${id}" already exists`));
        seen.add(id);
      };
      note('block_id', blockIds);
      note('action_id', actionIds);
    });
  }
  return violations;
}

function checkBudget(blocks: readonly unknown[]): Violation[] {
  const characters = countMessageCharacters(blocks);
  if (characters <= MESSAGE_CHARACTERS_REFUSED_ABOVE) return [];
  const message = `about ${characters} characters, more than ${MESSAGE_CHARACTERS_REFUSED_ABOVE}`;
  return [violation(['blocks'], 'msg_blocks_too_long', message)];
}
