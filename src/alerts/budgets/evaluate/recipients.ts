import { plusDays, type Day, type Period } from '../../../base/time/calendar.ts';
import { notBeforeFirstDay } from '../../../analytics/existing-period.ts';
import type { Counted } from '../../../figures/counted.ts';
import {
  admitEverybodysAmounts,
  admitForNaming,
  admitGroupAmounts,
  admitOwnAmounts,
  type Admission,
} from '../../../figures/groups/admission.ts';
import { FORECAST_DAYS } from '../../../figures/insight/forecast.ts';
import { isPersonAddress } from '../../../outbox/reader.ts';
import { findChooser, type Naming } from '../../../slack/people/audience.ts';
import type { Figures } from '../core/decide.ts';
import type { LookDeps } from '../core/deps.ts';
import type { StoredBudget } from '../core/store.ts';

/** Who gets a message of a budget, with what they may see in it. */
export type Recipient =
  | { kind: 'destination'; admission: Admission }
  /** The channel may not see it, and the owner may. */
  | { kind: 'owner'; owner: string; admission: Admission }
  /** Neither the readers of the budget nor its owner may see it. */
  | { kind: 'withheld' };

export interface Recipients {
  /** Of a message about what was used. */
  used: Recipient;
  /** Of a message about a forecast, which each day of a group goes into. */
  forecast: Recipient;
}

/**
 * Finds who may read figures of a budget: its destination if it may see them, else its owner.
 *
 * @param naming the right of the readers at its destination to see single people
 * @throws PlatformError while the platform cannot be read
 */
export async function findRecipients(
  deps: LookDeps,
  budget: StoredBudget,
  counted: Counted,
  figures: Pick<Figures, 'period' | 'through'>,
  naming: Naming | undefined,
): Promise<Recipients> {
  const admission = await admitForDestination(deps, budget, counted, figures, naming);
  if (admission?.isWhole) return { used: at(admission), forecast: at(admission) };
  const other = await ownerOf(deps, budget, counted, figures);
  return { used: admission ? at(admission) : other, forecast: other };
}

const at = (admission: Admission): Recipient => ({ kind: 'destination', admission });

/** What the readers at the destination of a budget may see of its figures; undefined: nothing. */
export async function admitForDestination(
  deps: LookDeps,
  { kind }: StoredBudget,
  counted: Counted,
  { period, through = period.first }: Pick<Figures, 'period' | 'through'>,
  naming: Naming | undefined,
): Promise<Admission | undefined> {
  if (kind === 'heads_up') return admitOwnAmounts();
  if (counted.kind !== 'people') return admitEverybodysAmounts();
  const { whole, total } = sumsOf(counted.emails, { period, through });
  if (naming) return admitForNaming(naming, [whole]);
  const verdict = await admitGroupAmounts(deps, [[whole], [total]]);
  return verdict.kind === 'admitted' ? verdict.admission : undefined;
}

/** The days that a forecast rests on, and the total of the period. */
function sumsOf(emails: readonly string[], { period: { first }, through }: { period: Period; through: Day }) {
  const sorted = [...new Set(emails)].toSorted();
  return {
    whole: { emails: sorted, period: { first: firstDayOfForecast(first, through), last: through }, isByDay: true },
    total: { emails: sorted, period: { first, last: through }, isByDay: false },
  };
}

/** The first day that a forecast rests on. */
function firstDayOfForecast(first: Day, through: Day): Day {
  const oldest = plusDays(through, 1 - FORECAST_DAYS);
  return notBeforeFirstDay(oldest < first ? oldest : first);
}

/** The owner, by direct message, if they may see single people and do not have the budget to themselves. */
async function ownerOf(
  deps: LookDeps,
  budget: StoredBudget,
  counted: Counted,
  figures: Pick<Figures, 'period' | 'through'>,
): Promise<Recipient> {
  const { owner, channel } = budget;
  if (owner === undefined || isPersonAddress(channel)) return { kind: 'withheld' };
  const naming = await findChooser(deps.people, owner);
  const admission = naming && (await admitForDestination(deps, budget, counted, figures, naming));
  return admission ? { kind: 'owner', owner, admission } : { kind: 'withheld' };
}
