import { shownToAddress } from '../../../core/figures/groups/gate.ts';
import type { GroupSum } from '../../../core/base/privacy/disclosure.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import {
  allowEverybodysAmounts,
  allowForNaming,
  allowGroupAmounts,
  type Admission,
} from '../../../core/figures/groups/admission.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { type NamingPermission, findNamingPermission } from '../../../core/slack/people/audience.ts';
import type { ChannelSubscription } from '../../../core/watches/channel-subscription-table.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import type { AssessedDay, WatchPlan } from './plan.ts';

export interface PlannedWatch {
  watch: ChannelSubscription;
  plan: WatchPlan;
  assessed: readonly AssessedDay[];
  /** The current members of its group. */
  emails: readonly string[] | undefined;
  membersById: ReadonlyMap<string, readonly string[]>;
}

export interface AdmittedWatch extends PlannedWatch {
  naming: NamingPermission | undefined;
  /** For the new days; undefined if none of them is reported. */
  admission: Admission | undefined;
  /** For the days that are corrected; other days keep their earlier message. */
  corrections: ReadonlyMap<Day, Admission>;
}

/** Removes from a plan everything that its readers may not see: the small-group check decides about groups. */
export async function allowPlan(deps: AlertDeps, one: PlannedWatch): Promise<AdmittedWatch> {
  const { watch, plan } = one;
  const { channel, subject } = watch;
  const naming = isPersonAddress(channel) ? await findNamingPermission(deps.people, channel) : undefined;
  if (subject !== '' && !naming) return allowGroupPlan(deps, one);
  const sum = groupSum(one);
  const admission = naming && sum ? allowForNaming(naming, [sum]) : allowEverybodysAmounts();
  const corrections = new Map(plan.corrections.map(({ day }) => [day, admission]));
  return { ...one, naming, admission: plan.message === 'none' ? undefined : admission, corrections };
}

async function allowGroupPlan(deps: AlertDeps, one: PlannedWatch): Promise<AdmittedWatch> {
  const { plan } = one;
  const base = { ...one, naming: undefined, corrections: await allowCorrections(deps, one) };
  const silent = { ...base, plan: { ...plan, message: 'none' as const }, admission: undefined };
  const sum = groupSum(one);
  if (plan.message === 'none' || !sum) return silent;
  const verdict = await allowGroupAmounts(deps, [[sum]], { shownTo: shownToAddress(one.watch.channel) });
  if (verdict.kind !== 'admitted') return silent;
  // The usual range is computed from the sums of earlier days, which were not admitted.
  const days = deps.config.minGroup <= 1 ? plan.days : plan.days.map((day) => ({ ...day, range: undefined }));
  return { ...base, admission: verdict.admission, plan: { ...plan, days } };
}

function groupSum({ watch: { subject }, plan, emails }: PlannedWatch): GroupSum | undefined {
  const [first, last] = [plan.days[0], plan.days.at(-1)];
  if (subject === '' || !emails || !first || !last) return undefined;
  return { emails: [...new Set(emails)].toSorted(), period: { first: first.day, last: last.day }, isByDay: true };
}

/** Allows corrections about the day and members of the message: that sum was admitted, so it reveals nothing new. */
async function allowCorrections(deps: AlertDeps, one: PlannedWatch): Promise<ReadonlyMap<Day, Admission>> {
  const admissions = new Map<Day, Admission>();
  for (const { day } of one.plan.corrections) {
    const emails = reportedMembers(one, day);
    if (!emails) continue;
    const sum = { emails, period: { first: day, last: day }, isByDay: true };
    const verdict = await allowGroupAmounts(deps, [[sum]], { shownTo: shownToAddress(one.watch.channel) });
    if (verdict.kind === 'admitted') admissions.set(day, verdict.admission);
  }
  return admissions;
}

function reportedMembers({ assessed, membersById }: PlannedWatch, day: Day): readonly string[] | undefined {
  const members = assessed.find((one) => one.day === day)?.members;
  return membersById.get(members ?? '');
}
