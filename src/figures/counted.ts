import { readPeopleByDay } from '../analytics/people-by-day.ts';
import type { DailyCreditsRow, DaysOptions, Part } from '../analytics/day-facts.ts';
import { lengthOf, type Period } from '../base/time/calendar.ts';
import type { AnalyticsDays } from '../analytics/days.ts';
import { nextTurn } from '../base/time/turns.ts';

export type Counted =
  | { kind: 'organization' }
  | { kind: 'model'; name: string }
  /** E-mails in lower case. */
  | { kind: 'people'; emails: readonly string[] };

type CountedDays = Pick<AnalyticsDays, 'dailyCredits' | 'credits' | 'peopleCredits'>;

/** Returns the credits of each published day for the organization, a model or a group of people. */
export type ReadCounted = (counted: Counted) => Part<DailyCreditsRow>;

const keyOf = (counted: Counted) =>
  counted.kind === 'people' ? `people:${counted.emails.toSorted().join(',')}` : JSON.stringify(counted);

/**
 * Reads the days of a period for many subjects at once: one read each for the organization, all models and all people.
 *
 * @param wanted the only subjects that the result can return; it throws for any other
 */
export async function readCounted(
  days: CountedDays,
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

function partOfModel(part: Awaited<ReturnType<CountedDays['credits']>>, name: string): Part<DailyCreditsRow> {
  if (part.kind === 'unreadable') return part;
  const creditsIn = (models: readonly { model_id: string; billable_tokens: number }[]) =>
    models.reduce((sum, model) => sum + (model.model_id === name ? model.billable_tokens : 0), 0);
  return { ...part, rows: part.rows.map(({ date, by_model }) => ({ date, billable_tokens: creditsIn(by_model) })) };
}

/** Sums all groups in one pass over everyone’s rows: an array of days for each person, then a sum for each group. */
async function readGroups(
  days: CountedDays,
  groups: ReadonlyMap<string, readonly string[]>,
  period: Period,
  options: DaysOptions,
): Promise<Map<string, Part<DailyCreditsRow>>> {
  const read = await readPeopleByDay(days, period, options);
  if (read.kind === 'unreadable') return new Map([...groups.keys()].map((key) => [key, read]));
  const { folded: part, people } = read;
  const sums = new Map<string, Float64Array>();
  for (const [key, emails] of groups) {
    await nextTurn();
    const sum = new Float64Array(lengthOf(period));
    const keys = new Set(emails.flatMap((email) => people.keyByEmail.get(email) ?? []));
    for (const one of keys)
      people.credits.get(one)?.forEach((amount, place) => (sum[place] = (sum[place] ?? 0) + amount));
    sums.set(key, sum);
  }
  return new Map(
    [...sums].map(([key, sum]) => [
      key,
      { ...part, rows: people.published.map(({ day, place }) => ({ date: day, billable_tokens: sum[place] ?? 0 })) },
    ]),
  );
}
