import { DAY_MS } from '../../base/time/durations.ts';
import { MAX_TIMES_USED } from '../card/quick-approval.ts';
import type { LimitDatabase, LimitPerson } from '../core/limit-tables.ts';

export interface CurrentLimit extends Pick<LimitPerson, 'email' | 'slackId' | 'requestId'> {
  value: number;
  until: Date | undefined;
  returnTo: number | null;
}

export interface LimitAboveUse extends CurrentLimit {
  used: number;
}

const SOON_MS = 14 * DAY_MS;

export async function readCurrentLimits(db: LimitDatabase): Promise<CurrentLimit[]> {
  const newest = db
    .selectFrom('limitLedger')
    .select((select) => ['email', select.fn.max('setAt').as('setAt')] as const)
    .groupBy('email')
    .as('newest');
  const rows = await db
    .selectFrom('limitLedger as entry')
    .innerJoin(newest, (join) =>
      join.onRef('newest.email', '=', 'entry.email').onRef('newest.setAt', '=', 'entry.setAt'),
    )
    .innerJoin('limitRequests as request', 'request.id', 'entry.requestId')
    .innerJoin('limitRequestPeople as person', (join) =>
      join.onRef('person.requestId', '=', 'entry.requestId').onRef('person.email', '=', 'entry.email'),
    )
    .select(['entry.email', 'entry.value', 'entry.requestId', 'person.slackId', 'person.returnValue as returnTo'])
    .select(['request.kind', 'request.until'])
    .orderBy('entry.approvedAt')
    .execute();
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  return [...byEmail.values()].map(({ kind, until, ...row }) => ({
    ...row,
    // A return has no end, even though its raise had one.
    until: kind === 'return' || until === null ? undefined : new Date(until),
  }));
}

export function endingSoon(limits: readonly CurrentLimit[], now: Date): (CurrentLimit & { until: Date })[] {
  const latest = now.getTime() + SOON_MS;
  return limits
    .flatMap((limit) => (limit.until === undefined ? [] : [{ ...limit, until: limit.until }]))
    .filter(({ until }) => until > now && until.getTime() <= latest)
    .toSorted((a, b) => a.until.getTime() - b.until.getTime() || (a.email < b.email ? -1 : 1));
}

/** Returns the limits far above use, least used first. Pure. */
export function farAboveUse(limits: readonly CurrentLimit[], used: ReadonlyMap<string, number>): LimitAboveUse[] {
  const timesOf = ({ value, used: own }: LimitAboveUse) => (own > 0 ? value / own : Infinity);
  return limits
    .map((limit) => ({ ...limit, used: used.get(limit.email) ?? 0 }))
    .filter(({ value, used: own }) => value > own * MAX_TIMES_USED)
    .toSorted((a, b) => (timesOf(a) === timesOf(b) ? b.value - a.value : timesOf(b) > timesOf(a) ? 1 : -1));
}
