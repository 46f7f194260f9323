import { z } from 'zod';
import type { Job, JobPlan } from '../schedule/job.ts';
import type { MessageHandler } from '../outbox/message-kind.ts';
import { declareOwnerNotice } from '../outbox/owner-notices.ts';
import type { Services } from '../services.ts';
import type { AttentionItem } from '../slack/interactions/interactions.ts';
import { namesNobody } from '../outbox/poster.ts';
import { messageOf, prose } from '../slack/blocks/paragraphs.ts';
import { markup, readerTime, type Markup } from '../base/text/markup.ts';
import type { RefusalTables } from './refusal-table.ts';

/** A single refusal between answers is a hiccup; a key that stopped working is refused for this long. */
const CERTAIN_AFTER_MS = 60_000;
const MAX_DETAIL_LENGTH = 500;

/** What is known of something that Slack or the platform may refuse to this installation. */
export interface RefusalEvidence {
  refusedSince: Date | undefined;
  acceptedAt: Date | undefined;
  /** The codes of the refusal, if there are any. */
  codes?: readonly string[];
  /** A sentence that says why. */
  detail?: string | undefined;
}

type NoticeState = RefusalTables['statusNotices']['state'];

const payloadSchema = z.object({
  state: z.enum(['refused', 'accepted']),
  since: z.iso.datetime(),
  codes: z.array(z.string().max(101)).max(20).optional(),
  detail: z.string().max(MAX_DETAIL_LENGTH).optional(),
});
type Notice = z.infer<typeof payloadSchema>;

/**
 * Returns undefined if nothing changed. Pure.
 *
 * @param announced the state last announced, at first `accepted`
 * @param certainAfterMs how long a refusal lasts before it is announced
 */
export function refusalChange(
  { refusedSince, acceptedAt }: RefusalEvidence,
  announced: NoticeState,
  now: Date,
  certainAfterMs = CERTAIN_AFTER_MS,
): { state: NoticeState; since: Date } | undefined {
  if (announced === 'accepted') {
    const isCertain = refusedSince !== undefined && now.getTime() - refusedSince.getTime() >= certainAfterMs;
    return isCertain ? { state: 'refused', since: refusedSince } : undefined;
  }
  return refusedSince === undefined && acceptedAt !== undefined ? { state: 'accepted', since: acceptedAt } : undefined;
}

/** Tells all admins once that something is refused, and once that it works again. */
export interface RefusalWatch {
  topic: RefusalTables['statusNotices']['topic'];
  /** Begins the keys of its messages, so it never changes. */
  name: string;
  job: JobPlan;
  notice: ReturnType<typeof declareRefusalNotice>;
  /** Reads what may be refused, if the work of the bot does not read it often enough by itself. */
  refresh?: () => Promise<void>;
  evidence: () => RefusalEvidence | Promise<RefusalEvidence>;
  certainAfterMs?: number;
  lines: (notice: Notice) => Markup[];
}

/** @param name stored with each message, so it never changes */
export const declareRefusalNotice = (name: string) => declareOwnerNotice(name, payloadSchema);

export function refusalWatch(
  { db: base, clock, people }: Pick<Services, 'db' | 'clock' | 'people'>,
  { topic, name, job, notice, refresh, evidence: readEvidence, certainAfterMs, lines }: RefusalWatch,
): { job: Job; messages: MessageHandler[] } {
  const db = base.withTables<RefusalTables>();
  const run = async () => {
    await refresh?.();
    const row = await db.selectFrom('statusNotices').selectAll().where('topic', '=', topic).executeTakeFirst();
    const now = clock.now();
    const evidence = await readEvidence();
    const change = refusalChange(evidence, row?.state ?? 'accepted', now, certainAfterMs);
    if (!change) return;
    const next = { state: change.state, since: change.since.toISOString() };
    await base.transaction().execute(async (trx) => {
      // If several processes see the change, only one announces it.
      const inserted = await trx
        .withTables<RefusalTables>()
        .insertInto('statusNotices')
        .values({ topic, ...next })
        .onConflict((conflict) =>
          conflict
            .column('topic')
            .doUpdateSet(next)
            .where('statusNotices.state', '=', row?.state ?? 'accepted')
            .where('statusNotices.since', '=', row?.since ?? ''),
        )
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 0n) return;
      const { codes, detail } = evidence;
      const payload = {
        ...next,
        ...(codes ? { codes: [...codes] } : {}),
        ...(detail === undefined ? {} : { detail: detail.slice(0, MAX_DETAIL_LENGTH) }),
      };
      await notice.notify(trx, null, { key: `${name}:${next.state}:${next.since}`, payload }, now);
    });
  };
  return {
    job: { ...job, run },
    messages: notice.handledBy({ db: base, clock, people }, ({ payload }) =>
      Promise.resolve({ kind: 'send', message: namesNobody(messageOf(prose(lines(payload)))) }),
    ),
  };
}

/** One line of *Needs attention* while something is refused. */
export function refusalAttention({ refusedSince }: RefusalEvidence, what: string, now: Date): AttentionItem[] {
  const isCertain = refusedSince !== undefined && now.getTime() - refusedSince.getTime() >= CERTAIN_AFTER_MS;
  return isCertain ? [{ line: markup`⚠️ *${what} since ${readerTime(refusedSince)}.*` }] : [];
}
