import type { DigestSection, DigestQuery, SectionReading } from '../../../core/feature.ts';
import { CHANNEL, channelWithNames } from '../../../core/slack/people/audience.ts';
import { reportError } from '../../../core/slack/blocks/faults.ts';
import { note, contentsOf } from '../../../core/slack/blocks/paragraphs.ts';
import { isStoreFault } from '../../../core/store/engines/store-fault.ts';
import { LEFT_OUT } from './names.ts';

export interface SectionRead {
  id: string;
  title: string;
  reading: SectionReading;
  /** Its figures are no older than this. */
  readAt: Date;
}

/** A section may share one reading among the digests of a minute, so its figures may be older than the request. */
const OLDEST_READING_MS = 90_000;

async function readFor(section: DigestSection, query: DigestQuery): Promise<SectionReading> {
  if (!section.namesPeople) return section.read(query, CHANNEL);
  return query.rightToName ? section.read(query, channelWithNames(query.rightToName)) : withheldReading(LEFT_OUT);
}

function withheldReading(sentence: string): SectionReading {
  // Whether the figures are usual is unknown, so the digest is not reduced to one line.
  return { kind: 'ready', ...contentsOf([note(sentence)]), figures: {}, isQuiet: false, withheld: sentence };
}

export const withheldSections = (sections: readonly SectionRead[]): { title: string; reason: string }[] =>
  sections.flatMap(({ title, reading }) =>
    reading.kind === 'unreadable' || reading.withheld === undefined ? [] : [{ title, reason: reading.withheld }],
  );

export const isAllWithheld = (sections: readonly SectionRead[]): boolean =>
  sections.length > 0 && withheldSections(sections).length === sections.length;

/** Why all of a digest is withheld: a reason of all sections is said once, without their titles. */
export function reasonOfAll(sections: readonly SectionRead[]): string {
  const withheld = withheldSections(sections);
  const [first] = withheld;
  const isOne = first !== undefined && withheld.every(({ reason }) => reason === first.reason);
  return isOne ? first.reason : withheldWords(withheld);
}

/** @example withheldWords([{ title: 'Usage', reason: 'Figures of @squad aren’t shown.' }]) // 'Usage: Figures of @squad aren’t shown.' */
export function withheldWords(withheld: readonly { title: string; reason: string }[]): string {
  const byReason = Map.groupBy(withheld, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => `${all.map(({ title }) => title).join(', ')}: ${reason}`).join(' ');
}

export async function readSection(section: DigestSection, query: DigestQuery, now: Date): Promise<SectionRead> {
  const one = { id: section.id, title: section.title, readAt: new Date(now.getTime() - OLDEST_READING_MS) };
  try {
    return { ...one, reading: await readFor(section, query) };
  } catch (error) {
    // A store fault is not about the section: the attempt fails, and the next one follows within seconds.
    if (isStoreFault(error)) throw error;
    const reported = reportError(error, query.log, { section: section.id, period: query.period });
    return { ...one, reading: { kind: 'unreadable', ...reported } };
  }
}

/** Figures that changed since then are not in the digest. */
export function oldestReading({ sections }: { sections: readonly Pick<SectionRead, 'readAt'>[] }, now: Date): string {
  const oldestMs = Math.min(now.getTime(), ...sections.map(({ readAt }) => readAt.getTime()));
  return new Date(oldestMs).toISOString();
}
