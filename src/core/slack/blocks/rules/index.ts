import { type AnyBlock, anyBlock } from './blocks.ts';
import {
  MESSAGE_CHARACTERS_REFUSED_ABOVE,
  type Path,
  type Violation,
  countMessageCharacters,
  isObject,
  toViolations,
  violation,
  walkObjects,
} from './violation.ts';
import { z } from 'zod';
import { plainText } from './elements.ts';

export { countMessageCharacters, MESSAGE_CHARACTERS_BUDGET, type Violation } from './violation.ts';

export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

export const blockSurfaces: Record<AnyBlock['type'], readonly Surface[]> = {
  actions: everywhere,
  context: everywhere,
  data_table: ['message', 'home'],
  data_visualization: ['message'],
  divider: everywhere,
  header: everywhere,
  input: everywhere,
  rich_text: everywhere,
  section: everywhere,
};

const elementSurfaces: Partial<Record<string, readonly Surface[]>> = {
  file_input: ['modal'],
  datetimepicker: ['message', 'modal'],
};

/** Each block must already be valid by itself. */
function checkSurface(blocks: readonly AnyBlock[], surface: Surface): Violation[] {
  return blocks.flatMap((block, index) => {
    const path = ['blocks', index];
    if (!blockSurfaces[block.type].includes(surface)) return [wrongSurface(block.type, path, surface)];
    if (block.type !== 'input') return [];
    const { type } = block.element;
    const allowed = elementSurfaces[type] ?? everywhere;
    return allowed.includes(surface) ? [] : [wrongSurface(type, [...path, 'element'], surface)];
  });
}

const wrongSurface = (type: string, path: (string | number)[], surface: Surface) =>
  violation([...path, 'type'], 'wrong_surface', `unsupported type: ${type} (not allowed in a ${surface})`);

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
const MAX_CHARTS = 2;
/** For all tables together. */
const MAX_TABLE_CHARACTERS = 20_000;

function checkWhole(blocks: readonly unknown[], surface: Surface): Violation[] {
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

const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
};

/** Blocks are checked separately. Views: https://docs.slack.dev/reference/views */
const viewFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

/** Slack refuses a larger view with `view_too_large`. */
const MAX_VIEW_BYTES = 250 * 1024;

/**
 * Runs before blocks are sent, because one broken rule loses the whole message. Some blocks are allowed in messages
 * only.
 *
 * @returns every broken rule, first to last; empty if Slack would accept it
 * @example
 * checkBlocks([{ type: 'divider', colour: 'red' }], 'message');
 * // [{ pointer: '/blocks/0', message: 'invalid additional property: colour', code: 'unknown_key' }]
 */
export function checkBlocks(blocks: unknown, surface: Surface): Violation[] {
  if (!Array.isArray(blocks)) return [violation(['blocks'], 'wrong_type', 'must provide an array')];
  const list: unknown[] = blocks;
  const violations: Violation[] = [];
  const valid: AnyBlock[] = [];
  for (const [index, block] of list.entries()) {
    const parsed = anyBlock.safeParse(block, { reportInput: true });
    if (parsed.success) valid[index] = parsed.data;
    else violations.push(...parsed.error.issues.flatMap((issue) => toViolations(issue, ['blocks', index])));
  }
  return [...violations, ...checkSurface(valid, surface), ...checkWhole(list, surface)];
}

/**
 * Checks a modal or an App Home view. Pointers are relative to the view (`/title/text`, `/blocks/0/label`).
 *
 * @example checkView({ type: 'modal', title: { type: 'plain_text', text: 'Limits' }, blocks: [] }); // []
 */
export function checkView(view: unknown): Violation[] {
  if (!isObject(view)) return [violation([], 'wrong_type', 'must provide an object')];
  const frame = viewFrame.safeParse(view, { reportInput: true });
  const violations = frame.success ? [] : frame.error.issues.flatMap((issue) => toViolations(issue, []));
  const surface = view['type'] === 'home' ? 'home' : 'modal';
  const blocks = view['blocks'];
  if (Array.isArray(blocks)) violations.push(...checkBlocks(blocks, surface), ...checkSubmit(view, blocks));
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) {
    violations.push(violation([], 'view_too_large', 'must be less than 250 KB'));
  }
  return violations;
}

function checkSubmit(view: Record<string, unknown>, blocks: readonly unknown[]): Violation[] {
  if (view['type'] !== 'modal' || view['submit'] !== undefined) return [];
  if (!blocks.some((block) => isObject(block) && block['type'] === 'input')) return [];
  return [violation([], 'missing', 'missing required field: submit')];
}
