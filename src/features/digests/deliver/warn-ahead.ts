import { isOpen } from '../../../core/outbox/delivery-table.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import type { Job } from '../../../core/schedule/job.ts';
import { nextOccurrence } from '../../../core/schedule/occurrences.ts';
import { listSubscriptions, scheduleIn } from '../../../core/schedule/subscriptions.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { createTurns } from '../../../core/store/health/first-process.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { readContents, readSettings } from '../core/contents.ts';
import { coveredDays, coveredNow, lastDayOver } from '../core/coverage.ts';
import { digestMessage } from '../core/digest-messages.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import type { DigestReader } from '../core/names.ts';
import { isAllWithheld, withheldSections, withheldWords } from '../core/sections.ts';
import { notifyWithheldAhead } from './failures.ts';

/** A longer notice would be about too few of its days. */
const AHEAD_MS = DAY_MS;
/** The platform publishes a day within hours. */
const UNPUBLISHED_DAYS = 2;

/** Tells the owner of a digest a day before that its channel may probably see nothing of it. */
export function warnAheadJob(deps: DigestDeps): Job {
  const isTurn = createTurns(deps);
  const run = async () => {
    if (!(await isTurn())) return;
    const now = deps.clock.now();
    for (const subscription of await listSubscriptions(deps.db, 'digest')) {
      if (!isSoon(subscription, now)) continue;
      await warnAhead(deps, subscription, now).catch((error: unknown) =>
        deps.log.error({ err: error, digest: subscription.id }, 'Checking a digest ahead failed; it is tried again'),
      );
    }
  };
  return {
    name: 'warn-of-withheld-digests',
    cron: '17 * * * *',
    purpose: 'tells owners a day before that a digest of a small group won’t be posted',
    run,
  };
}

const isSoon = ({ state, channel, nextDueAt }: Subscription, now: Date): boolean => {
  const untilDueMs = Date.parse(nextDueAt) - now.getTime();
  return state === 'active' && !isPersonAddress(channel) && untilDueMs > 0 && untilDueMs <= AHEAD_MS;
};

async function warnAhead(deps: DigestDeps, subscription: Subscription, now: Date): Promise<void> {
  const { audience, cadence } = readSettings(subscription);
  if (audience.kind === 'organization') return;
  // The last one may still be posted or withheld, which says more than a forecast.
  const earlier = await digestMessage.listAbout(deps.db, subscription.id);
  if (earlier.some((one) => isOpen(one))) return;
  const dueAt = new Date(subscription.nextDueAt);
  const schedule = scheduleIn(subscription);
  const planned = coveredDays(cadence, schedule, nextOccurrence(schedule, new Date(dueAt.getTime() - 1)));
  for (const { period, reader } of forecastsOf(planned, coveredNow(cadence, now), now)) {
    const contents = await readContents(deps, subscription, { cadence, period }, reader);
    if (contents.kind === 'gone') return;
    if (contents.kind === 'read' && contents.sections.some(({ reading }) => reading.kind !== 'ready')) continue;
    const reason =
      contents.kind === 'withheld'
        ? contents.sentence
        : isAllWithheld(contents.sections)
          ? withheldWords(withheldSections(contents.sections))
          : undefined;
    if (reason !== undefined) await notifyWithheldAhead(deps, subscription, { reason, dueAt });
    return;
  }
}

interface ForecastBasis {
  period: Period;
  reader: DigestReader;
}

/**
 * Returns the days that tell whether a digest will be withheld, the best first: its own days that are over, then, such as
 * for a daily digest, the latest days like its own. Pure.
 */
export function forecastsOf(planned: Period | undefined, latest: Period | undefined, now: Date): ForecastBasis[] {
  const over = lastDayOver(now);
  const own = Array.from({ length: UNPUBLISHED_DAYS + 1 }, (_, days) => plusDays(over, -days)).flatMap(
    (last): ForecastBasis[] =>
      planned && planned.first <= last
        ? [{ period: { first: planned.first, last: last < planned.last ? last : planned.last }, reader: OWN_DAYS }]
        : [],
  );
  return own.length > 0 || !latest ? own : [{ period: latest, reader: { kind: 'forecast' } }];
}

/** Sums that were shown for its own days count. */
const OWN_DAYS: DigestReader = { kind: 'preview', seesPeople: true };
