import type { RequiredRole } from '../../base/roles.ts';
import type { Form, FormReading, RunInModal } from './interactions.ts';
import type { FreshPerson } from '../people/people.ts';

/** The field is the input that shows the sentence. A reading that failed has its own sentence. */
export type FormRule =
  | readonly [isBroken: boolean, field: string, sentence: string]
  | readonly [problem: string | undefined, field: string];

export type FormErrors = Readonly<Record<string, string>>;

/** Keeps the first rule that each input breaks. Pure. */
export function errorsOf(rules: readonly FormRule[]): FormErrors {
  const broken = rules.flatMap(([problem, field, sentence]) => {
    const shown = typeof problem === 'boolean' ? (problem ? sentence : undefined) : problem;
    return shown === undefined ? [] : [[field, shown] as const];
  });
  return Object.fromEntries(broken.toReversed());
}

/** If there are no errors, the modal shows `working` until `run` has shown its result there. */
export const formReading = (errors: FormErrors, working: string, run: RunInModal): FormReading =>
  Object.keys(errors).length > 0 ? { kind: 'errors', errors } : { kind: 'accepted', working, run };

/** The role of the person is read again from Slack. */
export const freshFormReading = (errors: FormErrors, working: string, run: RunInModal<FreshPerson>): FormReading =>
  Object.keys(errors).length > 0 ? { kind: 'errors', errors } : { kind: 'accepted', isRoleFresh: true, working, run };

/** @param read reads the values alone, before the acknowledgement: a client can send any */
export const formHandler = (callbackId: string, role: RequiredRole, read: Form['read']): Form => ({
  callbackId,
  role,
  read,
});
