import { readSourceEvidence } from '../../../core/watches/source-readings.ts';
import type { Job } from '../../../core/schedule/job.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { compareReports, isOfSameBranch, lastOfBranches, type Comparison } from '../reports/comparison.ts';
import { movedCriteria } from '../reports/detail.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import type { Readings } from '../reports/reading.ts';
import type { Outline } from '../reports/reports-fold.ts';
import type { Repository } from '../reports/repository.ts';
import { shareOf, type Score } from '../reports/scores.ts';
import { changeWords, criteriaChange, dayWords, scoreWords } from '../views/sentences.ts';
import { MAX_NAMED, readinessEdit, readinessNotice, unreadNotice, type Notice } from './readiness-messages.ts';
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

export const watchJob = (deps: ReadinessDeps & { readings: Readings }): Job => ({
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

export const silentWatchJob = (deps: Pick<ReadinessDeps, 'db' | 'clock'>): Job => ({
  name: 'notify-owners-of-silent-watches',
  cron: '* * * * *',
  purpose: 'informs owners of readiness alerts if the reports can’t be read for an hour',
  run: () => tellOwners(deps),
});

/** Once an outage, when it is as certain as for the admins. */
async function tellOwners({ db, clock }: Pick<ReadinessDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const { refusedSince, detail = '' } = await readSourceEvidence(db, 'readiness', now);
  if (!refusedSince) return;
  const since = refusedSince.toISOString();
  await db.transaction().execute(async (trx) => {
    const watches = await readinessWatches.listActive(trx);
    for (const [owner, theirs] of Map.groupBy(watches, (watch) => watch.owner)) {
      if (owner === null) continue;
      const channels = [...new Set(theirs.map(({ channel }) => channel))].slice(0, MAX_NAMED);
      const payload = { since, channels, detail: detail.slice(0, 500) };
      await unreadNotice.notify(trx, owner, { key: `readiness-unread:${owner}:${since}`, payload }, now);
    }
  });
}

async function checkForReports(deps: ReadinessDeps & { readings: Readings }): Promise<void> {
  const { repositories } = await deps.readings.all();
  const lastScores = await readSeen(deps.db);
  const at = deps.clock.now();
  for (const { repository, outlines } of repositories) {
    const [latest, ...earlier] = outlines;
    const lastSeen = lastScores.get(repository.key);
    const isSame = lastSeen?.reportId === latest?.reportId;
    if (!latest || (isSame && JSON.stringify(lastSeen?.score) === JSON.stringify(latest.score))) continue;
    await deps.db.transaction().execute(async (trx) => {
      if (!lastSeen) return recordFirst(trx, { repository, outlines }, at.toISOString());
      // If two processes see the same report, only one posts it.
      if (!(await recordLatest(trx, { repository, outlines }, lastSeen, at.toISOString()))) return;
      const comparison = compareReports(latest, earlier);
      if (!isSame)
        for (const news of newsSince(outlines, lastSeen.reportId)) await enqueueNotices(trx, repository, news, at);
      else if (comparison.kind === 'compared')
        await enqueueEdits(trx, latest.reportId, noticeOf(repository, latest, comparison), at);
    });
  }
}

interface News {
  latest: Outline;
  comparison: Extract<Comparison, { kind: 'compared' }>;
  move: 'fell' | 'rose';
}

/**
 * Returns what to tell of the reports since the one that was seen: of each branch the last report, compared with the last
 * one before them. Pure.
 *
 * @param outlines latest first
 */
export function newsSince(outlines: readonly Outline[], seen: string): News[] {
  const seenAt = outlines.findIndex(({ reportId }) => reportId === seen);
  // The platform no longer shows that report, so only the latest one is surely new.
  const newReports = outlines.slice(0, seenAt < 0 ? 1 : seenAt);
  const earlier = outlines.slice(newReports.length);
  return lastOfBranches(newReports).flatMap((latest) => {
    // For a branch that had no report before, its first one is where it began.
    const ofBranch = newReports.filter((one) => isOfSameBranch(one, latest));
    const isNewBranch = !earlier.some((one) => isOfSameBranch(one, latest));
    const comparison = compareReports(latest, isNewBranch ? ofBranch.slice(1).slice(-1) : earlier);
    if (comparison.kind !== 'compared') return [];
    const { kind: move } = decideMove(comparison.before, comparison.now);
    return move === 'nothing_to_tell' ? [] : [{ latest, comparison, move }];
  });
}

async function enqueueNotices(
  trx: DatabaseTransaction,
  repository: Repository,
  { latest, comparison }: News,
  at: Date,
): Promise<void> {
  const payload = noticeOf(repository, latest, comparison);
  const subjects = subjectsOf(repository.key);
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

function noticeOf({ key, label }: Repository, latest: Outline, comparison: News['comparison']): Notice {
  const { change } = comparison;
  const { better, worse } = movedCriteria(comparison.previous, latest);
  return {
    key,
    label,
    branch: latest.branch,
    move: change < 0 ? 'fell' : change > 0 ? 'rose' : 'stayed',
    words: scoreWords(latest.score),
    change: changeWords(change),
    criteria: criteriaChange(comparison),
    day: dayWords(latest.createdAt),
    better,
    worse,
  };
}
