import { shownToAddress, type GateDeps, type ShownTo } from '../../../../core/figures/groups/gate.ts';
import { plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import { notBeforeFirstDay, FORECAST_DAYS } from '../../../../core/analytics/period.ts';
import type { CreditSubject } from '../../../../core/figures/credit-subjects.ts';
import {
  allowEverybodysAmounts,
  allowForNaming,
  allowGroupAmounts,
  allowOwnAmounts,
  type Admission,
} from '../../../../core/figures/groups/admission.ts';
import { isPersonAddress } from '../../../../core/outbox/reader.ts';
import { type NamingPermission, findNamingPermission } from '../../../../core/slack/people/audience.ts';
import type { Figures } from '../core/decide.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import type { StoredAlert } from '../core/budget-store.ts';

export type Recipient =
  | { kind: 'destination'; admission: Admission }
  /** The channel may not see it, but the owner may. */
  | { kind: 'owner'; owner: string; admission: Admission }
  /** Neither the readers of the budget nor its owner may see it. */
  | { kind: 'withheld' };

export interface Recipients {
  used: Recipient;
  /** For a message about a forecast, which is computed from the group’s figures of each day. */
  forecast: Recipient;
}

/** Chooses the owner if the readers at the destination may not see the figures. Throws `PlatformError`. */
export async function findRecipients(
  deps: EvaluationDeps,
  alert: StoredAlert,
  counted: CreditSubject,
  figures: Pick<Figures, 'period' | 'through'>,
  naming: NamingPermission | undefined,
): Promise<Recipients> {
  const admission = await allowForDestination(deps, alert, counted, figures, naming, shownToAddress(alert.channel));
  if (admission?.isBestAlternative) return { used: at(admission), forecast: at(admission) };
  const other = await findOwner(deps, alert, counted, figures);
  return { used: admission ? at(admission) : other, forecast: other };
}

const at = (admission: Admission): Recipient => ({ kind: 'destination', admission });

export async function allowForDestination(
  deps: GateDeps,
  { kind }: Pick<StoredAlert, 'kind'>,
  counted: CreditSubject,
  { period, through = period.first }: Pick<Figures, 'period' | 'through'>,
  naming: NamingPermission | undefined,
  shownTo: ShownTo,
): Promise<Admission | undefined> {
  if (kind === 'heads_up') return allowOwnAmounts();
  if (counted.kind !== 'people') return allowEverybodysAmounts();
  const { whole, total } = sumsOf(counted.emails, { period, through });
  if (naming) return allowForNaming(naming, [whole]);
  const verdict = await allowGroupAmounts(deps, [[whole], [total]], { shownTo });
  return verdict.kind === 'admitted' ? verdict.admission : undefined;
}

/** The sums that a message may reveal: the days behind a forecast, and the total of the period. */
function sumsOf(emails: readonly string[], { period: { first }, through }: { period: Period; through: Day }) {
  const sorted = [...new Set(emails)].toSorted();
  return {
    whole: { emails: sorted, period: { first: firstDayOfForecast(first, through), last: through }, isByDay: true },
    total: { emails: sorted, period: { first, last: through }, isByDay: false },
  };
}

function firstDayOfForecast(first: Day, through: Day): Day {
  const oldest = plusDays(through, 1 - FORECAST_DAYS);
  return notBeforeFirstDay(oldest < first ? oldest : first);
}

/** Returns the owner, by direct message, if they may see single people and are not the destination already. */
async function findOwner(
  deps: EvaluationDeps,
  alert: StoredAlert,
  counted: CreditSubject,
  figures: Pick<Figures, 'period' | 'through'>,
): Promise<Recipient> {
  if (alert.kind === 'heads_up' || alert.owner === undefined || isPersonAddress(alert.channel))
    return { kind: 'withheld' };
  const { owner } = alert;
  const naming = await findNamingPermission(deps.people, owner);
  const admission = naming && (await allowForDestination(deps, alert, counted, figures, naming, { kind: 'person' }));
  return admission ? { kind: 'owner', owner, admission } : { kind: 'withheld' };
}
