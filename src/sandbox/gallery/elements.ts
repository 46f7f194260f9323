import type { FormValues } from '../slack/people/control-types.ts';
import type { BlockJson } from '../page/shot.ts';

const isRecord = (value: unknown): value is BlockJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordsOf = (value: unknown): BlockJson[] => (Array.isArray(value) ? value.filter((one) => isRecord(one)) : []);
const wordsOf = (value: unknown): string => (isRecord(value) && typeof value['text'] === 'string' ? value['text'] : '');

function elementsOf(block: BlockJson): BlockJson[] {
  const accessory = block['accessory'];
  const single = isRecord(accessory) ? [accessory] : [];
  return [...recordsOf(block['elements']), ...single].filter((element) => typeof element['action_id'] === 'string');
}

const labelOf = (element: BlockJson) => wordsOf(element['text']) || wordsOf(element['placeholder']);

/**
 * Finds a button or menu by its label.
 *
 * @throws an error with the existing labels
 */
export function actionOf(blocks: readonly BlockJson[], label: string): { actionId: string; blockId: string } {
  const all = blocks.flatMap((block) => elementsOf(block).map((element) => ({ block, element })));
  const match = all.find(({ element }) => labelOf(element) === label);
  if (!match) throw new Error(`No “${label}” among ${all.map(({ element }) => labelOf(element)).join(', ')}`);
  return { actionId: String(match.element['action_id']), blockId: String(match.block['block_id']) };
}

export const hasField = (blocks: readonly BlockJson[], label: string): boolean =>
  blocks.some((block) => block['type'] === 'input' && wordsOf(block['label']) === label);

/**
 * Finds a field of a form by its label. `isSent`: Slack delivers a choice in it at once. `valueOf` finds an option by the beginning of its text.
 *
 * @throws an error with the existing labels
 */
export function fieldOf(
  blocks: readonly BlockJson[],
  label: string,
): { actionId: string; blockId: string; isSent: boolean; valueOf: (choice: string) => string } {
  const fields = blocks.filter(({ type }) => type === 'input');
  const field = fields.find((block) => wordsOf(block['label']) === label);
  const element = field?.['element'];
  if (!field || !isRecord(element)) {
    throw new Error(`No field “${label}” among ${fields.map((block) => wordsOf(block['label'])).join(', ')}`);
  }
  const valueOf = (choice: string) => {
    const value = recordsOf(element['options']).find((option) => wordsOf(option['text']).startsWith(choice))?.['value'];
    return typeof value === 'string' ? value : choice;
  };
  const isSent = field['dispatch_action'] === true;
  return { actionId: String(element['action_id']), blockId: String(field['block_id']), isSent, valueOf };
}

export const blocksOf = (view: BlockJson): BlockJson[] => (Array.isArray(view['blocks']) ? view['blocks'] : []);

/** A person's entries in a form by the label of the field: text, or the text of an option. */
export type Answers = Readonly<Record<string, string | string[] | null>>;

export function valuesIn(view: BlockJson, answers: Answers): FormValues {
  const values: FormValues = {};
  for (const [label, value] of Object.entries(answers)) {
    const { blockId, actionId, valueOf } = fieldOf(blocksOf(view), label);
    const inputValue = typeof value === 'string' ? valueOf(value) : value;
    values[blockId] = { [actionId]: Array.isArray(inputValue) ? inputValue.map((one) => valueOf(one)) : inputValue };
  }
  return values;
}
