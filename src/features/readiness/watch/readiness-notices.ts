import type { Job } from '../../../core/schedule/job.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { buildDetail } from '../reports/detail.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import type { Readings } from '../reports/reading.ts';
import type { Outline, RepositoryReports } from '../reports/reports-fold.ts';
import { shareOf, type Score } from '../reports/scores.ts';
import { changeWords, dayWords, scoreWords } from '../views/sentences.ts';
import { readinessEdit, readinessNotice, type Notice } from './readiness-messages.ts';
import { recordLatest, readinessWatches, readSeen, recordFirst, subjectsOf } from './readiness-watch-store.ts';

/** A rise within one step of 10 % is not announced. */
const STEPS = 10;

// A share of 0.3 may be computed as 0.30000000000000004.
const step = (part: number) => Math.floor(part * STEPS + 1e-9);

type Move = { kind: 'fell' | 'rose' } | { kind: 'nothing_to_tell'; reason: 'same' | 'within_step' };

/** A message is needed if the share of passing checks fell, or rose past a step of 10 %. */
export function decideMove(before: Score, now: Score): Move {
  const [from, to] = [shareOf(before), shareOf(now)];
  if (to < from) return { kind: 'fell' };
  if (to === from) return { kind: 'nothing_to_tell', reason: 'same' };
  return step(to) > step(from) ? { kind: 'rose' } : { kind: 'nothing_to_tell', reason: 'within_step' };
}

type WatchDeps = ReadinessDeps & { readings: Readings };

export const watchJob = (deps: WatchDeps): Job => ({
  name: 'watch-readiness',
  // Reports are rare, so they are not read every minute.
  cron: '*/10 * * * *',
  purpose: 'reports changed readiness of repositories',
  run: async () => {
    // Scores are followed during a pause too, so that a message after it is about a later change.
    const watches = await readinessWatches.listResumable(deps.db);
    if (watches.length > 0) await checkForReports(deps);
  },
});

async function checkForReports(deps: WatchDeps): Promise<void> {
  const { repositories } = await deps.readings.all();
  const lastScores = await readSeen(deps.db);
  const at = deps.clock.now();
  for (const one of repositories) {
    const [latest] = one.outlines;
    const lastSeen = lastScores.get(one.repository.key);
    const isSame = lastSeen?.reportId === latest?.reportId;
    if (!latest || (isSame && JSON.stringify(lastSeen?.score) === JSON.stringify(latest.score))) continue;
    await deps.db.transaction().execute(async (trx) => {
      if (!lastSeen) return recordFirst(trx, one, at.toISOString());
      // If two processes see the same report, only one posts it.
      if (!(await recordLatest(trx, one, lastSeen, at.toISOString()))) return;
      const previous = one.outlines[1]?.score ?? latest.score;
      if (isSame) await enqueueEdits(trx, latest.reportId, noticeOf(one, latest, previous, repositories), at);
      else await enqueueNotices(trx, one, lastSeen.score, repositories, at);
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
  const payload = noticeOf(one, latest, before, repositories);
  const subjects = subjectsOf(one.repository.key);
  // Read again here, so that a watch ended or paused since the job began gets nothing.
  const watches = (await readinessWatches.listActive(trx)).filter(({ subject }) => subjects.includes(subject));
  for (const to of new Set(watches.map(({ channel }) => channel))) {
    const key = `readiness:${to}:${latest.reportId}`;
    await readinessNotice.enqueue(trx, { key, to, payload, about: latest.reportId }, at);
  }
}

async function enqueueEdits(trx: DatabaseTransaction, reportId: string, notice: Notice, at: Date): Promise<void> {
  for (const { key: noticeKey, channel: to } of await readinessNotice.listAbout(trx, reportId)) {
    const key = `${noticeKey}:correction:${at.toISOString()}`;
    await readinessEdit.enqueue(trx, { key, to, payload: { ...notice, noticeKey, isCorrected: true } }, at);
  }
}

function noticeOf(
  one: RepositoryReports,
  latest: Outline,
  before: Score,
  repositories: readonly RepositoryReports[],
): Notice {
  const { better, worse } = buildDetail(one, repositories);
  const change = shareOf(latest.score) - shareOf(before);
  return {
    key: one.repository.key,
    label: one.repository.label,
    move: change < 0 ? 'fell' : change > 0 ? 'rose' : 'stayed',
    words: scoreWords(latest.score),
    change: changeWords(change),
    day: dayWords(latest.createdAt),
    better,
    worse,
  };
}
