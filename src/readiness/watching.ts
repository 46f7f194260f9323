import { z } from 'zod';
import type { Job } from '../schedule/job.ts';
import type { DeliveryKind } from '../outbox/attempt.ts';
import { enqueue } from '../outbox/deliveries.ts';
import { actions } from '../slack/blocks/blocks.ts';
import { headline, list, note, paragraphMessage } from '../slack/blocks/paragraphs.ts';
import type { DatabaseTransaction } from '../store/tables.ts';
import { showButtons } from './buttons.ts';
import { buildDetail } from './detail.ts';
import type { ReadinessParts } from './parts.ts';
import type { Readings } from './reading.ts';
import type { RepositoryReports } from './reports-fold.ts';
import { partOf, type Score } from './scores.ts';
import { changeWords, criterionWords, dateWords, scoreWords } from './sentences.ts';
import { decideMove } from './watch-decision.ts';
import { listWatches, moveOn, readSeen, rememberFirst, type ReadinessWatch } from './watch-store.ts';

/** Reports are made now and then, not every minute. */
const LOOK_EVERY_MS = 10 * 60_000;
const NOTICE_KIND = 'readiness-notice';
const MAX_NAMED = 10;

type WatchParts = ReadinessParts & { readings: Readings };

const noticeSchema = z.object({
  key: z.string(),
  label: z.string(),
  move: z.enum(['fell', 'rose']),
  words: z.string(),
  change: z.string(),
  day: z.string(),
  better: z.array(z.string()),
  worse: z.array(z.string()),
});
type Notice = z.infer<typeof noticeSchema>;

/** Looks for new reports, if anybody wants to hear of them. */
export function watchJob(parts: WatchParts): Job {
  let lookedAtMs = 0;
  return {
    name: 'watch-readiness',
    run: async () => {
      const nowMs = parts.clock.now().getTime();
      if (nowMs - lookedAtMs < LOOK_EVERY_MS) return;
      const watches = await listWatches(parts.db);
      lookedAtMs = nowMs;
      if (watches.length > 0) await look(parts, watches);
    },
  };
}

async function look(parts: WatchParts, watches: readonly ReadinessWatch[]): Promise<void> {
  const { repositories } = await parts.readings.all();
  const seen = await readSeen(parts.db);
  const at = parts.clock.now();
  let enqueued = 0;
  for (const one of repositories) {
    const [latest] = one.outlines;
    const known = seen.get(one.repository.key);
    if (!latest || known?.reportId === latest.reportId) continue;
    await parts.db.transaction().execute(async (trx) => {
      if (!known) return rememberFirst(trx, one, at.toISOString());
      // Of two processes that see the same report, this lets one tell of it.
      if (!(await moveOn(trx, one, known.reportId, at.toISOString()))) return;
      enqueued += await enqueueNotices(trx, { one, before: known.score, watches, repositories, at });
    });
  }
  if (enqueued > 0) parts.wakeOutbox();
}

interface NotifyContext {
  one: RepositoryReports;
  before: Score;
  watches: readonly ReadinessWatch[];
  repositories: readonly RepositoryReports[];
  at: Date;
}

async function enqueueNotices(
  trx: DatabaseTransaction,
  { one, before, watches, repositories, at }: NotifyContext,
): Promise<number> {
  const [latest] = one.outlines;
  const move = latest && decideMove(before, latest.score);
  if (!latest || !move || move.kind === 'nothing_to_tell') return 0;
  const detail = buildDetail(one, repositories);
  const payload: Notice = {
    key: one.repository.key,
    label: one.repository.label,
    move: move.kind,
    words: scoreWords(latest.score),
    change: changeWords(partOf(latest.score) - partOf(before)),
    day: dateWords(latest.createdAt),
    better: detail.better,
    worse: detail.worse,
  };
  const wanted = watches.filter(({ repository }) => repository === '' || repository === one.repository.key);
  for (const channel of new Set(wanted.map((watch) => watch.channel))) {
    const key = `readiness:${channel}:${latest.reportId}`;
    await enqueue(trx, { key, kind: NOTICE_KIND, channel, payload, dueAt: at }, at);
  }
  return wanted.length;
}

/** What a channel hears. */
export const noticeDelivery: Record<string, DeliveryKind> = {
  [NOTICE_KIND]: {
    prepare: (delivery) => {
      const notice = noticeSchema.parse(JSON.parse(delivery.payload));
      const verb = notice.move === 'fell' ? 'is less ready than before' : 'is readier than before';
      const buttons = showButtons('Look at it', notice);
      const message = paragraphMessage(
        'Readiness',
        [
          headline(`${notice.label} ${verb}`, `${notice.change}: ${notice.words} (report of ${notice.day}).`),
          list('Worse', notice.worse.slice(0, MAX_NAMED).map(criterionWords)),
          list('Better', notice.better.slice(0, MAX_NAMED).map(criterionWords)),
          note('Checks are the sub-applications that pass, over all criteria.'),
        ],
        buttons.length === 0 ? [] : [actions(...buttons)],
      );
      return Promise.resolve({ kind: 'send', message });
    },
  },
};
