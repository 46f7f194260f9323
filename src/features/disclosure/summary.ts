import type { Day } from '../../core/base/time/calendar.ts';
import type { DisclosureKind } from '../../core/base/privacy/disclosure.ts';
import type { RecordedDisclosure } from './disclosure-log.ts';

export interface SingleReader {
  kind: 'one';
  reader: string;
  last: Day;
  otherDays: number;
  /** Newest first. */
  parts: DisclosureKind[];
}

/** All who saw lists of everyone, which may include the person. */
export interface ListReaders {
  kind: 'lists';
  /** Newest first. */
  readers: string[];
  last: Day;
}

export type ReaderLine = SingleReader | ListReaders;

/** Lists each reader once, newest first; readers of lists of everyone are combined. Pure. @param self a Slack id */
export function summarizeDisclosures(disclosures: readonly RecordedDisclosure[], self: string): ReaderLine[] {
  const others = disclosures.filter(({ reader }) => reader !== self).toSorted((a, b) => byDay(b.day, a.day));
  const own = others.filter(({ isOfEverybody }) => !isOfEverybody);
  const lines = [...Map.groupBy(own, ({ reader }) => reader)].map(([reader, theirs]): SingleReader => {
    const days = [...new Set(theirs.map(({ day }) => day))];
    return {
      kind: 'one',
      reader,
      last: days[0] ?? '',
      otherDays: days.length - 1,
      parts: [...new Set(theirs.map(({ what }) => what))],
    };
  });
  const lists = others.filter(({ isOfEverybody }) => isOfEverybody);
  const [newest] = lists;
  const listReaders: ListReaders[] = newest
    ? [{ kind: 'lists', readers: [...new Set(lists.map(({ reader }) => reader))], last: newest.day }]
    : [];
  // On the same day, readers of this one person come first.
  return [...lines, ...listReaders].toSorted((a, b) => byDay(b.last, a.last));
}

const byDay = (one: Day, other: Day) => (one === other ? 0 : one < other ? -1 : 1);
