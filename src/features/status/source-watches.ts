import type { Services } from '../../core/services.ts';
import { declareRefusalNotice, type refusalWatch } from '../../core/watches/refusal-watch.ts';
import { readSourceEvidence, type Source } from '../../core/watches/source-readings.ts';
import { sourceFault, sourceWatch, type PolledSource } from '../../core/watches/source-watch.ts';

const SOURCES: Readonly<Record<Source, Omit<PolledSource, 'evidence'>>> = {
  figures: {
    topic: 'figures',
    name: 'figures',
    notice: declareRefusalNotice('figures-unreadable'),
    what: 'The platform’s figures',
    isPlural: true,
    consequence: 'Digests wait for them, and budgets and alerts are evaluated when they are read again.',
  },
  readiness: {
    topic: 'readiness',
    name: 'readiness-reports',
    notice: declareRefusalNotice('readiness-reports'),
    what: 'The readiness reports',
    isPlural: true,
    consequence: 'Changes of readiness are announced when they are read again.',
  },
};

/** Tells the admins if figures or readiness reports could not be read at any try over an hour. */
export function sourceWatches(deps: Pick<Services, 'db' | 'clock' | 'people'>): ReturnType<typeof refusalWatch>[] {
  const sources: readonly Source[] = ['figures', 'readiness'];
  return sources.map((source) =>
    sourceWatch(deps, {
      ...SOURCES[source],
      evidence: () => readSourceEvidence(deps.db, source, deps.clock.now()),
    }),
  );
}

/** For `/quartermaster` and `/readyz`. */
export async function readSourceFault(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  source: Source,
): Promise<string | undefined> {
  const now = clock.now();
  return sourceFault(await readSourceEvidence(db, source, now), now);
}
