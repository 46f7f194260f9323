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

/** The people whose days are allocated together: an array for each takes twice the memory. */
const PEOPLE_A_CHUNK = 256;

/** Reads everyone’s credits of a period in one pass: an array of days for each person. */
export async function readPeopleByDay(
  days: Pick<AnalyticsDays, 'peopleCredits'>,
  period: Period,
  options: DaysOptions,
): Promise<{ kind: 'read'; people: PeopleByDay; folded: FoldedDays } | Extract<Part<never>, { kind: 'unreadable' }>> {
  const all = daysOf(period);
  const positions = new Map(all.map((day, position) => [day, position]));
  const identities = createIdentities();
  const chunks: Float64Array[] = [];
  const daysAt = (place: number) => {
    const chunk = (chunks[Math.floor(place / PEOPLE_A_CHUNK)] ??= new Float64Array(PEOPLE_A_CHUNK * all.length));
    const begin = (place % PEOPLE_A_CHUNK) * all.length;
    return chunk.subarray(begin, begin + all.length);
  };
  const folded = await days.peopleCredits(
    period,
    (row) => {
      const position = positions.get(row.date);
      if (position === undefined) return;
      for (const person of row.people) {
        const own = daysAt(identities.learn(person, row.date));
        own[position] = (own[position] ?? 0) + (person.billable_tokens ?? 0);
      }
    },
    options,
  );
  if (folded.kind === 'unreadable') return folded;
  // With thousands of people the rest takes long: other work runs first.
  await nextTurn();
  const credits = new Map<string, Float64Array>();
  const keyByEmail = new Map<string, string>();
  for (const { identity, places } of identities.people()) {
    const [first = 0, ...others] = places;
    credits.set(identity.key, others.length === 0 ? daysAt(first) : sumsByDay(places.map(daysAt), all.length));
    for (const email of keysOf(identity)) keyByEmail.set(email, identity.key);
  }
  const published = folded.rows.flatMap((day) => {
    const place = positions.get(day);
    return place === undefined ? [] : [{ day, place }];
  });
  published.sort((one, other) => one.place - other.place);
  return { kind: 'read', folded, people: { credits, keyByEmail, published } };
}

function sumsByDay(amounts: readonly Float64Array[], length: number): Float64Array {
  return Float64Array.from({ length }, (_, place) => amounts.reduce((sum, own) => sum + (own[place] ?? 0), 0));
}
