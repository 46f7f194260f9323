import type { FormReading, RunsInModal } from './interactions.ts';

/** A rule of a form: whether it is broken, the input that shows the error, and the sentence. */
export type FormRule = readonly [isBroken: boolean, field: string, sentence: string];

export type FormErrors = Readonly<Record<string, string>>;

/** Returns one sentence per input: the first rule that it breaks is the one to fix first. Pure. */
export function errorsOf(rules: readonly FormRule[]): FormErrors {
  const broken = rules.filter(([isBroken]) => isBroken).toReversed();
  return Object.fromEntries(broken.map(([, field, sentence]) => [field, sentence]));
}

/** The result of reading a form: the errors at its inputs, or the work to do if there are none. */
export function formReading(errors: FormErrors, accepted: { working: string } & RunsInModal): FormReading {
  return Object.keys(errors).length > 0 ? { kind: 'errors', errors } : { kind: 'accepted', ...accepted };
}
