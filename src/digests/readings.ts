import type { DigestSection, DigestWish, SectionReading } from '../feature.ts';
import { CHANNEL, NAMED_CHANNEL } from '../slack/audience.ts';
import { tellFault } from '../slack/faults.ts';
import { isStoreFault } from '../store/store-fault.ts';

/** One section of a digest as it was read. */
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
export function readFor(section: DigestSection, wish: DigestWish): Promise<SectionReading> {
  return section.namesPeople ? section.read(wish, NAMED_CHANNEL) : section.read(wish, CHANNEL);
}

/** A section that fails costs the digest that section alone. */
export async function readSection(section: DigestSection, wish: DigestWish, now: Date): Promise<SectionRead> {
  const one = { id: section.id, title: section.title, readAt: new Date(now.getTime() - OLDEST_READING_MS) };
  try {
    return { ...one, reading: await readFor(section, wish) };
  } catch (error) {
    // It says nothing about the section: the attempt fails, and the next one follows in seconds.
    if (isStoreFault(error)) throw error;
    const told = tellFault(error, wish.log, { section: section.id, period: wish.period });
    return { ...one, reading: { kind: 'unreadable', ...told } };
  }
}
