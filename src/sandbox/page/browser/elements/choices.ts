import { recordsOf, stringOf, textOf, type Json } from '../core/json.ts';

/** One thing that can be chosen. */
export interface Choice {
  value: string;
  /** A text object, or plain text. */
  label: unknown;
  description: unknown;
  /** The heading that it stands under. */
  group: string | null;
}

export function choiceOf(option: Json, group: string | null = null): Choice {
  return { value: stringOf(option['value']), label: option['text'], description: option['description'], group };
}

/** The options of an element, those in groups included. */
export function choicesOf(element: Json): Choice[] {
  const groups = recordsOf(element['option_groups']).flatMap((group) =>
    recordsOf(group['options']).map((option) => choiceOf(option, textOf(group['label']))),
  );
  return [...recordsOf(element['options']).map((option) => choiceOf(option)), ...groups];
}

/** Those whose text holds all the words of a query, in their order. */
export function matchingChoices(choices: readonly Choice[], query: string): Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter((choice) => {
    const text = `${textOf(choice.label)} ${textOf(choice.description)} ${choice.group ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
