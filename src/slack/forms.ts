import type { FormReading, RunsInModal } from './interactions.ts';

/** What may be wrong with a form: whether it is, at which input that is said, and in which sentence. */
export type FormRule = readonly [isBroken: boolean, field: string, sentence: string];

export type FormErrors = Readonly<Record<string, string>>;

/** One sentence for each input: the first rule that it breaks is the one to fix first. Pure. */
export function errorsOf(rules: readonly FormRule[]): FormErrors {
  const broken = rules.filter(([isBroken]) => isBroken).toReversed();
  return Object.fromEntries(broken.map(([, field, sentence]) => [field, sentence]));
}

/** What a form amounts to: the errors at its inputs if there are any, else what is done. */
export function formReading(errors: FormErrors, accepted: { working: string } & RunsInModal): FormReading {
  return Object.keys(errors).length > 0 ? { kind: 'errors', errors } : { kind: 'accepted', ...accepted };
}
