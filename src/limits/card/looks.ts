import { noteLook } from '../../slack/people/figure-looks.ts';
import type { LimitDeps } from '../core/deps.ts';
import type { Evidence, EvidenceReading } from './evidence.ts';

/** Whose figures evidence shows by name: each of a few people, and those whose amounts deserve a look. Pure. */
function namedIn({ people, total, outliers }: Pick<Evidence, 'people' | 'total' | 'outliers'>): string[] {
  const each = total.people > people.length ? [] : people.map(({ email }) => email);
  return [...new Set([...each, ...outliers.map(({ email }) => email)])];
}

/** Keeps that what people used is shown, before it is. */
export async function noteEvidenceLook(
  { db, clock, people }: Pick<LimitDeps, 'db' | 'clock' | 'people'>,
  looker: string,
  reading: EvidenceReading | undefined,
): Promise<void> {
  if (reading?.kind !== 'read') return;
  const self = /^[UW]/.test(looker) ? (await people.describe(looker))?.email : undefined;
  await noteLook(db, { looker, of: namedIn(reading.evidence), what: 'limit_request' }, clock.now(), self);
}
