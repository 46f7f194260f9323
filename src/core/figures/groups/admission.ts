import { z } from 'zod';
import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { isDay } from '../../base/time/calendar.ts';
import type { NamingPermission } from '../../slack/people/audience.ts';
import { allowAndRecordSums, type GateDeps, type GateOptions, type GateRefusal, type GateVerdict } from './gate.ts';

/** An amount in a stored message: it was admitted when the message was written. */
export const admittedAmount = z.number().brand<'AdmittedAmount'>();
/** An amount that the readers of a message may see. Only an `Admission` makes one. */
export type AdmittedAmount = z.infer<typeof admittedAmount>;

const day = z.string().refine(isDay);

export const groupSums = z
  .array(
    z.object({
      emails: z.array(z.string()).readonly(),
      period: z.object({ first: day, last: day }),
      isByDay: z.boolean(),
    }),
  )
  .readonly();

export interface Admission {
  sums: readonly GroupSum[];
  /** Whether the first alternative was admitted, which shows most. */
  isBestAlternative: boolean;
  readonly amount: (value: number) => AdmittedAmount;
}

const allow = (sums: readonly GroupSum[], isBestAlternative: boolean): Admission => ({
  sums,
  isBestAlternative,
  amount: (value) => admittedAmount.parse(value),
});

/** Allows amounts of the whole organization or of a model, which all users may see. */
export const allowEverybodysAmounts = (): Admission => allow([], true);

export const allowOwnAmounts = (): Admission => allow([], true);

/** Allows amounts for readers who may see people. @param sums of groups, withheld from readers who lose that right */
export const allowForNaming = (_naming: NamingPermission, sums: readonly GroupSum[]): Admission => allow(sums, true);

/** Allows what either allows. A message records the sums of both. */
export const joinAdmissions = (one: Admission, other: Admission | undefined): Admission =>
  other ? { ...one, sums: [...one.sums, ...other.sums] } : one;

/** Like `GateVerdict`, with the permission to show the admitted alternative. */
export type AlternativeVerdict =
  | { kind: 'shown'; index: number; admission: Admission }
  | Exclude<GateVerdict, { kind: 'shown' }>;

/** Runs the small-group check: which alternative may readers without the right to see single people get? */
export async function allowAlternatives(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  options: GateOptions,
): Promise<AlternativeVerdict> {
  const verdict = await allowAndRecordSums(deps, alternatives, options);
  if (verdict.kind !== 'shown') return verdict;
  return { kind: 'shown', index: verdict.index, admission: allow(verdict.sums, verdict.index === 0) };
}

export type AdmissionVerdict =
  | { kind: 'admitted'; admission: Admission }
  | { kind: 'withheld'; reason: GateRefusal | 'unpublished' };

/** Tries the best alternative first; the sums of each are shown together or not at all. Throws `PlatformError`. */
export async function allowGroupAmounts(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  options: GateOptions,
): Promise<AdmissionVerdict> {
  const verdict = await allowAlternatives(deps, alternatives, options);
  switch (verdict.kind) {
    case 'shown':
      return { kind: 'admitted', admission: verdict.admission };
    case 'refused':
      return { kind: 'withheld', reason: verdict.reason };
    case 'unpublished':
      return { kind: 'withheld', reason: 'unpublished' };
    case 'unreadable':
      throw verdict.fault;
    default:
      return verdict satisfies never;
  }
}
