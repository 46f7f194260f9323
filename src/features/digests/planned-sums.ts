import type { GroupSum } from '../../core/base/privacy/disclosure.ts';
import { isPersonAddress } from '../../core/outbox/reader.ts';
import { nextOccurrence, previousOccurrence } from '../../core/schedule/occurrences.ts';
import { listSubscriptions, scheduleIn } from '../../core/schedule/subscriptions.ts';
import type { Services } from '../../core/services.ts';
import { resolveAudience } from './core/audience.ts';
import { readSettings } from './core/contents.ts';
import { coveredDays } from './core/coverage.ts';

/**
 * The sums of groups that the digests of channels show next, with the present members. The latest digest of each is
 * included, because it may still wait for its days.
 */
export async function readPlannedSums({ db, people }: Pick<Services, 'db' | 'people'>): Promise<GroupSum[]> {
  const subscriptions = await listSubscriptions(db, 'digest');
  const sums = subscriptions.map(async (subscription): Promise<GroupSum[]> => {
    if (subscription.state !== 'active' || isPersonAddress(subscription.channel)) return [];
    const { audience, cadence } = readSettings(subscription);
    if (audience.kind !== 'team') return [];
    const members = await resolveAudience(people, audience);
    if (members.kind === 'gone' || members.people === undefined) return [];
    const emails = [...new Set(members.people)].toSorted();
    const schedule = scheduleIn(subscription);
    const next = nextOccurrence(schedule, new Date(Date.parse(subscription.nextDueAt) - 1));
    return [next, previousOccurrence(schedule, next.at)].flatMap((occurrence) => {
      const period = coveredDays(cadence, schedule, occurrence);
      return period ? [{ emails, period, isByDay: false }] : [];
    });
  });
  return (await Promise.all(sums)).flat();
}
