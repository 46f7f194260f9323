import type { SectionRead } from '../core/sections.ts';

/** Figures that changed since then are not in the digest. */
export function oldestReading({ sections }: { sections: readonly Pick<SectionRead, 'readAt'>[] }, now: Date): string {
  const oldestMs = Math.min(now.getTime(), ...sections.map(({ readAt }) => readAt.getTime()));
  return new Date(oldestMs).toISOString();
}
