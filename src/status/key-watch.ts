import { z } from 'zod';
import type { Job } from '../schedule/job-times.ts';
import type { MessageHandler } from '../outbox/message-duties.ts';
import { declareOwnerNotice } from '../outbox/owner-notices.ts';
import type { KeyEvidence, Services } from '../services.ts';
import type { AttentionItem } from '../slack/interactions.ts';
import { namesNobody } from '../outbox/attempts/poster.ts';
import { messageOf, prose } from '../slack/blocks/paragraphs.ts';
import { markup, readerTime } from '../base/text/markup.ts';
import type { StatusTables } from './table.ts';

/** A single refusal between answers is a hiccup; a key that stopped working is refused for this long. */
const CERTAIN_AFTER_MS = 60_000;
const NAME = 'platform-key';
const TOPIC = 'platform_key';

export type KeyWatchDeps = Pick<Services, 'db' | 'clock' | 'people'> & { keyEvidence: () => KeyEvidence };

type KeyState = StatusTables['statusNotices']['state'];

const payloadSchema = z.object({ state: z.enum(['refused', 'accepted']), since: z.iso.datetime() });

const keyNotice = declareOwnerNotice(NAME, payloadSchema);

/** Returns undefined if nothing changed. Pure. @param announced the state last announced, at first `accepted` */
export function keyChange(
  { refusedSince, acceptedAt }: KeyEvidence,
  announced: KeyState,
  now: Date,
): { state: KeyState; since: Date } | undefined {
  if (announced === 'accepted') {
    const isCertain = refusedSince !== undefined && now.getTime() - refusedSince.getTime() >= CERTAIN_AFTER_MS;
    return isCertain ? { state: 'refused', since: refusedSince } : undefined;
  }
  return refusedSince === undefined && acceptedAt !== undefined ? { state: 'accepted', since: acceptedAt } : undefined;
}

export function keyWatch({ db: base, clock, people, keyEvidence }: KeyWatchDeps): {
  job: Job;
  messages: MessageHandler[];
} {
  const db = base.withTables<StatusTables>();
  const run = async () => {
    const row = await db.selectFrom('statusNotices').selectAll().where('topic', '=', TOPIC).executeTakeFirst();
    const now = clock.now();
    const change = keyChange(keyEvidence(), row?.state ?? 'accepted', now);
    if (!change) return;
    const next = { state: change.state, since: change.since.toISOString() };
    await base.transaction().execute(async (trx) => {
      // If several processes see the change, only one announces it.
      const inserted = await trx
        .withTables<StatusTables>()
        .insertInto('statusNotices')
        .values({ topic: TOPIC, ...next })
        .onConflict((conflict) =>
          conflict
            .column('topic')
            .doUpdateSet(next)
            .where('statusNotices.state', '=', row?.state ?? 'accepted')
            .where('statusNotices.since', '=', row?.since ?? ''),
        )
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 0n) return;
      await keyNotice.notify(trx, null, { key: `${NAME}:${next.state}:${next.since}`, payload: next }, now);
    });
  };
  return {
    job: { name: 'watch-platform-key', run },
    messages: keyNotice.handledBy({ db: base, clock, people }, ({ payload }) =>
      Promise.resolve({ kind: 'send', message: namesNobody(keyMessage(payload)) }),
    ),
  };
}

export function keyAttention({ refusedSince }: KeyEvidence, now: Date): AttentionItem[] {
  const isCertain = refusedSince !== undefined && now.getTime() - refusedSince.getTime() >= CERTAIN_AFTER_MS;
  return isCertain
    ? [{ line: markup`⚠️ *The platform has refused the API key since ${readerTime(refusedSince)}.*` }]
    : [];
}

function keyMessage({ state, since }: z.infer<typeof payloadSchema>) {
  const at = readerTime(new Date(since));
  return messageOf(
    prose(
      state === 'refused'
        ? [
            markup`⚠️ *The platform has refused Quartermaster’s API key since ${at}.*`,
            markup`Figures, limits and computers won’t work until the server operator sets a new PLATFORM_API_KEY and restarts Quartermaster. Digests wait for it.`,
          ]
        : [markup`✅ *The platform accepts Quartermaster’s API key again*, since ${at}.`],
    ),
  );
}
