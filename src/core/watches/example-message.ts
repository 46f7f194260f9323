import { joinMarkup, markup, type Markup } from '../base/text/markup.ts';
import { button, type Block, type BlockMessage, type Button } from '../slack/blocks/blocks.ts';
import { messageOf, smallPrint } from '../slack/blocks/paragraphs.ts';

export const testButton = (actionId: string, value?: string): Button =>
  button({ text: 'Send a test', actionId, value });

/** Marks an example of a message as a test. It has no buttons, because they would act on a message that does not exist. */
export function testMessage(example: BlockMessage, place: Markup, content = 'Its amounts are examples.'): BlockMessage {
  const note = messageOf(
    smallPrint(
      markup`🧪 *Test, only you see it.* A message to ${place} looks like this, with its buttons below. ${content} Nothing was changed.`,
    ),
  );
  const blocks: Block[] = [...note.blocks, ...example.blocks];
  return {
    ...example,
    text: joinMarkup([note.text, example.text], '\n'),
    blocks: blocks.filter(({ type }) => type !== 'actions'),
  };
}
