import type { AnyBlock } from './blocks.ts';
import { violation, type Violation } from './violation.ts';

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
export function checkSurface(blocks: readonly AnyBlock[], surface: Surface): Violation[] {
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
