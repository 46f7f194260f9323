import { readPeopleByDay, type PeopleByDay } from '../analytics/amounts.ts';
import type { DailyCreditsRow, DaysOptions, Part } from '../analytics/day-facts.ts';
import { lengthOf, type Period } from '../base/time/calendar.ts';
import type { AnalyticsDays } from '../analytics/days.ts';
import { eachWhileFree } from '../base/time/turns.ts';

export type CreditSubject =
  | { kind: 'organization' }
  | { kind: 'model'; name: string }
  /** E-mails in lower case. */
  | { kind: 'people'; emails: readonly string[] };

type CreditDays = Pick<AnalyticsDays, 'dailyCredits' | 'credits' | 'peopleCredits'>;

export type CreditsReader = (subject: CreditSubject) => Part<DailyCreditsRow>;

const keyOf = (subject: CreditSubject) =>
  subject.kind === 'people' ? `people:${subject.emails.toSorted().join(',')}` : JSON.stringify(subject);

/** One read each covers the organization, all models and all people. The result throws for other subjects. */
export async function readCreditSubjects(
  days: CreditDays,
  subjects: readonly CreditSubject[],
  period: Period,
  options: DaysOptions,
): Promise<CreditsReader> {
  const parts = new Map<string, Part<DailyCreditsRow>>();
  const models = subjects.flatMap((subject) => (subject.kind === 'model' ? [subject] : []));
  const groups = new Map(subjects.flatMap((one) => (one.kind === 'people' ? [[keyOf(one), one.emails] as const] : [])));
  const [organization, byModel, byGroup] = await Promise.all([
    days.dailyCredits(period, options),
    models.length > 0 ? days.credits(period, options) : undefined,
    groups.size > 0 ? readGroups(days, groups, period, options) : undefined,
  ]);
  const withRises = risesOf(organization);
  parts.set(keyOf({ kind: 'organization' }), organization);
  for (const model of byModel ? models : []) {
    if (byModel) parts.set(keyOf(model), withRises(partOfModel(byModel, model.name)));
  }
  for (const [key, part] of byGroup ?? []) parts.set(key, withRises(part));
  return (subject) => {
    const part = parts.get(keyOf(subject));
    if (!part) throw new Error('Requested credits were not read');
    return part;
  };
}

/** Fresh days of a part of the organization rise as those of all of it likely do: by the same share of what is told of them. */
function risesOf(organization: Part<DailyCreditsRow>): (part: Part<DailyCreditsRow>) => Part<DailyCreditsRow> {
  if (organization.kind === 'unreadable') return (part) => part;
  const rising = new Map(organization.rows.map((row) => [row.date, row]));
  return (part) => {
    if (part.kind === 'unreadable') return part;
    const rows = part.rows.map((row) => {
      const { billable_tokens: told = 0, likely } = rising.get(row.date) ?? {};
      if (!likely || told === 0) return row;
      const share = row.billable_tokens / told;
      const ofPart = { expected: share * likely.expected, low: share * likely.low, high: share * likely.high };
      return { ...row, likely: ofPart };
    });
    return { ...part, rows };
  };
}

function partOfModel(part: Awaited<ReturnType<CreditDays['credits']>>, name: string): Part<DailyCreditsRow> {
  if (part.kind === 'unreadable') return part;
  const creditsIn = (models: readonly { model_id: string; billable_tokens: number }[]) =>
    models.reduce((sum, model) => sum + (model.model_id === name ? model.billable_tokens : 0), 0);
  return { ...part, rows: part.rows.map(({ date, by_model }) => ({ date, billable_tokens: creditsIn(by_model) })) };
}

/** Sums all groups in one pass over everyone’s rows: an array of days for each person, then a sum for each group. */
export async function readGroups(
  days: Pick<CreditDays, 'peopleCredits'>,
  groups: ReadonlyMap<string, readonly string[]>,
  period: Period,
  options: DaysOptions,
): Promise<Map<string, Part<DailyCreditsRow>>> {
  const read = await readPeopleByDay(days, period, options);
  if (read.kind === 'unreadable') return new Map([...groups.keys()].map((key) => [key, read]));
  const { folded, people } = read;
  const parts = new Map<string, Part<DailyCreditsRow>>();
  for await (const [key, emails] of eachWhileFree(groups))
    parts.set(key, { ...folded, rows: creditsOfGroup(people, emails, period) });
  return parts;
}

/** The credits of some people on each published day. Pure. @param period of which the people were read */
export function creditsOfGroup(people: PeopleByDay, emails: readonly string[], period: Period): DailyCreditsRow[] {
  const sum = new Float64Array(lengthOf(period));
  const keys = new Set(emails.flatMap((email) => people.keyByEmail.get(email) ?? []));
  for (const one of keys)
    people.credits.get(one)?.forEach((amount, place) => (sum[place] = (sum[place] ?? 0) + amount));
  return people.published.map(({ day, place }) => ({ date: day, billable_tokens: sum[place] ?? 0 }));
}
