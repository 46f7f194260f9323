import type { AnalyticsDays } from '../../analytics/days.ts';
import type { DaysOptions } from '../../analytics/day-facts.ts';
import { createIdentities, createSelection, keysOf } from '../../analytics/person-credits.ts';
import type { Day, Period } from '../../base/time/calendar.ts';
import type { PlatformError } from '../../platform/errors.ts';

/** The main models of a person: the platform names one for each day of use. */
export interface PersonModels {
  /** In lower case; the latest first. Empty if the platform does not know any. */
  emails: readonly string[];
  /** The one of most days; among equals, the one of the last day. */
  main: string;
  last: { model: string; day: Day };
}

export type MainModels =
  | { kind: 'read'; people: readonly PersonModels[] }
  | { kind: 'unreadable'; fault: PlatformError };

/** Names of models are compared without regard to case. @example isSameModel('Atlas-Large', 'atlas-large') // true */
export const isSameModel = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

const keyOf = (model: string) => model.trim().toLowerCase();

interface PlaceModels {
  days: Map<string, number>;
  last: { model: string; day: Day };
}

export async function readMainModels(
  days: Pick<AnalyticsDays, 'users'>,
  period: Period,
  options?: DaysOptions,
): Promise<MainModels> {
  const identities = createIdentities();
  const selection = createSelection(identities);
  const byPlace = new Map<number, PlaceModels>();
  const part = await days.users(
    period,
    (row) => {
      selection.forget();
      const place = identities.learnRow(row, row.date);
      const { primary_model: model, date: day } = row;
      if (model === null || row.billable_tokens === 0) return;
      const known = byPlace.get(place) ?? { days: new Map<string, number>(), last: { model, day } };
      known.days.set(model, (known.days.get(model) ?? 0) + 1);
      if (day >= known.last.day) known.last = { model, day };
      byPlace.set(place, known);
    },
    options,
  );
  if (part.kind === 'unreadable') return part;
  const people = [...selection.people()].flatMap(({ identity, places }): PersonModels[] => {
    const parts = places.flatMap((place) => byPlace.get(place) ?? []);
    const [first, ...rest] = parts;
    if (!first) return [];
    const last = rest.reduce((latest, one) => (one.last.day > latest.day ? one.last : latest), first.last);
    const emails = identity.email === undefined ? [] : keysOf(identity);
    return [{ emails, main: mainOf(parts, last.model), last }];
  });
  return { kind: 'read', people };
}

function mainOf(parts: readonly PlaceModels[], lastModel: string): string {
  const sums = new Map<string, number>();
  for (const { days } of parts) for (const [model, count] of days) sums.set(model, (sums.get(model) ?? 0) + count);
  const most = Math.max(...sums.values());
  const among = [...sums].filter(([, count]) => count === most).map(([model]) => model);
  return among.includes(lastModel) ? lastModel : (among.toSorted()[0] ?? lastModel);
}
