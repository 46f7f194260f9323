import type { AnyBlock } from './blocks.ts';
import { violation, type Violation } from './violation.ts';

export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];
const messagesAndHome: readonly Surface[] = ['message', 'home'];
const messagesOnly: readonly Surface[] = ['message'];

/**
 * Where each block may stand. Slack's page allows `card` everywhere, but it was refused in modals and App Home in
 * practice, so the narrower rule holds here; `file` comes only in messages that were read.
 */
export const blockSurfaces: Record<AnyBlock['type'], readonly Surface[]> = {
  actions: everywhere,
  alert: ['modal'],
  card: messagesOnly,
  carousel: messagesAndHome,
  container: messagesAndHome,
  context: everywhere,
  context_actions: messagesOnly,
  data_table: messagesAndHome,
  data_visualization: messagesOnly,
  divider: everywhere,
  file: [],
  header: everywhere,
  image: everywhere,
  input: everywhere,
  markdown: messagesOnly,
  plan: messagesOnly,
  rich_text: everywhere,
  section: everywhere,
  table: messagesAndHome,
  task_card: messagesOnly,
  video: everywhere,
};

/** Elements that are not allowed everywhere. */
const elementSurfaces: Partial<Record<string, readonly Surface[]>> = {
  number_input: ['modal'],
  email_text_input: ['modal'],
  url_text_input: ['modal'],
  file_input: ['modal'],
  datetimepicker: ['message', 'modal'],
  rich_text_input: ['modal', 'home'],
};

/** Blocks and elements that are valid, but not on this surface. `blocks` are already valid one by one. */
export function checkSurface(blocks: readonly AnyBlock[], surface: Surface): Violation[] {
  return blocks.flatMap((block, index) => checkBlock(block, ['blocks', index], surface));
}

function checkBlock(block: AnyBlock, path: (string | number)[], surface: Surface): Violation[] {
  if (!blockSurfaces[block.type].includes(surface)) {
    return [
      violation([...path, 'type'], 'wrong_surface', `unsupported type: ${block.type} (not allowed in a ${surface})`),
    ];
  }
  if (block.type === 'task_card' && block.status === 'pending') {
    return [violation([...path, 'status'], 'wrong_value', 'pending is only allowed inside a plan')];
  }
  if (block.type === 'container') {
    return block.child_blocks.flatMap((child, index) => checkBlock(child, [...path, 'child_blocks', index], surface));
  }
  if (block.type === 'input') return checkElement(block.element.type, [...path, 'element'], surface);
  if (block.type === 'actions') {
    return block.elements.flatMap(({ type }, index) => checkElement(type, [...path, 'elements', index], surface));
  }
  return [];
}

function checkElement(type: string, path: (string | number)[], surface: Surface): Violation[] {
  const allowed = elementSurfaces[type];
  if (!allowed || allowed.includes(surface)) return [];
  return [violation([...path, 'type'], 'wrong_surface', `unsupported type: ${type} (not allowed in a ${surface})`)];
}
