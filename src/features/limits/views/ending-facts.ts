import { DAY_MS } from '../../../core/base/time/durations.ts';
import { MAX_TIMES_USED } from '../card/quick-approval.ts';
import { emailsInLedger, inPieces, limitsOf, newestRequestsOf } from '../core/ledger.ts';
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
  const emails = await emailsInLedger(db);
  const known = await limitsOf(db, emails);
  const newest = await newestRequestsOf(db, emails);
  const slackIds = await readSlackIds(db, emails);
  return emails.flatMap((email): CurrentLimit[] => {
    const limit = known(email);
    switch (limit.kind) {
      case 'none':
      case 'declared':
      case 'unlimited':
      case 'unclear':
        return [];
      case 'shown':
      case 'set': {
        const { value, until, permanent } = limit;
        const requestId = newest.get(email) ?? '';
        const slackId = slackIds.get(`${requestId} ${email}`) ?? null;
        return [{ email, slackId, requestId, value, until, returnTo: until ? permanent : null }];
      }
      default:
        return limit satisfies never;
    }
  });
}

async function readSlackIds(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitRequestPeople')
      .select(['requestId', 'email', 'slackId'])
      .where('email', 'in', piece)
      .where('state', '=', 'set')
      .execute(),
  );
  return new Map(rows.map(({ requestId, email, slackId }) => [`${requestId} ${email}`, slackId]));
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
