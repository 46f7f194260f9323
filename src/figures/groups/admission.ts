import { z } from 'zod';
import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { isDay } from '../../base/time/calendar.ts';
import type { Naming } from '../../slack/people/audience.ts';
import { admitSums, type GateDeps, type GateRefusal, type GateVerdict } from './gate.ts';

/** An amount as a stored message holds it: it was admitted when the message was put together. */
export const admittedAmount = z.number().brand<'AdmittedAmount'>();
/** An amount that the readers of a message may see. Only an `Admission` makes one. */
export type AdmittedAmount = z.infer<typeof admittedAmount>;

const day = z.string().refine(isDay);

/** The sums that a stored message shows. */
export const groupSums = z
  .array(
    z.object({
      emails: z.array(z.string()).readonly(),
      period: z.object({ first: day, last: day }),
      isByDay: z.boolean(),
    }),
  )
  .readonly();

/** The permission to show amounts to certain readers. */
export interface Admission {
  /** The sums of groups that the readers see with it. */
  sums: readonly GroupSum[];
  /** Whether the best alternative was admitted. */
  isWhole: boolean;
  readonly amount: (value: number) => AdmittedAmount;
}

const admit = (sums: readonly GroupSum[], isWhole: boolean): Admission => ({
  sums,
  isWhole,
  amount: (value) => admittedAmount.parse(value),
});

/** Amounts of the whole organization or of a model, which everybody may see. */
export const admitEverybodysAmounts = (): Admission => admit([], true);

/** Amounts of one person, for that person. */
export const admitOwnAmounts = (): Admission => admit([], true);

/**
 * Amounts for readers who may see single people by name.
 *
 * @param sums those of groups among them: they are refused to a reader who loses the right before the message is sent
 */
export const admitForNaming = (_naming: Naming, sums: readonly GroupSum[]): Admission => admit(sums, true);

/** As `GateVerdict`, with the permission to show the alternative that was admitted. */
export type AlternativeVerdict =
  | { kind: 'shown'; index: number; admission: Admission }
  | Exclude<GateVerdict, { kind: 'shown' }>;

/** Asks the small-group check which of some alternatives readers may see who may not see single people. */
export async function admitAlternatives(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  options: { isWhole?: boolean } = {},
): Promise<AlternativeVerdict> {
  const verdict = await admitSums(deps, alternatives, options);
  if (verdict.kind !== 'shown') return verdict;
  return { kind: 'shown', index: verdict.index, admission: admit(verdict.sums, verdict.index === 0) };
}

export type AdmissionVerdict =
  | { kind: 'admitted'; admission: Admission }
  | { kind: 'withheld'; reason: GateRefusal | 'unpublished' };

/**
 * Amounts of a group for readers who may not see single people: what the small-group check admits.
 *
 * @param alternatives the best first; the sums of each are shown together or not at all
 * @throws PlatformError while the platform cannot be read
 * @example const verdict = await admitGroupAmounts(deps, [[{ emails, period, isByDay: true }], [{ emails, period, isByDay: false }]])
 */
export async function admitGroupAmounts(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
): Promise<AdmissionVerdict> {
  const verdict = await admitAlternatives(deps, alternatives);
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
