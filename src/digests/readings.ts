import type { DigestSection, DigestWish, SectionReading } from '../feature.ts';
import type { Clock } from '../schedule/clock.ts';
import { tellFault } from '../slack/faults.ts';

/** One section of a digest as it was read. */
export interface SectionRead {
  id: string;
  title: string;
  reading: SectionReading;
  readAt: Date;
}

/**
 * Two hundred digests of one morning are about the same days: whoever asks for the same within so long gets the same answer.
 * Shorter than a digest waits before it asks again.
 */
const SHARED_FOR_MS = 5 * 60_000;
const MAXIMUM_ENTRIES = 300;

/** Reads sections, each wish once for all digests that come together. */
export function createSectionReader(clock: Clock): (section: DigestSection, wish: DigestWish) => Promise<SectionRead> {
  const known = new Map<string, { read: Promise<SectionRead>; untilMs: number }>();
  return (section, wish) => {
    const { log: _log, ...about } = wish;
    const key = JSON.stringify([section.id, about]);
    const nowMs = clock.now().getTime();
    const entry = known.get(key);
    if (entry && entry.untilMs > nowMs) return entry.read;
    const read = readSection(section, wish, clock.now()).then((one) => {
      // What could not be read, or is not published yet, may be there at the next look.
      if (one.reading.kind !== 'ready' && known.get(key)?.read === read) known.delete(key);
      return one;
    });
    known.delete(key);
    known.set(key, { read, untilMs: nowMs + SHARED_FOR_MS });
    const oldest = known.size > MAXIMUM_ENTRIES ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return read;
  };
}

/** A section that fails costs the digest that section alone. */
async function readSection(section: DigestSection, wish: DigestWish, readAt: Date): Promise<SectionRead> {
  const { id, title } = section;
  try {
    return { id, title, reading: await section.read(wish), readAt };
  } catch (error) {
    const told = tellFault(error, wish.log, { section: id, period: wish.period });
    return { id, title, reading: { kind: 'unreadable', ...told }, readAt };
  }
}
