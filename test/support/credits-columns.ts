import {
  type PeopleColumns,
  createCreditsBuilder,
  creditsOf,
} from '../../src/core/analytics/columns/people-columns.ts';
import { createPeopleDictionary } from '../../src/core/analytics/columns/people-dictionary.ts';
import type { PersonDayCredits } from '../../src/core/platform/endpoints/analytics-rows.ts';

/** A day of people’s credits, with a dictionary of its own. */
export function creditsColumns(date: string, rows: Iterable<PersonDayCredits>): PeopleColumns {
  const builder = createCreditsBuilder(createPeopleDictionary());
  for (const { user_id: userId, user_email: email, billable_tokens: credits } of rows)
    builder.add([userId, email, credits]);
  return builder.finish(date);
}

export function rowsOfColumns(day: PeopleColumns): PersonDayCredits[] {
  const { people, places } = day;
  const credits = creditsOf(day);
  return [...places].map((place, row) => ({
    user_id: people.userIdAt(place),
    user_email: people.emailAt(place) ?? null,
    billable_tokens: Number.isNaN(credits[row]) ? null : (credits[row] ?? null),
  }));
}
