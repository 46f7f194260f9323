import { DAY_MS } from '../../base/time/durations.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { countOf, formatCompact, formatRange } from '../../base/text/numbers.ts';
import type { Person } from '../../slack/people/people.ts';
import { permanentLimitsOf } from '../core/ledger.ts';
import type { LimitDatabase } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';

/** The form shows a loading view until then. The first reading of three months takes long. */
const USE_WAIT_MS = 3_000;
const LATELY_DAYS = 90;
const MAX_ROWS = 1_000;

/** What the form of a request shows, so that the requester need not guess. */
export interface AskFacts {
  email: string | undefined;
  permanentLimit: number | undefined;
  /** What the requester used in the last months. */
  ownUse: string | undefined;
  /** The amounts of others, without names. */
  others: string | undefined;
}

export async function readAskFacts(deps: LimitDeps, { email }: Pick<Person, 'email'>): Promise<AskFacts> {
  const [limits, use, others] = await Promise.all([
    email === undefined ? undefined : permanentLimitsOf(deps.db, [email]),
    email === undefined ? undefined : readUseInTime(deps, email),
    amountsOfOthers(deps.db, email, deps.clock.now()),
  ]);
  return {
    email,
    permanentLimit: email === undefined ? undefined : limits?.get(email),
    ownUse: use,
    others: othersWords(others, deps.config.minGroup),
  };
}

async function readUseInTime({ readMonthlyUse, clock, log }: LimitDeps, email: string): Promise<string | undefined> {
  const reading = readMonthlyUse(email).catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the use for the form of a request failed');
    return undefined;
  });
  return withinTime(clock, USE_WAIT_MS, reading, undefined);
}

/** Returns the newest requested amount of each other person. */
async function amountsOfOthers(db: LimitDatabase, email: string | undefined, now: Date): Promise<number[]> {
  const since = new Date(now.getTime() - LATELY_DAYS * DAY_MS).toISOString();
  const rows = await db
    .selectFrom('limitRequestPeople as person')
    .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
    .select(['person.email', 'person.toValue'])
    .where('request.kind', '=', 'ask')
    .where('request.createdAt', '>=', since)
    .where('person.email', '!=', email ?? '')
    .orderBy('request.createdAt', 'desc')
    .limit(MAX_ROWS)
    .execute();
  return [...new Map(rows.toReversed().map((row) => [row.email, row.toValue])).values()].toSorted((a, b) => a - b);
}

/** @param amounts lowest first; those of a few people would show what single ones requested */
function othersWords(amounts: readonly number[], minGroup: number): string | undefined {
  const [lowest, highest] = [amounts[0], amounts.at(-1)];
  const middle = amounts[Math.ceil(amounts.length / 2) - 1];
  if (lowest === undefined || highest === undefined || middle === undefined || amounts.length < minGroup)
    return undefined;
  return `In the last ${LATELY_DAYS} days, ${countOf(amounts.length, 'other person', 'other people')} requested ${formatRange(lowest, highest, '–')}; half of them ${formatCompact(middle)} or less.`;
}
