import type { FormReading, RunsInModal } from './interactions.ts';

/** The field is the input that shows the sentence. */
export type FormRule = readonly [isBroken: boolean, field: string, sentence: string];

export type FormErrors = Readonly<Record<string, string>>;

/** Keeps the first rule that each input breaks. Pure. */
export function errorsOf(rules: readonly FormRule[]): FormErrors {
  const broken = rules.filter(([isBroken]) => isBroken).toReversed();
  return Object.fromEntries(broken.map(([, field, sentence]) => [field, sentence]));
}

export function formReading(errors: FormErrors, accepted: { working: string } & RunsInModal): FormReading {
  return Object.keys(errors).length > 0 ? { kind: 'errors', errors } : { kind: 'accepted', ...accepted };
}
