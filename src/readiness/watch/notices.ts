import { z } from 'zod';
import type { Job } from '../../schedule/job.ts';
import type { DeliveryKind } from '../../outbox/attempt.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import {
  countChannelFailure,
  forgetChannelFailures,
  listActiveChannelSubscriptions,
  listChannelSubscriptions,
} from '../../watches/channel-subscriptions.ts';
import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { buttonRow, headline, list, note, paragraphMessage } from '../../slack/blocks/paragraphs.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import { showButtons } from '../buttons.ts';
import { buildDetail } from '../reports/detail.ts';
import type { ReadinessDeps } from '../deps.ts';
import type { Readings } from '../reports/reading.ts';
import type { RepositoryReports } from '../reports/reports-fold.ts';
import { partOf, type Score } from '../reports/scores.ts';
import { changeWords, criterionWords, dayWords, scoreWords } from '../views/sentences.ts';
import { decideMove } from './decision.ts';
import { moveOn, READINESS_KIND, readSeen, rememberFirst, subjectsOf } from './store.ts';

/** Reports are made now and then, not every minute. */
const LOOK_EVERY_MS = 10 * 60_000;
const NOTICE_KIND = 'readiness-notice';
const MAX_NAMED = 10;

type WatchDeps = ReadinessDeps & { readings: Readings };

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

/** Looks for new reports, if a channel watches. */
export function watchJob(deps: WatchDeps): Job {
  let lookedAtMs = 0;
  return {
    name: 'watch-readiness',
    run: async () => {
      const nowMs = deps.clock.now().getTime();
      if (nowMs - lookedAtMs < LOOK_EVERY_MS) return;
      const watches = await listActiveChannelSubscriptions(deps.db, READINESS_KIND);
      lookedAtMs = nowMs;
      if (watches.length > 0) await look(deps);
    },
  };
}

async function look(deps: WatchDeps): Promise<void> {
  const { repositories } = await deps.readings.all();
  const seen = await readSeen(deps.db);
  const at = deps.clock.now();
  for (const one of repositories) {
    const [latest] = one.outlines;
    const known = seen.get(one.repository.key);
    if (!latest || known?.reportId === latest.reportId) continue;
    await deps.db.transaction().execute(async (trx) => {
      if (!known) return rememberFirst(trx, one, at.toISOString());
      // Of two processes that see the same report, this lets one post it.
      if (!(await moveOn(trx, one, known.reportId, at.toISOString()))) return;
      await enqueueNotices(trx, one, known.score, repositories, at);
    });
  }
}

async function enqueueNotices(
  trx: DatabaseTransaction,
  one: RepositoryReports,
  before: Score,
  repositories: readonly RepositoryReports[],
  at: Date,
): Promise<void> {
  const [latest] = one.outlines;
  const move = latest && decideMove(before, latest.score);
  if (!latest || !move || move.kind === 'nothing_to_tell') return;
  const detail = buildDetail(one, repositories);
  const payload: Notice = {
    key: one.repository.key,
    label: one.repository.label,
    move: move.kind,
    words: scoreWords(latest.score),
    change: changeWords(partOf(latest.score) - partOf(before)),
    day: dayWords(latest.createdAt),
    better: detail.better,
    worse: detail.worse,
  };
  const subjects = subjectsOf(one.repository.key);
  // Read here: a watch that was ended or paused since the job began gets nothing.
  const watches = (await listActiveChannelSubscriptions(trx, READINESS_KIND)).filter(({ subject }) =>
    subjects.includes(subject),
  );
  for (const channel of new Set(watches.map(({ channel }) => channel))) {
    const key = `readiness:${channel}:${latest.reportId}`;
    await enqueue(trx, { key, kind: NOTICE_KIND, channel, payload, dueAt: at }, at);
  }
}

export function noticeDeliveries({ db }: Pick<WatchDeps, 'db'>): Record<string, DeliveryKind> {
  return {
    [NOTICE_KIND]: {
      prepare: async ({ channel, payload }) => {
        const notice = noticeSchema.parse(JSON.parse(payload));
        const subjects = subjectsOf(notice.key);
        const watches = await listChannelSubscriptions(db, READINESS_KIND);
        if (!watches.some((watch) => watch.channel === channel && subjects.includes(watch.subject)))
          return { kind: 'skip', reason: 'Readiness alerts for this channel are off.' };
        return { kind: 'send', message: noticeMessage(notice) };
      },
      onSettled: async (trx, { key, channel, payload }, settlement, now) => {
        const notice = noticeSchema.parse(JSON.parse(payload));
        const subscribed = { kind: READINESS_KIND, channel, subjects: subjectsOf(notice.key) };
        if (settlement.state === 'failed')
          await countChannelFailure(trx, subscribed, { key, reason: settlement.reason }, now);
        if (settlement.state === 'sent') await forgetChannelFailures(trx, subscribed);
      },
    },
  };
}

function noticeMessage(notice: Notice): BlockMessage {
  const verb = notice.move === 'fell' ? 'is less ready than before' : 'is readier than before';
  return paragraphMessage(
    'Readiness',
    [
      headline(
        `${notice.label} ${verb}`,
        `It went ${notice.change} and is now ${notice.words} (report from ${notice.day}).`,
      ),
      list('Worse', notice.worse.slice(0, MAX_NAMED).map(criterionWords)),
      list('Better', notice.better.slice(0, MAX_NAMED).map(criterionWords)),
      note('Readiness is the share of checks that pass.'),
    ],
    buttonRow(...showButtons('See details', notice)),
  );
}
