import type { Day } from '../base/time/calendar.ts';
import type { DisclosureKind } from '../base/privacy/disclosure.ts';
import type { SeenLook } from './figure-looks.ts';

export interface Onlooker {
  kind: 'one';
  looker: string;
  last: Day;
  /** How many days besides the last. */
  otherDays: number;
  /** The newest first. */
  whats: DisclosureKind[];
}

/** All who saw lists in which somebody may stand with everybody. */
export interface Listings {
  kind: 'lists';
  /** The newest first. */
  lookers: string[];
  last: Day;
}

export type LookLine = Onlooker | Listings;

/**
 * Who looked, each once, the newest first; those who saw lists of everybody together. Pure.
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
  // Of the same day, those who looked at this one person come first.
  return [...lines, ...listings].toSorted((a, b) => byDay(b.last, a.last));
}

const byDay = (one: Day, other: Day) => (one === other ? 0 : one < other ? -1 : 1);
