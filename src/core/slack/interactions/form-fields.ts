import { z } from 'zod';
import { actions, button, type Block } from '../blocks/blocks.ts';
import {
  channelInput,
  checkboxesInput,
  dateTimeInput,
  MAX_TYPED_TEXT_LENGTH,
  multiSelectInput,
  radioInput,
  selectInput,
  textInput,
  timeInput,
  usersInput,
  type Option,
} from '../blocks/inputs.ts';
import type { FormState } from '../blocks/views.ts';
import type { Click } from './interactions.ts';

/** A field of a form. Its value can be shown, read from a submission, and stored in a draft. */
export interface FormField<Value, Facts> {
  /** The input, and blocks that explain it. */
  blocks(id: string, value: Value, facts: Facts): Block[];
  read(state: FormState, id: string): Value;
  draft: z.ZodType<Value>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the value is inferred for each field
type Fields<Facts> = Readonly<Record<string, FormField<any, Facts>>>;
type ValuesOf<F> = { [Id in keyof F]: F[Id] extends FormField<infer Value, never> ? Value : never };

function eachField<F extends Fields<never>>(fields: F, valueOf: (field: F[string], id: string) => unknown): ValuesOf<F>;
function eachField(
  fields: Fields<never>,
  valueOf: (field: Fields<never>[string], id: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([id, field]) => [id, valueOf(field, id)]));
}

/**
 * A form as data: each field is declared once, and gives its input, its value in a submission and its place in a draft.
 *
 * @param shownIf by field: whether it is shown, which may depend on other fields with an `actionId`
 * @example
 * const form = defineForm<{ models: string[] }>()({
 *   credits: textField(() => ({ label: 'How many credits?' })),
 *   model: selectField(({ models }) => ({ label: 'Model', options: models.map((value) => ({ value, text: value })) })),
 * });
 * form.blocks(facts, form.read(state)); // the inputs again, with what was typed
 */
export const defineForm =
  <Facts>() =>
  <F extends Fields<Facts>>(
    fields: F,
    shownIf: { readonly [Id in keyof F]?: (facts: Facts, values: ValuesOf<F>) => boolean } = {},
  ) => ({
    /** @param only the fields to show, in this order; without it, all of them */
    blocks(facts: Facts, values: ValuesOf<F>, only: readonly (keyof F & string)[] = Object.keys(fields)): Block[] {
      const ids = only.filter((id) => shownIf[id]?.(facts, values) ?? true);
      return ids.flatMap((id) => fields[id]?.blocks(id, values[id], facts) ?? []);
    },
    /** @param hidden the values of fields that the form did not show; without one, such a field is empty */
    read: (state: FormState, hidden: Partial<ValuesOf<F>> = {}): ValuesOf<F> =>
      eachField(fields, (field, id) => (id in hidden && !state.has(id) ? hidden[id] : field.read(state, id))),
    /** The values that a button carries as JSON. */
    readDraft: (json: string): ValuesOf<F> => {
      const stored = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
      return eachField(fields, ({ draft }, id) => draft.parse(stored[id]));
    },
  });

export type FormValues<Form extends { read(state: FormState): unknown }> = ReturnType<Form['read']>;

/** Shows the less common fields of a form. It has the action of the fields that others depend on. */
export const moreOptions = (actionId: string): Block =>
  actions(button({ text: 'More options', actionId, value: MORE }));
const MORE = 'more';

/** Whether a click asks for all fields, or the form showed them already. @param field one of the less common fields */
export const showsMore = ({ value, form: { state } }: Pick<Click, 'value' | 'form'>, field: string): boolean =>
  value === MORE || state.has(field);

interface FieldSpec {
  label: string;
  hint?: string | undefined;
  isOptional?: boolean;
  actionId?: string;
  below?: readonly Block[];
}
type TextSpec = FieldSpec & { placeholder?: string; longest?: number; isMultiline?: boolean };
type OptionsSpec = FieldSpec & { options: readonly Option[] };
type CheckSpec = FieldSpec & { option: Option };

/** A kind of field: its input with an initial value, and the way to read it. Its specification may depend on facts. */
const fieldKind =
  <Spec extends FieldSpec, Value>(
    input: (field: Spec & { id: string }, initial: Value) => Block,
    read: (state: FormState, id: string) => Value,
    draft: z.ZodType<Value>,
  ) =>
  <Facts = unknown>(specOf: (facts: Facts) => Spec): FormField<Value, Facts> => ({
    blocks: (id, value, facts) => {
      const spec = specOf(facts);
      return [input({ ...spec, id }, value), ...(spec.below ?? [])];
    },
    read,
    draft,
  });

const MAX_ID_LENGTH = 80;
const typed = z.string().max(MAX_TYPED_TEXT_LENGTH);
const chosen = z.string().max(MAX_ID_LENGTH);
const chosenIds = z.array(chosen).max(100);
const readOption = (state: FormState, id: string) => state.option(id) ?? '';

export const textField = fieldKind<TextSpec, string>(
  (field, initial) => textInput({ ...field, initial }),
  (state, id) => state.text(id),
  typed,
);
export const selectField = fieldKind<OptionsSpec, string>(
  (field, initial) => selectInput({ ...field, initial }),
  readOption,
  // A draft that an earlier version stored lacks later fields.
  chosen.default(''),
);
export const radioField = fieldKind<OptionsSpec, string>(
  (field, initial) => radioInput({ ...field, initial }),
  readOption,
  chosen,
);
export const multiSelectField = fieldKind<OptionsSpec, readonly string[]>(
  (field, initial) => multiSelectInput({ ...field, initial }),
  (state, id) => state.options(id),
  chosenIds,
);
export const checkField = fieldKind<CheckSpec, boolean>(
  ({ option, ...field }, isChecked) =>
    checkboxesInput({ ...field, isOptional: true, options: [option], initial: isChecked ? [option.value] : [] }),
  (state, id) => state.options(id).length > 0,
  z.boolean().default(false),
);
export const usersField = fieldKind<FieldSpec, readonly string[]>(
  (field, initial) => usersInput({ ...field, initial }),
  (state, id) => state.users(id),
  chosenIds,
);
export const channelField = fieldKind<FieldSpec, string | undefined>(
  (field, initial) => channelInput({ ...field, initial }),
  (state, id) => state.conversation(id),
  chosen.optional(),
);
/** `HH:MM`, or empty. */
export const timeField = fieldKind<FieldSpec, string>(
  (field, initial) => timeInput({ ...field, initial }),
  (state, id) => state.time(id) ?? '',
  z.iso.time({ precision: -1 }),
);
export const dateTimeField = fieldKind<FieldSpec, Date | undefined>(
  (field, initial) => dateTimeInput({ ...field, initial }),
  (state, id) => state.dateTime(id),
  z.coerce.date().optional(),
);
