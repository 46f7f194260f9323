import type { GroupSum } from '../../base/privacy/disclosure.ts';
import type { Day } from '../../base/time/calendar.ts';
import {
  admitEverybodysAmounts,
  admitForNaming,
  admitGroupAmounts,
  type Admission,
} from '../../figures/groups/admission.ts';
import { isPersonAddress } from '../../outbox/reader.ts';
import { findChooser, type Naming } from '../../slack/people/audience.ts';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import type { AlertDeps } from '../deps.ts';
import type { AssessedDay, WatchPlan } from './plan.ts';

export interface Planned {
  watch: ChannelSubscription;
  plan: WatchPlan;
  assessed: readonly AssessedDay[];
  /** The members of its group now. */
  emails: readonly string[] | undefined;
  /** Those whose sums were reported, by their ids. */
  membersById: ReadonlyMap<string, readonly string[]>;
}

/** What is reported of a watch, with what its readers may see of it. */
export interface Admitted extends Planned {
  naming: Naming | undefined;
  /** Of the new days; undefined if nothing is reported of them. */
  admission: Admission | undefined;
  /** Of the days that are corrected; the others stay as they were. */
  corrections: ReadonlyMap<Day, Admission>;
}

/** Leaves out what the readers of a watch may not see: of a group, the small-group check decides. */
export async function admitPlan(deps: AlertDeps, one: Planned): Promise<Admitted> {
  const { watch, plan } = one;
  const { channel, subject } = watch;
  const naming = isPersonAddress(channel) ? await findChooser(deps.people, channel) : undefined;
  if (subject !== '' && !naming) return admitGroupPlan(deps, one);
  const sum = groupSum(one);
  const admission = naming && sum ? admitForNaming(naming, [sum]) : admitEverybodysAmounts();
  const corrections = new Map(plan.corrections.map(({ day }) => [day, admission]));
  return { ...one, naming, admission: plan.message === 'none' ? undefined : admission, corrections };
}

async function admitGroupPlan(deps: AlertDeps, one: Planned): Promise<Admitted> {
  const { plan } = one;
  const base = { ...one, naming: undefined, corrections: await admitCorrections(deps, one) };
  const silent = { ...base, plan: { ...plan, message: 'none' as const }, admission: undefined };
  const sum = groupSum(one);
  if (plan.message === 'none' || !sum) return silent;
  const verdict = await admitGroupAmounts(deps, [[sum]]);
  if (verdict.kind !== 'admitted') return silent;
  // The usual range is made of the sums of earlier days, which were not admitted.
  const days = deps.config.minGroup <= 1 ? plan.days : plan.days.map((day) => ({ ...day, range: undefined }));
  return { ...base, admission: verdict.admission, plan: { ...plan, days } };
}

/** The sums of the new days of a group; undefined for the organization. */
function groupSum({ watch: { subject }, plan, emails }: Planned): GroupSum | undefined {
  const [first, last] = [plan.days[0], plan.days.at(-1)];
  if (subject === '' || !emails || !first || !last) return undefined;
  return { emails: [...new Set(emails)].toSorted(), period: { first: first.day, last: last.day }, isByDay: true };
}

/** Corrections about the people and the day of the message: that sum was admitted then, so it reveals nothing new. */
async function admitCorrections(deps: AlertDeps, one: Planned): Promise<ReadonlyMap<Day, Admission>> {
  const admitted = new Map<Day, Admission>();
  for (const { day } of one.plan.corrections) {
    const emails = reportedMembers(one, day);
    if (!emails) continue;
    const verdict = await admitGroupAmounts(deps, [[{ emails, period: { first: day, last: day }, isByDay: true }]]);
    if (verdict.kind === 'admitted') admitted.set(day, verdict.admission);
  }
  return admitted;
}

/** The members whose sum was reported for a day. */
function reportedMembers({ assessed, membersById }: Planned, day: Day): readonly string[] | undefined {
  const members = assessed.find((one) => one.day === day)?.members;
  return members === undefined ? undefined : membersById.get(members);
}
