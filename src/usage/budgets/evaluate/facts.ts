import { createIdentities, keysOf } from '../../../analytics/person-credits.ts';
import type { DailyCreditsRow, DaysOptions, Part } from '../../../analytics/facts.ts';
import { daysOf, type Period } from '../../../base/calendar.ts';
import type { LookDeps } from '../core/deps.ts';
import { nextTurn } from '../../../base/turns.ts';

/** Whose credits are added up. */
export type Counted =
  | { kind: 'organization' }
  | { kind: 'model'; name: string }
  /** E-mails in lower case. */
  | { kind: 'people'; emails: readonly string[] };

type BudgetDays = LookDeps['days'];

/** The credits of each published day, by whose they are. */
export type ReadCounted = (counted: Counted) => Part<DailyCreditsRow>;

const keyOf = (counted: Counted) =>
  counted.kind === 'people' ? `people:${counted.emails.toSorted().join(',')}` : JSON.stringify(counted);

/**
 * Reads the days of a period for many at once: the organization by its sums, all models together, and all people together.
 *
 * @param wanted what is asked of the result; it knows no others
 */
export async function readCounted(
  days: BudgetDays,
  wanted: readonly Counted[],
  period: Period,
  options: DaysOptions,
): Promise<ReadCounted> {
  const parts = new Map<string, Part<DailyCreditsRow>>();
  const models = wanted.flatMap((counted) => (counted.kind === 'model' ? [counted] : []));
  const groups = new Map(wanted.flatMap((one) => (one.kind === 'people' ? [[keyOf(one), one.emails] as const] : [])));
  const [organization, byModel, byGroup] = await Promise.all([
    wanted.some(({ kind }) => kind === 'organization') ? days.dailyCredits(period, options) : undefined,
    models.length > 0 ? days.credits(period, options) : undefined,
    groups.size > 0 ? readGroups(days, groups, period, options) : undefined,
  ]);
  if (organization) parts.set(keyOf({ kind: 'organization' }), organization);
  for (const model of byModel ? models : []) {
    if (byModel) parts.set(keyOf(model), partOfModel(byModel, model.name));
  }
  for (const [key, part] of byGroup ?? []) parts.set(key, part);
  return (counted) => {
    const part = parts.get(keyOf(counted));
    if (!part) throw new Error('Credits were asked for that were not read');
    return part;
  };
}

function partOfModel(part: Awaited<ReturnType<BudgetDays['credits']>>, name: string): Part<DailyCreditsRow> {
  if (part.kind === 'unreadable') return part;
  const creditsIn = (models: readonly { model_id: string; billable_tokens: number }[]) =>
    models.reduce((sum, model) => sum + (model.model_id === name ? model.billable_tokens : 0), 0);
  return { ...part, rows: part.rows.map(({ date, by_model }) => ({ date, billable_tokens: creditsIn(by_model) })) };
}

/** One pass over everybody's rows for all groups: an array of days for each person, then a sum for each group. */
async function readGroups(
  days: BudgetDays,
  groups: ReadonlyMap<string, readonly string[]>,
  period: Period,
  options: DaysOptions,
): Promise<Map<string, Part<DailyCreditsRow>>> {
  const all = daysOf(period);
  const places = new Map(all.map((day, place) => [day, place]));
  const identities = createIdentities();
  const byId = new Map<string, Float64Array>();
  const part = await days.peopleCredits(
    period,
    ({ date, people }) => {
      const place = places.get(date);
      if (place === undefined) return;
      for (const row of people) {
        identities.learn(row, date);
        const known = byId.get(row.user_id) ?? new Float64Array(all.length);
        known[place] = (known[place] ?? 0) + (row.billable_tokens ?? 0);
        byId.set(row.user_id, known);
      }
    },
    options,
  );
  if (part.kind === 'unreadable') return new Map([...groups.keys()].map((key) => [key, part]));
  await nextTurn();
  const groupsOf = new Map<string, string[]>();
  for (const [key, emails] of groups) {
    for (const email of emails) groupsOf.set(email, [...(groupsOf.get(email) ?? []), key]);
  }
  const sums = new Map([...groups.keys()].map((key) => [key, new Float64Array(all.length)]));
  for (const { identity, userIds } of identities.people()) {
    const theirs = new Set(keysOf(identity).flatMap((email) => groupsOf.get(email) ?? []));
    for (const key of theirs) {
      const sum = sums.get(key);
      for (const id of userIds)
        byId.get(id)?.forEach((amount, place) => sum && (sum[place] = (sum[place] ?? 0) + amount));
    }
  }
  const published = part.rows.map((date) => ({ date, place: places.get(date) ?? 0 }));
  return new Map(
    [...sums].map(([key, sum]) => [
      key,
      { ...part, rows: published.map(({ date, place }) => ({ date, billable_tokens: sum[place] ?? 0 })) },
    ]),
  );
}
