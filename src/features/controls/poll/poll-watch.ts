import { declareRefusalNotice, type refusalWatch, type RefusalEvidence } from '../../../core/watches/refusal-watch.ts';
import { sourceFault, sourceWatch } from '../../../core/watches/source-watch.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import type { ControlsCursor } from '../core/revisions.ts';

const NAME = 'controls-history';
const historyNotice = declareRefusalNotice(NAME);

/** Tells the admins if the history of the controls has not been read for an hour, for whatever reason. */
export function pollWatch(deps: ControlsDeps): ReturnType<typeof refusalWatch> {
  const startedAt = deps.clock.now();
  return sourceWatch(deps, {
    topic: 'controls_history',
    name: NAME,
    notice: historyNotice,
    evidence: async () => evidenceOf(await readCursor(deps.db), startedAt),
    what: 'The history of the enterprise controls',
    isPlural: false,
    consequence: 'New revisions aren’t announced until it works again; then all of them are.',
  });
}

/** Pure. @param startedAt of this process: a history that was never read counts from then on */
export function evidenceOf(
  { failures, readAt, lastError }: Pick<ControlsCursor, 'failures' | 'readAt' | 'lastError'>,
  startedAt: Date,
): RefusalEvidence {
  const lastReadAt = readAt === null ? undefined : new Date(readAt);
  if (failures === 0) return { refusedSince: undefined, acceptedAt: lastReadAt };
  return { refusedSince: lastReadAt ?? startedAt, acceptedAt: undefined, detail: lastError ?? undefined };
}

/** For `/quartermaster` and `/readyz`. */
export async function historyFault(
  { db, clock }: Pick<ControlsDeps, 'db' | 'clock'>,
  startedAt: Date,
): Promise<string | undefined> {
  return sourceFault(evidenceOf(await readCursor(db), startedAt), clock.now());
}
