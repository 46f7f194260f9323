import type { DeclaredMessage } from '../../core/outbox/poster.ts';
import { actions, button } from '../../core/slack/blocks/blocks.ts';

export const STOP_ACTION = 'subscription_stop';

/** Slack's limits for the elements of a block and the blocks of a message. */
const MAX_ELEMENTS = 25;
const MAX_BLOCKS = 50;

/** Adds the button to the last row of buttons, or in its own row. @param key of the delivery whose message it is */
export function withStopButton(message: DeclaredMessage, key: string): DeclaredMessage {
  const { blocks } = message;
  if (!blocks) return message;
  const stop = button({ text: 'Turn off', actionId: STOP_ACTION, value: key });
  const last = blocks.at(-1);
  const elements = last && elementsOf(last);
  if (elements && elements.length < MAX_ELEMENTS)
    return { ...message, blocks: [...blocks.slice(0, -1), { ...last, elements: [...elements, stop] }] };
  return blocks.length < MAX_BLOCKS ? { ...message, blocks: [...blocks, actions(stop)] } : message;
}

function elementsOf(block: object): readonly unknown[] | undefined {
  const isRow = 'type' in block && block.type === 'actions' && 'elements' in block;
  return isRow && Array.isArray(block.elements) ? block.elements : undefined;
}
