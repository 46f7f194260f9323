import type { DigestSection, DigestQuery, SectionReading } from '../../feature.ts';
import { CHANNEL, NAMED_CHANNEL } from '../../slack/people/audience.ts';
import { reportError } from '../../slack/blocks/faults.ts';
import { note, saidBy } from '../../slack/blocks/paragraphs.ts';
import { isStoreFault } from '../../store/engines/store-fault.ts';

export interface SectionRead {
  id: string;
  title: string;
  reading: SectionReading;
  /** Its figures are no older than this. */
  readAt: Date;
}

/** A section may share one reading among the digests of a minute, so its figures may be older than the question. */
const OLDEST_READING_MS = 90_000;

/** A section that names people was chosen as one: its own line in the form says so. */
export function readFor(section: DigestSection, query: DigestQuery): Promise<SectionReading> {
  return section.namesPeople ? section.read(query, NAMED_CHANNEL) : section.read(query, CHANNEL);
}

/** A section of which nothing may be shown says why. */
export function leftOut({ id, title }: DigestSection, sentence: string, readAt: Date): SectionRead {
  const said = saidBy([note(sentence)]);
  return { id, title, readAt, reading: { kind: 'ready', ...said, figures: {}, isQuiet: true } };
}

/** A section that fails costs the digest that section alone. */
export async function readSection(section: DigestSection, query: DigestQuery, now: Date): Promise<SectionRead> {
  const one = { id: section.id, title: section.title, readAt: new Date(now.getTime() - OLDEST_READING_MS) };
  try {
    return { ...one, reading: await readFor(section, query) };
  } catch (error) {
    // It says nothing about the section: the attempt fails, and the next one follows in seconds.
    if (isStoreFault(error)) throw error;
    const reported = reportError(error, query.log, { section: section.id, period: query.period });
    return { ...one, reading: { kind: 'unreadable', ...reported } };
  }
}
