import { replaceMemo } from '../../../core/outbox/past-deliveries.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { readContents } from '../core/contents.ts';
import { digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { readQuietMemo, type QuietMemo } from '../core/digest-payload.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { readersOf } from '../core/names.ts';
import { type SectionRead, oldestReading } from '../core/sections.ts';
import { changedFigures, figuresOf } from '../message/figures.ts';

/** What a quiet morning counted, so that a later correction of its days can be noticed. */
export function quietMemo(contents: { sections: readonly SectionRead[] }, now: Date): string {
  const memo: QuietMemo = { quietReadAt: oldestReading(contents, now), figures: figuresOf(contents.sections) };
  return JSON.stringify(memo);
}

/** Posts the digest of a quiet morning, once, if its days were corrected so that it has something to say. */
export async function postRestatedDay(deps: DigestDeps, stored: StoredDigest): Promise<void> {
  const memo = readQuietMemo(stored.memo);
  const { payload } = stored;
  if (!memo || memo.isPosted || !(await deps.hasChanged(payload.period, new Date(memo.quietReadAt)))) return;
  const subscription = await findSubscription(deps.db, 'digest', payload.subscriptionId);
  if (subscription?.state !== 'active') return;
  const contents = await readContents(deps, subscription, payload, await readersOf(deps, subscription));
  if (contents.kind !== 'read' || contents.sections.some(({ reading }) => reading.kind !== 'ready')) return;
  const now = deps.clock.now();
  const isPosted = hasNews(memo, contents.sections);
  const replacement: QuietMemo = { ...memo, quietReadAt: oldestReading(contents, now), isPosted };
  await deps.db.transaction().execute(async (trx) => {
    if (!(await replaceMemo(trx, stored, JSON.stringify(replacement)))) return;
    if (isPosted) await enqueueRestated(trx, stored, now);
  });
}

/**
 * Whether a section needs attention now because its own figures changed. A budget mark that was passed on a later day
 * is no news of this one. Pure.
 */
export function hasNews(
  memo: Pick<QuietMemo, 'figures'>,
  sections: readonly Pick<SectionRead, 'id' | 'reading'>[],
): boolean {
  return sections.some((one) => {
    if (one.reading.kind !== 'ready' || one.reading.needsAttention !== true) return false;
    const before = memo.figures[one.id];
    return before === undefined || changedFigures({ [one.id]: before }, figuresOf([one])).length > 0;
  });
}

async function enqueueRestated(trx: DatabaseTransaction, stored: StoredDigest, now: Date): Promise<void> {
  const { key, channel: to, about } = stored;
  const payload = { ...stored.payload, plannedFor: now.toISOString(), isRestated: true };
  await digestMessage.enqueue(trx, { key: `${key}:restated`, to, payload, ...(about === null ? {} : { about }) }, now);
}
