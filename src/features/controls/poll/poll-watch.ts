import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import {
  declareRefusalNotice,
  refusalWatch,
  type RefusalEvidence,
  type RefusalWatch,
} from '../../../core/watches/refusal-watch.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import type { ControlsCursor } from '../core/revisions.ts';

const NAME = 'controls-history';
const historyNotice = declareRefusalNotice(NAME);

/** Shorter outages end by themselves, and their revisions are announced afterwards. */
const CERTAIN_AFTER_MS = HOUR_MS;

/** Tells the admins if the history of the controls has not been read for an hour, for whatever reason. */
export function pollWatch(deps: ControlsDeps): ReturnType<typeof refusalWatch> {
  const startedAt = deps.clock.now();
  return refusalWatch(deps, {
    topic: 'controls_history',
    name: NAME,
    job: {
      name: 'watch-controls-history',
      cron: '* * * * *',
      purpose: 'informs admins if the history of the controls can’t be read for an hour',
    },
    notice: historyNotice,
    certainAfterMs: CERTAIN_AFTER_MS,
    evidence: async () => evidenceOf(await readCursor(deps.db), startedAt),
    lines: historyLines,
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

/** A sentence in fixed words while the admins are told that the history is not read, for `/quartermaster` and `/readyz`. */
export async function historyFault(
  { db, clock }: Pick<ControlsDeps, 'db' | 'clock'>,
  startedAt: Date,
): Promise<string | undefined> {
  const { refusedSince } = evidenceOf(await readCursor(db), startedAt);
  const isTold = refusedSince !== undefined && clock.now().getTime() - refusedSince.getTime() >= CERTAIN_AFTER_MS;
  return isTold ? `not read since ${refusedSince.toISOString().slice(0, 16)}Z` : undefined;
}

function historyLines({ state, since, detail }: Parameters<RefusalWatch['lines']>[0]): Markup[] {
  const at = readerTime(new Date(since));
  return state === 'refused'
    ? [
        markup`⚠️ *The history of the enterprise controls hasn’t been read since ${at}.* ${detail ?? ''}`,
        markup`New revisions aren’t announced until it works again; then all of them are. The log has the details.`,
      ]
    : [markup`✅ *The history of the enterprise controls is read again*, since ${at}.`];
}
