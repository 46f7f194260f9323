import { z } from 'zod';
import { section } from '../blocks/blocks.ts';
import { clipMarkup, type Markup } from '../../base/text/markup.ts';

/** A section's text holds 3,000 characters. */
const MAX_SECTION_LENGTH = 2_900;
/** Slack's limit for one block of actions; the message has only one. */
const MAX_ELEMENTS = 25;

const element = z.looseObject({ type: z.string(), action_id: z.string().optional() });
const holder = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  accessory: z.unknown().optional(),
});

/** Empty if there are no buttons. @example textAndButtons(markup`A request`, card.blocks) // a section, and a button */
export function textAndButtons(text: Markup, blocks: readonly object[]): object[] {
  const elements = blocks.flatMap((block) => elementsOf(block)).slice(0, MAX_ELEMENTS);
  if (elements.length === 0) return [];
  return [section(clipMarkup(text, MAX_SECTION_LENGTH)), { type: 'actions', elements }];
}

function elementsOf(block: object): object[] {
  const { data } = holder.safeParse(block);
  if (!data) return [];
  const held = data.type === 'actions' ? (data.elements ?? []) : data.type === 'section' ? [data.accessory] : [];
  return held.flatMap((one) => {
    const parsed = element.safeParse(one).data;
    return parsed?.action_id === undefined ? [] : [parsed];
  });
}
