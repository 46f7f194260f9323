import type { Day } from '../base/time/calendar.ts';
import type { DisclosureKind } from '../base/privacy/disclosure.ts';
import type { SeenLook } from './disclosure-log.ts';

export interface Onlooker {
  kind: 'one';
  looker: string;
  last: Day;
  /** The number of days in addition to the last. */
  otherDays: number;
  /** Newest first. */
  whats: DisclosureKind[];
}

/** All who saw lists of everyone, which may include the person. */
export interface Listings {
  kind: 'lists';
  /** Newest first. */
  lookers: string[];
  last: Day;
}

export type LookLine = Onlooker | Listings;

/**
 * Lists the readers of a person's figures, each once, newest first; readers of lists of everyone are combined. Pure.
 *
 * @param self the Slack id of the person themselves
 */
export function summarizeLooks(looks: readonly SeenLook[], self: string): LookLine[] {
  const others = looks.filter(({ looker }) => looker !== self).toSorted((a, b) => byDay(b.day, a.day));
  const own = others.filter(({ isOfEverybody }) => !isOfEverybody);
  const lines = [...Map.groupBy(own, ({ looker }) => looker)].map(([looker, theirs]): Onlooker => {
    const days = [...new Set(theirs.map(({ day }) => day))];
    return {
      kind: 'one',
      looker,
      last: days[0] ?? '',
      otherDays: days.length - 1,
      whats: [...new Set(theirs.map(({ what }) => what))],
    };
  });
  const lists = others.filter(({ isOfEverybody }) => isOfEverybody);
  const [newest] = lists;
  const listings: Listings[] = newest
    ? [{ kind: 'lists', lookers: [...new Set(lists.map(({ looker }) => looker))], last: newest.day }]
    : [];
  // On the same day, readers of this one person come first.
  return [...lines, ...listings].toSorted((a, b) => byDay(b.last, a.last));
}

const byDay = (one: Day, other: Day) => (one === other ? 0 : one < other ? -1 : 1);
