import { nextTurn } from '../base/time/turns.ts';
import { daysOf, type Day, type Period } from '../base/time/calendar.ts';
import type { AnalyticsDays, FoldedDays } from './days.ts';
import type { DaysOptions, Part } from './day-facts.ts';
import { createIdentities, keysOf } from './person-credits.ts';

export interface PeopleByDay {
  /** By the person’s key, a value for each day of the period; 0 if unknown. */
  credits: ReadonlyMap<string, Float64Array>;
  /** The key of each person’s credits, by each of their e-mails in lower case. */
  keyByEmail: ReadonlyMap<string, string>;
  /** The published days and their positions in the period, oldest first. */
  published: readonly { day: Day; place: number }[];
}

/** Reads everyone’s credits of a period in one pass: an array of days for each person. */
export async function readPeopleByDay(
  days: Pick<AnalyticsDays, 'peopleCredits'>,
  period: Period,
  options: DaysOptions,
): Promise<{ kind: 'read'; people: PeopleByDay; folded: FoldedDays } | Extract<Part<never>, { kind: 'unreadable' }>> {
  const all = daysOf(period);
  const places = new Map(all.map((day, place) => [day, place]));
  const identities = createIdentities();
  const byId = new Map<string, Float64Array>();
  const folded = await days.peopleCredits(
    period,
    (row) => {
      const place = places.get(row.date);
      if (place === undefined) return;
      for (const person of row.people) {
        identities.learn(person, row.date);
        const own = byId.get(person.user_id) ?? new Float64Array(all.length);
        own[place] = (own[place] ?? 0) + (person.billable_tokens ?? 0);
        byId.set(person.user_id, own);
      }
    },
    options,
  );
  if (folded.kind === 'unreadable') return folded;
  // With thousands of people the rest takes long: other work runs first.
  await nextTurn();
  const credits = new Map<string, Float64Array>();
  const keyByEmail = new Map<string, string>();
  for (const { identity, userIds } of identities.people()) {
    const own = userIds.flatMap((id) => byId.get(id) ?? []);
    credits.set(identity.key, own.length === 1 && own[0] ? own[0] : sumsByDay(own, all.length));
    for (const email of keysOf(identity)) keyByEmail.set(email, identity.key);
  }
  const published = folded.rows.flatMap((day) => {
    const place = places.get(day);
    return place === undefined ? [] : [{ day, place }];
  });
  published.sort((one, other) => one.place - other.place);
  return { kind: 'read', folded, people: { credits, keyByEmail, published } };
}

function sumsByDay(amounts: readonly Float64Array[], length: number): Float64Array {
  return Float64Array.from({ length }, (_, place) => amounts.reduce((sum, own) => sum + (own[place] ?? 0), 0));
}
